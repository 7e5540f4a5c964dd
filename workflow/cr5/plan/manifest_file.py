"""The allowed content of a manifest: it may come from anybody, and its paths get removed."""

from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, StrictInt, StrictStr, ValidationError

from cr5.plan.names import Name

FORMAT = 1
LONGEST_NAME, LONGEST_PATH = 255, 4095  # bytes, the usual limits of file systems


def _path(text: str) -> str:
    names = text.split("/")
    if not text.isprintable() or max(len(x.encode()) for x in names) > LONGEST_NAME:
        raise ValueError("no path")
    if len(text.encode()) > LONGEST_PATH:
        raise ValueError("too long for a path")
    return text


def _below(text: str) -> str:
    if not text or PurePosixPath(text).is_absolute() or ".." in text.split("/"):
        raise ValueError("not below the results")
    return text


AnyPath = Annotated[StrictStr, AfterValidator(_path)]
Own = Annotated[AnyPath, AfterValidator(_below)]


@dataclass(frozen=True)
class Job:
    """One job of a run.

    Attributes:
        rule: its name.
        wildcards: its wildcards.
        inputs: checksum of each file or folder that it read, by path; None if it no longer existed
            when the run finished.
        outputs: likewise of what it made.
    """

    rule: StrictStr
    wildcards: Mapping[str, StrictStr]
    inputs: Mapping[AnyPath, StrictStr | None]
    outputs: Mapping[Own, StrictStr | None]

    def __str__(self) -> str:
        """Return its name, as in logs."""
        return " ".join([self.rule, *self.wildcards.values()])


@dataclass(frozen=True)
class Manifest:
    """What a run made.

    Attributes:
        jobs: all its jobs.
        files: bytes and sha256 of each file that a job made, by path below the results.
        about: what made the run.
    """

    jobs: list[Job]
    files: dict[str, tuple[int, str]]
    about: dict[str, Any] = field(default_factory=dict)

    def outputs(self) -> set[str]:
        """Return the files and folders that its jobs made."""
        return {path for job in self.jobs for path in job.outputs}

    def by_output(self) -> dict[str, dict[str, tuple[int, str]]]:
        """Return the recorded files of each output."""
        found: dict[str, dict[str, tuple[int, str]]] = {path: {} for path in self.outputs()}
        for name, each in self.files.items():
            if output := place_of(name, found):
                found[output][name] = each
        return found

    def affected(self, path: str) -> tuple[str, ...]:
        """Return what was made from a file: first directly, sorted, then indirectly.

        The output that contains the file is left out.
        """
        changed = {place_of(path, self.outputs()) or path}
        found: dict[str, None] = {}
        while changed:
            made = {
                output
                for job in self.jobs
                if any(_overlaps(path, changed) for path in job.inputs)
                for output in job.outputs
            }
            changed = made - found.keys()
            found |= dict.fromkeys(sorted(changed))
        return tuple(found)


def place_of(path: str, places: Container[str]) -> str | None:
    """Return the place that a path is, or is in."""
    parts = [path, *(x.as_posix() for x in PurePosixPath(path).parents)]
    return next((part for part in parts if part in places), None)


def _overlaps(path: str, places: set[str]) -> bool:
    """Return whether a path is one of the places, is in one, or contains one."""
    return bool(place_of(path, places)) or any(x.startswith(f"{path}/") for x in places)


class _Corpus(BaseModel):
    model_config = ConfigDict(extra="allow")
    name: Name


class _File(BaseModel):
    """The whole file; its other keys describe the run."""

    model_config = ConfigDict(extra="allow")
    format: StrictInt
    corpus: _Corpus
    code: StrictStr
    folder: AnyPath = ""
    jobs: list[Job]
    files: dict[Own, tuple[StrictInt, StrictStr]]


def parse(text: str) -> Manifest:
    """Read the text of a manifest.

    Raises:
        ValueError: it is not a manifest of this format.
    """
    try:
        read = _File.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"])) or "the file"
        raise ValueError(f"{place[:200]}: {first['msg']}") from None
    if read.format != FORMAT:
        raise ValueError("written by another version")
    about = {**read.model_dump(exclude={"jobs", "files", "format"})}
    return Manifest(read.jobs, read.files, about)
