"""What a finished run made, file by file and job by job, so that it can be checked later.

manifest.json, in the folder of results:

    format, languages, seed, corpus, versions, code     what made the run
    folder     where it was started, relative to the folder of results
    jobs       rule, wildcards, inputs and outputs, each a path and a checksum
    files      bytes and sha256 of each output file, by path below the folder

Paths are relative to the folder of results, so that it can be moved with its surroundings. The
checksum of a folder covers the names and checksums of its files. Logs, benchmarks and snakemake's
own files, which only describe a run, are left out.
"""

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from cr5.base import origin, provenance
from cr5.base.errors import UserError
from cr5.base.files import atomic_file
from cr5.base.parts import PACKAGE
from cr5.base.refusals import pass_on
from cr5.plan import manifest_file
from cr5.plan.code import fingerprint
from cr5.plan.manifest_file import FORMAT, Job, Manifest, place_of

NAME = "manifest.json"
ABOUT_THE_RUN = "run.json"  # made last, before the manifest
MISSING, CHANGED, OTHER, ABSENT = "missing", "changed", "made from another", "cannot be checked"
ADDED = "not of the run"


@dataclass(frozen=True)
class Difference:
    """Something that differs from the manifest.

    Attributes:
        path: relative to the folder of results.
        what: `missing`; `changed`; `not of the run`, a file in a folder that a job made; `made from
            another`, the output of a job whose input was different then; `cannot be checked`, an
            external input that is not here.
        affected: what was made from it, see `Manifest.affected`.
    """

    path: str
    what: str
    affected: tuple[str, ...] = ()


def write(
    results: str | Path, jobs: Iterable[Mapping[str, Any]], about: Mapping[str, Any]
) -> list[str]:
    """Write the manifest of a finished run; existing outputs of earlier runs stay in it.

    An output that is already in the manifest and was not made again keeps its checksums there:
    later changes to it are not results.

    Args:
        results: folder of the run.
        jobs: rule, wildcards, paths of inputs and outputs, and whether it was done now.
        about: seed, corpus, languages; JSON-serialisable.

    Returns:
        Outputs that were not made again and differ from the manifest, sorted.
    """
    results, jobs = Path(results), [job for job in jobs if job["outputs"]]
    files, before = Files(results), _before(results)
    done = {files.name(x) for job in jobs if job.get("done", True) for x in job["outputs"]}
    recorded = {path: x for path, x in before.by_output().items() if path not in done}
    made = [_job(files, job) for job in jobs]
    by = {"versions": provenance.versions(), "code": origin.code()}
    manifest = Manifest(
        sorted(made + _kept(results, made, before), key=lambda x: (x.rule, *x.wildcards.values())),
        {},
        {**about, "folder": files.name("."), **by},
    )
    changed = []
    for path in sorted(manifest.outputs()):
        now = files.described(path)
        if recorded.get(path, now) != now:
            changed.append(path)
        manifest.files.update(recorded.get(path, now))
    _replace(results, manifest)
    return changed


def forget(results: str | Path, outputs: Iterable[str]) -> None:
    """Remove the jobs that make these outputs from the manifest, before they are repeated.

    If the run does not finish, nothing records any longer what they were.

    Args:
        results: folder of the run; need not have a manifest.
        outputs: paths.
    """
    results, before = Path(results), _before(Path(results))
    gone = {Files(results).name(path) for path in outputs} & before.outputs()
    if gone:
        kept = [job for job in before.jobs if not gone.intersection(job.outputs)]
        recorded = [x for path, x in before.by_output().items() if path not in gone]
        files = {name: each for x in recorded for name, each in x.items()}
        _replace(results, Manifest(kept, files, before.about))


def check(results: str | Path) -> None:
    """Reject results with a missing file, or one whose size differs from the manifest.

    Snakemake compares dates and does not look into folders: what was cut off or lost there would
    go unnoticed. Sizes take no time, so a run begins with them; it ends with the checksums
    (`write`).

    Args:
        results: folder of the corpus; need not exist or have a manifest.

    Raises:
        UserError: it names each output to remove.
    """
    results = Path(results)
    found = [
        path
        for path, files in sorted(_before(results).by_output().items())
        if (results / path).exists()
        and any(_size(results / name) != size for name, (size, _) in files.items())
    ]
    if found:
        raise UserError(message(results, found))


def message(results: str | Path, outputs: Iterable[str]) -> str:
    """Report that outputs were modified, and the remedy; one line each."""
    places = [Path(results, path) for path in outputs]
    return "\n".join(
        f"Error: {place}: modified since its job created it ({NAME}); remove {place} and run again"
        for place in places
    )


def read(results: str | Path) -> Manifest:
    """Read a manifest.

    Raises:
        UserError: there is none, or it is damaged.
    """
    path = Path(results) / NAME
    try:
        return manifest_file.parse(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError) as error:
        raise UserError(
            f"{path}: not there, so nothing says what the results should be. Name the folder of a "
            "finished run, such as results/libreoffice_help; where the file was lost, run again, "
            "which writes it anew"
        ) from error
    except (OSError, ValueError) as error:
        pass_on(error)
        raise UserError(
            f"{path}: cannot be read ({error}); remove {path} and run again, which writes it anew"
        ) from error


