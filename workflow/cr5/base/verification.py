"""A finished run is compared with what its jobs wrote and read."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from cr5.base.artefacts import ABOUT, TEMPORARY, Artefact, outside
from cr5.base.contents import PREFIX as BY_CONTENT
from cr5.base.contents import TIMESTAMP, checksum
from cr5.base.errors import UserError


def inputs_of(results: str | Path) -> set[str]:
    """Return the user's files and folders that results were made of, as the run named them."""
    inputs: set[str] = set()
    for path in Path(results).rglob(ABOUT):
        with suppress(UserError):  # told by `differences`
            for place, digest in Artefact(path.parent).about["of"].items():
                if digest.startswith(BY_CONTENT):
                    inputs.add(place)
    return inputs


def folder_of_start(results: Path, called_from: Path) -> Path | None:
    """Return the folder that a run was started in: the one from which most inputs are found.

    It has snakemake's notes, and may be above the results, or be where the user stands
    (`called_from`). None if it has no notes there, and none of the inputs.
    """
    inputs = inputs_of(results)
    above = list(results.absolute().parents) + list(results.resolve().parents)
    with_notes = [folder for folder in above if (folder / ".snakemake").is_dir()]
    n_inputs: dict[Path, int] = {}
    for folder in with_notes + [called_from, Path.cwd()]:
        n_inputs[folder] = sum((folder / path).exists() for path in inputs)
    likeliest = max(n_inputs, key=n_inputs.__getitem__)  # the first of those with most
    if with_notes or n_inputs[likeliest] or not inputs:
        return likeliest
    return None


def differences(results: str | Path, started_in: Path | None = Path()) -> Iterator[str]:
    """Yield a line for each damaged, added, missing or mixed-up part of a folder of results.

    The user's files are those of the folder that the run was started in; without it, all others
    are compared.
    """
    results = Path(results)
    artefacts: dict[Path, Artefact] = {}
    for path in sorted(results.rglob(ABOUT)):
        try:
            artefacts[path.parent] = Artefact(path.parent)
        except UserError as error:
            yield str(error)
    for artefact in artefacts.values():
        for name in artefact.files:
            try:
                artefact.file(name)
            except UserError as error:
                yield str(error)
        for name in _added_files(artefact):
            yield f"{artefact.path / name}: not of the run"
    yield from _mixed_up(artefacts, results, started_in)


def _added_files(artefact: Artefact) -> list[str]:
    """Return the files in an artefact's folder that the run did not write."""
    folder = artefact.path
    present = [path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()]
    written = set(artefact.files) | {ABOUT, TIMESTAMP}
    return sorted(name for name in present if name not in written)


@dataclass(frozen=True)
class Reading:
    """An artefact, and the digest of something that it was made of."""

    by: Artefact
    digest: str


def _mixed_up(
    artefacts: Mapping[Path, Artefact], results: Path, started_in: Path | None
) -> Iterator[str]:
    """Yield a line for each artefact that was made of another version of something than is there.

    Where others were made of the version that is there, such as of a new draw after another seed,
    those that were not are stale. Where none was, that version itself is the fault.
    """
    folders = (results, started_in or Path())
    stale: dict[Path, str] = {}  # the first such place of each artefact
    faults: dict[str, list[Artefact]] = {}  # by place, what has read it
    for place, readings in _readings(artefacts.values(), started_in is not None):
        digest = readings[0].digest
        version = _version(place, digest, artefacts, folders)
        if version is None and _may_be_gone(place, digest):
            continue
        of_another = [reading.by for reading in readings if reading.digest != version]
        if len(of_another) == len(readings):
            faults[place] = of_another
            continue
        for artefact in of_another:
            stale.setdefault(artefact.path, place)
    for path, place in stale.items():
        yield f"{path}: made of another version of {place} than is there"
    for place, readers in faults.items():
        blaming = [artefact for artefact in readers if artefact.path not in stale]
        if blaming:
            is_there = any((folder / place).exists() for folder in folders)
            yield _fault(place, blaming[0], is_there)


def _readings(
    artefacts: Iterable[Artefact], with_files_of_the_user: bool
) -> list[tuple[str, list[Reading]]]:
    """Return what artefacts were made of, in the order of its places."""
    readings: dict[str, list[Reading]] = {}
    for artefact in artefacts:
        for place, digest in artefact.about["of"].items():
            if with_files_of_the_user or not digest.startswith(BY_CONTENT):
                readings.setdefault(place, []).append(Reading(artefact, digest))
    return sorted(readings.items())


def _version(
    place: str, digest: str, artefacts: Mapping[Path, Artefact], folders: tuple[Path, Path]
) -> str | None:
    """Return the digest, of the kind of another one, of what is at a place; None if nothing is.

    Places are below the results, or count from where the run was started.
    """
    results, start = folders
    if digest.startswith(BY_CONTENT):
        if (start / place).exists():
            return checksum(start / place)
        return None
    if results / place in artefacts:
        return artefacts[results / place].digest
    for folder in folders:
        if (folder / place).exists():
            return outside(folder / place)
    return None


def _may_be_gone(place: str, digest: str) -> bool:
    """Return whether something is not kept: parts of a dump, and files that are not the user's."""
    is_artefact = " " not in digest
    return place.startswith(TEMPORARY) or not (is_artefact or digest.startswith(BY_CONTENT))


def _fault(place: str, reader: Artefact, is_there: bool) -> str:
    """Say that something is not what all that was made of it has read."""
    if not reader.about["of"][place].startswith(BY_CONTENT):
        what = "another one than" if is_there else "missing, which"
        return f"{place}: {what} {reader.path} read"
    if is_there:
        return f"{place}: another content than {reader.path} was made from; run again"
    return f"{place}: gone, though {reader.path} was made from it; bring it back"
