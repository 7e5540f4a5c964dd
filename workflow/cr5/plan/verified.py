"""Whether results are what their manifest says, and what hangs on what is not."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from cr5.base import provenance
from cr5.plan.manifest import Files, Job, Manifest, names

MISSING, CHANGED, OTHER, ABSENT = "missing", "changed", "made from another", "cannot be checked"
ADDED = "not of the run"


@dataclass(frozen=True)
class Difference:
    """Something that is not as the manifest has it.

    Attributes:
        path: from the folder of results.
        what: `missing`, `changed`; `not of the run` of what stands in a folder that a job made;
            `made from another` of what a job made from an input that was
            another then; `cannot be checked` of an input from outside that is not here.
        affected: what was made from it, see `affected`.
    """

    path: str
    what: str
    affected: tuple[str, ...] = ()


def differences(results: str | Path, manifest: Manifest) -> list[Difference]:
    """Compare every file with the manifest, and every job's inputs with what it read.

    Args:
        results: folder of the run.
        manifest: of it.
    """
    results = Path(results)
    found = [*_of_files(results, manifest), *_of_inputs(results, manifest)]
    return [Difference(path, what, affected(manifest, path)) for path, what in found]


def outputs_to_remove(results: str | Path, manifest: Manifest) -> list[str]:
    """Outputs that are there and of which a file is not as the manifest has it, in order.

    What was made from them is made anew with them.
    """
    changed = {_within(name, _outputs(manifest.jobs)) for name, _ in _of_files(results, manifest)}
    return sorted(path for path in changed if path and (Path(results) / path).exists())


def _of_files(results: Path, manifest: Manifest) -> Iterator[tuple[str, str]]:
    for name, (size, sha256) in manifest.files.items():
        path = results / name
        if not path.is_file():
            yield name, MISSING
        elif path.stat().st_size != size or provenance.sha256(path) != sha256:
            yield name, CHANGED
    for path in _outputs(manifest.jobs):
        if (results / path).is_dir():
            yield from (
                (name, ADDED) for name in names(results, path) if name not in manifest.files
            )


def _of_inputs(results: Path, manifest: Manifest) -> Iterator[tuple[str, str]]:
    """Inputs from outside as they are now, others as the job says that made them."""
    made = {path: sha for job in manifest.jobs for path, sha in job.outputs.items()}
    now, told = Files(results), set()
    for job in manifest.jobs:
        for path, was in job.inputs.items():
            if _within(path, made) is None:
                if path not in told and now.checksum(path) != was:
                    told.add(path)
                    yield path, CHANGED if now.place(path).exists() else ABSENT
            elif path in made and made[path] != was:
                yield from ((output, f"{OTHER} {path}") for output in job.outputs)


def affected(manifest: Manifest, path: str) -> tuple[str, ...]:
    """What was made from a file: first directly, in order of names, then what was made from that.

    The output that the file is part of does not count.
    """
    changed = {_within(path, _outputs(manifest.jobs)) or path}
    found: dict[str, None] = {}
    while changed:
        made = {
            output
            for job in manifest.jobs
            if any(_within(x, changed) or _above(x, changed) for x in job.inputs)
            for output in job.outputs
        }
        changed = made - found.keys()
        found |= dict.fromkeys(sorted(changed))
    return tuple(found)


def _outputs(jobs: Iterable[Job]) -> set[str]:
    return {path for job in jobs for path in job.outputs}


def _within(path: str, places: Iterable[str]) -> str | None:
    """The place that a path is, or is in."""
    parts = [path, *(x.as_posix() for x in Path(path).parents)]
    return next((part for part in parts if part in places), None)


def _above(path: str, places: Iterable[str]) -> bool:
    """Whether it is the folder of one of the places."""
    return any(place.startswith(f"{path}/") for place in places)