def end_again(results: str | Path) -> None:
    """Remove what is made last if the manifest, which is written after it, is missing.

    Otherwise a run would have nothing to do, and would write no manifest.
    """
    if not os.path.lexists(Path(results) / NAME):
        (Path(results) / ABOUT_THE_RUN).unlink(missing_ok=True)


def differences(results: str | Path, manifest: Manifest) -> list[Difference]:
    """Compare every file with the manifest, and every job's inputs with what it read.

    Args:
        results: folder of the run.
        manifest: the run's manifest.
    """
    files = Files(Path(results))
    found = [*_of_files(files, manifest), *_of_inputs(files, manifest)]
    return [Difference(path, what, manifest.affected(path)) for path, what in found]


class Files:
    """Sizes and checksums of files, by path relative to the results; each is read once."""

    def __init__(self, results: Path):
        self._results, self._known = results, {}

    def name(self, path: str) -> str:
        """Convert a path relative to the working folder to one relative to the results."""
        return Path(os.path.relpath(path, self._results)).as_posix()

    def place(self, path: str) -> Path:
        """Return where that is; `..` goes up by name, as in `name`, even from a link.

        A file of this package that is not where it was is taken from where the package is now.
        """
        place = Path(os.path.normpath(self._results / path))
        _, inside, name = path.rpartition(f"/{PACKAGE.parent.name}/{PACKAGE.name}/")
        return PACKAGE / name if inside and not place.exists() else place

    def described(self, path: str) -> dict[str, tuple[int, str]]:
        """Describe each file of a folder, or the file itself; empty if it is missing."""
        if path not in self._known:
            place = self.place(path)
            names = {f"{path}/{name}": place / name for name in _names(place)} or {path: place}
            self._known[path] = {x: _described(y) for x, y in names.items() if y.is_file()}
        return self._known[path]

    def checksum(self, path: str) -> str | None:
        """Return the checksum of a file, or of a folder's names and checksums; None if missing."""
        found = self.described(path)
        if not self.place(path).is_dir():
            return found[path][1] if found else None
        listed = [[name.removeprefix(f"{path}/"), sha256] for name, (_, sha256) in found.items()]
        return hashlib.sha256(json.dumps(listed).encode()).hexdigest()

    def read_as(self, path: str) -> str | None:
        """Return what decides whether a job that reads this runs again: of modules the syntax."""
        place = self.place(path)
        is_module = place.suffix == ".py" and place.is_file()
        return fingerprint(place) if is_module else self.checksum(path)


def _names(folder: Path) -> list[str]:
    """Return the paths of all files within a folder, sorted."""
    found = [x.relative_to(folder) for x in folder.rglob("*") if x.is_file()]
    return sorted(x.as_posix() for x in found if x.name != provenance.TIMESTAMP)


def _described(path: Path) -> tuple[int, str]:
    return path.stat().st_size, provenance.sha256(path)


def _size(path: Path) -> int | None:
    return path.stat().st_size if path.is_file() else None


def _of_files(files: Files, manifest: Manifest) -> Iterator[tuple[str, str]]:
    """Yield what is missing, changed or added among the files that jobs made."""
    now = {name: x for path in manifest.outputs() for name, x in files.described(path).items()}
    for name, was in manifest.files.items():
        if name not in now:
            yield name, MISSING
        elif now[name] != was:
            yield name, CHANGED
    yield from ((name, ADDED) for name in sorted(now.keys() - manifest.files.keys()))


def _of_inputs(files: Files, manifest: Manifest) -> Iterator[tuple[str, str]]:
    """Compare jobs' inputs: external ones as they are now, others as recorded by their jobs."""
    made = {path: sha for job in manifest.jobs for path, sha in job.outputs.items()}
    told = set()
    for job in manifest.jobs:
        for path, was in job.inputs.items():
            if place_of(path, made) is None:
                if path not in told and was not in (files.checksum(path), files.read_as(path)):
                    told.add(path)
                    yield path, CHANGED if files.place(path).exists() else ABSENT
            elif path in made and made[path] != was:
                yield from ((output, f"{OTHER} {path}") for output in job.outputs)


def _job(files: Files, job: Mapping[str, Any]) -> Job:
    read = {name: files.read_as(name) for name in sorted(map(files.name, job["inputs"]))}
    made = {name: files.checksum(name) for name in sorted(map(files.name, job["outputs"]))}
    return Job(job["rule"], dict(job["wildcards"]), read, made)


def _before(results: Path) -> Manifest:
    """Return the existing manifest, or an empty one."""
    return read(results) if os.path.lexists(results / NAME) else Manifest([], {})


def _kept(results: Path, made: list[Job], before: Manifest) -> list[Job]:
    """Return earlier jobs whose outputs all still exist and were not made again."""
    new = {path for job in made for path in job.outputs}
    return [
        job
        for job in before.jobs
        if not new.intersection(job.outputs) and all((results / x).exists() for x in job.outputs)
    ]


def _replace(results: Path, manifest: Manifest) -> None:
    jobs = [asdict(job) for job in manifest.jobs]
    content = {"format": FORMAT, **manifest.about, "jobs": jobs, "files": manifest.files}
    with atomic_file(results / NAME) as temporary:
        text = json.dumps(content, indent=1, ensure_ascii=False)
        temporary.write_text(text + "\n", encoding="utf-8")
