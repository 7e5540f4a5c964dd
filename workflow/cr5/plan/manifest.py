"""What a finished run made, file by file, and by which job: so that it can be checked later.

manifest.json, in the folder of results:

    format, languages, seed, corpus, versions, code     what made the run
    jobs       rule, wildcards, network, inputs and outputs, each a path and a checksum
    files      of what jobs made, by path below the folder: bytes and sha256

Paths are given from the folder of results, so that it may be moved with what stands around it. The
checksum of a folder is of the names and checksums of its files. What only tells of a run, its logs,
benchmarks and the files that snakemake keeps, is not in it.
"""

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from cr5.base import origin, provenance
from cr5.base.errors import UserError
from cr5.base.files import atomic_file

NAME = "manifest.json"
FORMAT = 1
TIMESTAMP = ".snakemake_timestamp"


@dataclass(frozen=True)
class Job:
    """One job of a run.

    Attributes:
        rule: its name.
        wildcards: what it was done for.
        inputs: by path the checksum of each file or folder that it read; None where it was not
            there any more when the run was finished.
        outputs: likewise of what it made.
        network: whether it fetches something.
    """

    rule: str
    wildcards: Mapping[str, str]
    inputs: Mapping[str, str | None]
    outputs: Mapping[str, str | None]
    network: bool = False

    def __str__(self) -> str:
        """Name it, as logs do."""
        return " ".join([self.rule, *self.wildcards.values()])


@dataclass(frozen=True)
class Manifest:
    """What a run made.

    Attributes:
        jobs: all of them.
        files: by path below the results, bytes and sha256 of each file that a job made.
        about: what made the run.
    """

    jobs: list[Job]
    files: dict[str, tuple[int, str]]
    about: dict[str, Any] = field(default_factory=dict)


def write(results: str | Path, jobs: Iterable[Mapping[str, Any]], about: Mapping[str, Any]) -> None:
    """Write the manifest of a finished run; what an earlier run made and is still there stays in.

    Args:
        results: folder of the run.
        jobs: rule, wildcards, network, and paths of inputs and outputs.
        about: seed, corpus, languages; JSON-able.
    """
    results = Path(results)
    files = Files(results)
    made = [_job(files, **each) for each in jobs if each["outputs"]]
    manifest = Manifest(
        sorted(made + _kept(results, made), key=lambda job: (job.rule, *job.wildcards.values())),
        {},
        {**about, "versions": provenance.versions(), "code": origin.code()},
    )
    for path in sorted(path for job in manifest.jobs for path in job.outputs):
        manifest.files.update(files.described(path))
    with atomic_file(results / NAME) as temporary:
        text = json.dumps({"format": FORMAT, **_content(manifest)}, indent=1, ensure_ascii=False)
        temporary.write_text(text + "\n", encoding="utf-8")


def read(results: str | Path) -> Manifest:
    """Read a manifest.

    Raises:
        UserError: there is none, or it is damaged.
    """
    path = Path(results) / NAME
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        if content.pop("format") != FORMAT:
            raise ValueError("written by another version")
        jobs = [Job(**job) for job in content.pop("jobs")]
        files = {name: (size, sha256) for name, (size, sha256) in content.pop("files").items()}
        if not {"code", "corpus"} <= content.keys():
            raise ValueError("it does not say what made the run")
        return Manifest(jobs, files, content)
    except FileNotFoundError as error:
        raise UserError(
            f"{path}: not there, so nothing says what the results should be; a run that finishes "
            "writes it. Name the folder of a finished run, such as results/libreoffice_help"
        ) from error
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise UserError(
            f"{path}: cannot be read ({error}); remove it and run again, which makes it anew"
        ) from error


class Files:
    """Checksums of files below a folder, each computed once."""

    def __init__(self, results: Path):
        self._results, self._known = results, {}

    def name(self, path: str) -> str:
        """A path from the working folder as one from the results."""
        return Path(os.path.relpath(path, self._results)).as_posix()

    def checksum(self, path: str) -> str | None:
        """Of a file or a folder; None where there is none."""
        if path not in self._known:
            self._known[path] = self._checksum(self._results / path)
        return self._known[path]

    def _checksum(self, path: Path) -> str | None:
        if path.is_dir():
            listed = [[name, sha256] for name, (_, sha256) in _listed(path).items()]
            return hashlib.sha256(json.dumps(listed).encode()).hexdigest()
        return provenance.sha256(path) if path.is_file() else None

    def described(self, path: str) -> dict[str, tuple[int, str]]:
        """Each file of an output, by its path from the results."""
        found = self._results / path
        if found.is_dir():
            return {f"{path}/{name}": each for name, each in _listed(found).items()}
        return {path: _described(found)} if found.is_file() else {}


def names(results: Path, folder: str) -> list[str]:
    """Paths from the results of all files of an output that is a folder, in order."""
    found = [x.relative_to(results) for x in (results / folder).rglob("*") if x.is_file()]
    return sorted(x.as_posix() for x in found if x.name != TIMESTAMP)


def _listed(folder: Path) -> dict[str, tuple[int, str]]:
    return {name: _described(folder / name) for name in names(folder, ".")}


def _described(path: Path) -> tuple[int, str]:
    return path.stat().st_size, provenance.sha256(path)


def _job(files: Files, rule: str, wildcards, inputs, outputs, network: bool) -> Job:
    read, made = (
        {name: files.checksum(name) for name in sorted(map(files.name, paths))}
        for paths in (inputs, outputs)
    )
    return Job(rule, dict(wildcards), read, made, network)


def _kept(results: Path, made: list[Job]) -> list[Job]:
    """Jobs of the manifest before, of whose outputs none was made now and all are still there."""
    try:
        before = read(results).jobs
    except UserError:
        return []
    new = {path for job in made for path in job.outputs}
    return [
        job
        for job in before
        if not new.intersection(job.outputs) and all((results / x).exists() for x in job.outputs)
    ]


def _content(manifest: Manifest) -> dict[str, Any]:
    jobs = [asdict(job) for job in manifest.jobs]
    return {**manifest.about, "jobs": jobs, "files": manifest.files}
