"""What one job hands to another: a folder, whole or not there; its about.json is written last.

    kind, subject    what it is, and of which language, setting, system, repetition or task
    place            its path below the results; empty outside a run
    made_with        the settings of its own step
    of               what it was made from, by place: the digest of each artefact, `sha256:` and
                     digits of each file or folder of the user, size and CRC-32 of other files
    left_out         where the data allow no result, the reason
    files            size and CRC-32 of each of its files
    sum              CRC-32 of the bytes of about.json itself: the digest of the artefact

A CRC-32 guards against accidents, not against forgery. No times and no paths of a machine are in
it, so the same run makes the same bytes.
"""

import json
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cr5.base.contents import KIND as BY_CONTENT
from cr5.base.contents import TIMESTAMP, checksum
from cr5.base.errors import UnfitError, UserError
from cr5.base.files import atomic_folder

ABOUT = "about.json"
ZERO = b'"sum": "00000000"'
PIECE = 1 << 20
TEMPORARY = "parts/"  # of a dump: removed once the documents are joined


@dataclass(frozen=True)
class Work:
    """What this process is at: where, and `made_with` and `of` as in `about.json`."""

    results: Path | None = None  # outside a run
    made_with: Mapping[str, Any] = field(default_factory=dict)
    of: Mapping[str, str] = field(default_factory=dict)

    def place(self, path: str | Path) -> str:
        """Return a path below the results, or as it is named; empty outside a run."""
        path = Path(path)
        if self.results and path.is_relative_to(self.results):
            path = path.relative_to(self.results)
        return path.as_posix() if self.results else ""


_work = Work()


class Artefact:
    """An artefact that is opened for reading, of this kind and subject (`language="en"`)."""

    def __init__(self, folder: str | Path, kind: str | None = None, /, **subject: Any):
        self.path = Path(folder)
        try:
            content = (self.path / ABOUT).read_bytes()
            self.about = json.loads(content)
            if content != _sealed(self.about):
                raise ValueError("its checksum is not that of its content")
        except (FileNotFoundError, NotADirectoryError):
            raise self.refused(f"not there, or not whole; expected {kind or ABOUT}") from None
        except (ValueError, TypeError) as error:
            raise self.refused(f"damaged ({error})", ABOUT) from None
        if kind not in (None, self.about["kind"]):
            raise self.refused(f"expected {kind}, found {self.about['kind']}")
        for name, value in plain(subject).items():
            if (found := self.about["subject"].get(name)) != value:
                raise self.refused(f"expected {kind} of {name} {value!r}, found {name} {found!r}")

    @property
    def digest(self) -> str:
        """Of what it is and was made from, and of all its files."""
        return self.about["sum"]

    @property
    def files(self) -> list[str]:
        """The names of its files, sorted; `/` separates those of folders within it."""
        return sorted(self.about["files"])

    @property
    def left_out(self) -> str | None:
        """Why the data allow no result; None if there is one."""
        return self.about.get("left_out")

    def file(self, name: str) -> Path:
        """Return the path of a file, after checking that it is as it was written."""
        path = self.path / name
        if not path.is_file() or summed(path) != self.about["files"].get(name):
            raise self.refused("not what was written", name)
        return path

    def json(self, name: str) -> Any:
        """Return the content of a file of JSON."""
        return json.loads(self.file(name).read_text(encoding="utf-8"))

    def whole(self) -> Path:
        """Return the folder, after checking all of its files."""
        for name in self.files:
            self.file(name)
        return self.path

    def check_made_with(self, made_with: Any) -> None:
        """Raise `UserError` if it was made with other settings."""
        if self.about["made_with"] != plain(made_with):
            raise self.refused(
                "made with other settings than the configuration's, or of other input files"
            )

    @property
    def is_up_to_date(self) -> bool:
        """Whether it is what this process would make: of the same, with the same settings."""
        return (self.about["of"], self.about["made_with"]) == (_work.of, plain(_work.made_with))

    def refused(self, what: str, name: str = "") -> UnfitError:
        """Return an error that says what is wrong with it, or one of its files, and what to do."""
        return UnfitError(f"{self.path / name}: {what}", f"remove {self.path} and run again")


