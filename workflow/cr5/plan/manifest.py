"""What a finished run made, file by file, and by which job: so that it can be checked later.

manifest.json, in the folder of results:

    format, languages, seed, corpus, versions, code     what made the run
    folder     that it was started in, from the folder of results
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
from dataclasses import asdict
from pathlib import Path
from typing import Any

from cr5.base import origin, provenance
from cr5.base.errors import UserError
from cr5.base.files import atomic_file
from cr5.base.refusals import pass_on
from cr5.plan import manifest_file
from cr5.plan.manifest_file import FORMAT, Job, Manifest

NAME = "manifest.json"
ABOUT_THE_RUN = "run.json"  # made last; then comes the manifest


def write(
    results: str | Path, jobs: Iterable[Mapping[str, Any]], about: Mapping[str, Any]
) -> list[str]:
    """Write the manifest of a finished run; what an earlier run made and is still there stays in.

    An output that the manifest has already, and that was not made anew, keeps its checksums there:
    what became of it since is no result.

    Args:
        results: folder of the run.
        jobs: rule, wildcards, network, paths of inputs and outputs, and whether it was done now.
        about: seed, corpus, languages; JSON-able.

    Returns:
        Outputs that nothing made anew and that are no longer what the manifest said, in order.
    """
    results, jobs = Path(results), [job for job in jobs if job["outputs"]]
    files, before = Files(results), _before(results)
    done = {files.name(x) for job in jobs if job.get("done", True) for x in job["outputs"]}
    recorded = {path: x for path, x in _recorded(before).items() if path not in done}
    made = [_job(files, job) for job in jobs]
    manifest = Manifest(
        sorted(made + _kept(results, made, before), key=lambda x: (x.rule, *x.wildcards.values())),
        {},
        {
            **about,
            "folder": files.name("."),
            "versions": provenance.versions(),
            "code": origin.code(),
        },
    )
    changed = []
    for path in sorted(_outputs(manifest)):
        now = files.described(path)
        if recorded.get(path, now) != now:
            changed.append(path)
        manifest.files.update(recorded.get(path, now))
    _replace(results, manifest)
    return changed


def forget(results: str | Path, outputs: Iterable[str]) -> None:
    """Take out the jobs that make these outputs, before they are done anew.

    Should the run not come to its end, nothing says any longer what they were.

    Args:
        results: folder of the run; it need not have a manifest.
        outputs: paths.
    """
    results, before = Path(results), _before(Path(results))
    gone = {Files(results).name(path) for path in outputs} & _outputs(before)
    if not gone:
        return
    kept = [job for job in before.jobs if not gone.intersection(job.outputs)]
    recorded = [x for path, x in _recorded(before).items() if path not in gone]
    _replace(results, Manifest(kept, {k: v for x in recorded for k, v in x.items()}, before.about))


def unlike(results: str | Path) -> list[str]:
    """Return outputs that are there with files of other sizes than the manifest says, or fewer.

    It takes no reading, so that a run can begin with it; without a manifest there are none.
    """
    results = Path(results)
    return [
        path
        for path, files in sorted(_recorded(_before(results)).items())
        if (results / path).exists()
        and any(_size(results / name) != size for name, (size, _) in files.items())
    ]


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
    """Remove what is made last, where the manifest written after it is not there.

    Else nothing would be left to do for a run, which then writes none.
    """
    if not os.path.lexists(Path(results) / NAME):
        (Path(results) / ABOUT_THE_RUN).unlink(missing_ok=True)


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
            self._known[path] = self._checksum(self.place(path))
        return self._known[path]

    def place(self, path: str) -> Path:
        """Where that is; `..` is the folder above by name, as `name` has it, also of a link."""
        return Path(os.path.normpath(self._results / path))

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
    return sorted(x.as_posix() for x in found if x.name != provenance.TIMESTAMP)


def _listed(folder: Path) -> dict[str, tuple[int, str]]:
    return {name: _described(folder / name) for name in names(folder, ".")}


def _described(path: Path) -> tuple[int, str]:
    return path.stat().st_size, provenance.sha256(path)


def _size(path: Path) -> int | None:
    return path.stat().st_size if path.is_file() else None


def _job(files: Files, job: Mapping[str, Any]) -> Job:
    read, made = (
        {name: files.checksum(name) for name in sorted(map(files.name, job[paths]))}
        for paths in ("inputs", "outputs")
    )
    return Job(job["rule"], dict(job["wildcards"]), read, made, job["network"])


def _before(results: Path) -> Manifest:
    """The manifest that is there, an empty one if there is none."""
    return read(results) if os.path.lexists(results / NAME) else Manifest([], {})


def _outputs(manifest: Manifest) -> set[str]:
    return {path for job in manifest.jobs for path in job.outputs}


def _recorded(manifest: Manifest) -> dict[str, dict[str, tuple[int, str]]]:
    """By output what a manifest says of its files."""
    found: dict[str, dict[str, tuple[int, str]]] = {path: {} for path in _outputs(manifest)}
    for name, each in manifest.files.items():
        places = (name, *(x.as_posix() for x in Path(name).parents))
        if place := next((x for x in places if x in found), None):
            found[place][name] = each
    return found


def _kept(results: Path, made: list[Job], before: Manifest) -> list[Job]:
    """Jobs of the manifest before, of whose outputs none was made now and all are still there."""
    new = {path for job in made for path in job.outputs}
    return [
        job
        for job in before.jobs
        if not new.intersection(job.outputs) and all((results / x).exists() for x in job.outputs)
    ]


def _replace(results: Path, manifest: Manifest) -> None:
    with atomic_file(results / NAME) as temporary:
        text = json.dumps({"format": FORMAT, **_content(manifest)}, indent=1, ensure_ascii=False)
        temporary.write_text(text + "\n", encoding="utf-8")


def _content(manifest: Manifest) -> dict[str, Any]:
    jobs = [asdict(job) for job in manifest.jobs]
    return {**manifest.about, "jobs": jobs, "files": manifest.files}
