"""A finished run is compared with what its jobs wrote and read."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from cr5.base.artefacts import ABOUT, TEMPORARY, Artefact, outside
from cr5.base.contents import KIND as BY_CONTENT
from cr5.base.contents import TIMESTAMP, checksum
from cr5.base.errors import UserError


def inputs_of(results: str | Path) -> set[str]:
    """Return the user's files and folders that results were made of, as the run named them."""
    found: set[str] = set()
    for path in Path(results).rglob(ABOUT):
        with suppress(UserError):  # told by `differences`
            read = Artefact(path.parent).about["of"]
            found.update(place for place, digest in read.items() if digest.startswith(BY_CONTENT))
    return found


def folder_of_start(results: Path, called_from: Path) -> Path | None:
    """Return the folder that a run was started in: the one from which most inputs are found.

    It has snakemake's notes, and may be above the results, or be where the user stands
    (`called_from`). None if it has no notes there, and none of the inputs.
    """
    inputs = inputs_of(results)
    above = [*results.absolute().parents, *results.resolve().parents]
    with_notes = [folder for folder in above if (folder / ".snakemake").is_dir()]
    n_inputs: dict[Path, int] = {}
    for folder in (*with_notes, called_from, Path.cwd()):
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
    found: dict[Path, Artefact] = {}
    for path in sorted(results.rglob(ABOUT)):
        try:
            found[path.parent] = Artefact(path.parent)
        except UserError as error:
            yield str(error)
    for each in found.values():
        for name in each.files:
            try:
                each.file(name)
            except UserError as error:
                yield str(error)
        there = (x.relative_to(each.path).as_posix() for x in each.path.rglob("*") if x.is_file())
        for name in sorted({*there} - {*each.files, ABOUT, TIMESTAMP}):
            yield f"{each.path / name}: not of the run"
    yield from _mixed_up(found, results, started_in)


def _mixed_up(
    found: Mapping[Path, Artefact], results: Path, started_in: Path | None
) -> Iterator[str]:
    """Yield a line for each artefact that was made of another version of something than is there.

    Where others were made of the version that is there, such as of a new draw after another seed,
    those that were not are stale. Where none was, that version itself is the fault.
    """
    readers: dict[str, list[tuple[Artefact, str]]] = {}
    for each in found.values():
        for place, digest in each.about["of"].items():
            if started_in is not None or not digest.startswith(BY_CONTENT):
                readers.setdefault(place, []).append((each, digest))
    here = started_in or Path()
    stale: dict[Path, str] = {}
    faults: dict[str, list[Artefact]] = {}
    for place, read in sorted(readers.items()):
        now = _version(place, read[0][1], found, (results, here))
        others = [each for each, digest in read if digest != now]
        if now is None and _may_be_gone(place, read[0][1]):
            continue
        if len(others) == len(read):
            faults[place] = others
            continue
        for each in others:
            stale.setdefault(each.path, place)
    for path, place in stale.items():
        yield f"{path}: made of another version of {place} than is there"
    for place, others in faults.items():
        blaming = [each for each in others if each.path not in stale]
        if blaming:
            is_there = any((x / place).exists() for x in (results, here))
            yield _fault(place, blaming[0], is_there)


def _version(
    place: str, digest: str, found: Mapping[Path, Artefact], folders: tuple[Path, Path]
) -> str | None:
    """Return the digest, of the kind of another one, of what is at a place; None if nothing is.

    Places are below the results, or count from where the run was started.
    """
    results, here = folders
    if digest.startswith(BY_CONTENT):
        return checksum(here / place) if (here / place).exists() else None
    if artefact := found.get(results / place):
        return artefact.digest
    there = next((x / place for x in folders if (x / place).exists()), None)
    return outside(there) if there else None


def _may_be_gone(place: str, digest: str) -> bool:
    """Whether something is not kept: parts of a dump, and files that are not the user's."""
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
