"""What a manifest holds."""

import json
from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

FORMAT = 1


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

    rule: str
    wildcards: Mapping[str, str]
    inputs: Mapping[str, str | None]
    outputs: Mapping[str, str | None]

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


def parse(text: str) -> Manifest:
    """Read the text of a manifest.

    Raises:
        ValueError: it is not a manifest of this format.
    """
    try:
        about = json.loads(text)
        if about.pop("format") != FORMAT:
            raise ValueError("written by another version")
        jobs = [Job(**job) for job in about.pop("jobs")]
        files = {name: (size, sha256) for name, (size, sha256) in about.pop("files").items()}
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"no manifest: {error}") from error
    return Manifest(jobs, files, about)
