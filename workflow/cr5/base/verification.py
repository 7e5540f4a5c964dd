"""A finished run is compared with what its jobs wrote and read."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from cr5.base.artefacts import ABOUT, TEMPORARY, Artefact, outside
from cr5.base.contents import KIND as BY_CONTENT
from cr5.base.contents import TIMESTAMP, checksum
from cr5.base.errors import UserError


def differences(results: str | Path) -> Iterator[str]:
    """Yield a line for each damaged, added, missing or mixed-up part of a folder of results."""
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
    yield from _mixed_up(found, results)


def _mixed_up(found: Mapping[Path, Artefact], results: Path) -> Iterator[str]:
    """Yield a line for each artefact that was made of another version of something than is there.

    Where others were made of the version that is there, such as of a new draw after another seed,
    those that were not are stale. Where none was, that version itself is the fault.
    """
    readers: dict[str, list[tuple[Artefact, str]]] = {}
    for each in found.values():
        for place, digest in each.about["of"].items():
            readers.setdefault(place, []).append((each, digest))
    stale: dict[Path, str] = {}
    faults: dict[str, list[Artefact]] = {}
    for place, read in sorted(readers.items()):
        now = _version(place, read[0][1], found, results)
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
            yield _fault(place, blaming[0])


def _version(place: str, digest: str, found: Mapping[Path, Artefact], results: Path) -> str | None:
    """Return the digest, of the kind of another one, of what is at a place; None if nothing is."""
    if digest.startswith(BY_CONTENT):
        return checksum(place) if Path(place).exists() else None
    if artefact := found.get(results / place):
        return artefact.digest
    there = next((x for x in (results / place, Path(place)) if x.exists()), None)
    return outside(there) if there else None


def _may_be_gone(place: str, digest: str) -> bool:
    """Whether something is not kept: parts of a dump, and files that are not the user's."""
    is_artefact = " " not in digest
    return place.startswith(TEMPORARY) or not (is_artefact or digest.startswith(BY_CONTENT))


def _fault(place: str, reader: Artefact) -> str:
    """Say that something is not what all that was made of it has read."""
    if not reader.about["of"][place].startswith(BY_CONTENT):
        return f"{place}: missing, or another one than {reader.path} read"
    if Path(place).exists():
        return f"{place}: another content than {reader.path} was made from; run again"
    return f"{place}: gone, though {reader.path} was made from it; bring it back"