def is_made(folder: str | Path, kind: str) -> bool:
    """Whether there is an artefact of a kind."""
    try:
        return bool(Artefact(folder, kind))
    except UserError:
        return False


@contextmanager
def making(
    folder: str | Path,
    kind: str,
    left_out: str | None = None,
    /,
    beside: Iterable[str] = (),
    **subject: Any,
) -> Iterator[Path]:
    """Yield a temporary folder; on success, write its about.json and move it to its place.

    Files `beside` the folder belong to it, too, and are there at the end.
    """
    about = {
        "kind": kind,
        "subject": subject,
        "place": _work.place(folder),
        "made_with": _work.made_with,
        "of": _work.of,
    }
    if left_out is not None:
        about["left_out"] = left_out
    with atomic_folder(folder) as part:
        yield part
        files = (path for path in part.rglob("*") if path.is_file())
        about["files"] = {path.relative_to(part).as_posix(): summed(path) for path in files}
        about["files"] |= {f"../{name}": summed(Path(folder).parent / name) for name in beside}
        (part / ABOUT).write_bytes(_sealed(plain(about)))


def _sealed(about: Mapping[str, Any]) -> bytes:
    """The content of about.json, whose sum is that of the same bytes with zeros in its place."""
    about = {**about, "sum": "0" * 8}
    content = json.dumps(about, indent=1, sort_keys=True, ensure_ascii=False).encode() + b"\n"
    return content.replace(ZERO, b'"sum": "%s"' % crc32(content).encode())


def together(artefacts: Iterable[Artefact]) -> dict[str, str]:
    """Return what artefacts are and were made from, by place; UserError if two versions of one."""
    found: dict[str, tuple[str, Artefact]] = {}
    for each in artefacts:
        own = {each.about["place"]: each.digest} if each.about["place"] else {}
        for place, digest in {**each.about["of"], **own}.items():
            known, first = found.setdefault(place, (digest, each))
            if known != digest:
                raise each.refused(f"it and {first.path} are of different versions of {place}")
    return {place: digest for place, (digest, _) in found.items()}


@contextmanager
def working(
    results: str | Path, made_with: Mapping[str, Any], inputs: Mapping[str, Any]
) -> Iterator[None]:
    """Let this process be a job: what it makes says what it was made with and of.

    Inputs have the settings that an artefact must have been made with, the checksum of a file or
    folder of the user, None for another file. UserError: one is not whole, was made otherwise, or
    does not belong to the others.
    """
    global _work
    before, here = _work, Work(Path(results))
    artefacts, others = [], {}
    for path, expected in inputs.items():
        if isinstance(expected, str):
            others[here.place(path)] = expected
        elif expected is None and not Path(path, ABOUT).is_file():
            others[here.place(path)] = outside(path)
        else:
            artefacts.append(Artefact(path))
            if expected is not None:
                artefacts[-1].check_made_with(expected)
    _work = Work(here.results, made_with, {**together(artefacts), **others})
    try:
        yield
    finally:
        _work = before


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


def outside(path: str | Path) -> str:
    """Return the size and CRC-32 of a file from elsewhere, or of the files of a folder."""
    path = Path(path)
    if not path.is_dir():
        return "{} {}".format(*summed(path))
    files = sorted(x for x in path.rglob("*") if x.is_file() and x.name != TIMESTAMP)
    listed = [[x.relative_to(path).as_posix(), *summed(x)] for x in files]
    return f"{sum(size for _, size, _ in listed)} {crc32(json.dumps(listed).encode())}"


def summed(path: Path) -> list[int | str]:
    """Return the size of a file in bytes and its CRC-32."""
    size = value = 0
    with path.open("rb") as file:
        while piece := file.read(PIECE):
            value = zlib.crc32(piece, value)
            size += len(piece)
    return [size, f"{value:08x}"]


def crc32(content: bytes) -> str:
    """Return the CRC-32 of bytes, in hexadecimal."""
    return f"{zlib.crc32(content):08x}"


def plain(value: Any) -> Any:
    """Return a value as JSON gives it back: tuples are lists, keys are text."""
    return json.loads(json.dumps(value))
