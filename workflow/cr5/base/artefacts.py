"""What one job hands to another: a folder, whole or not there; its about.json is written last.

    kind, subject    what it is, and of which language, setting, system, repetition or task
    place            its path below the results; empty outside a run
    step             the step that made it, as JSON
    of               what it was made from, by place: the digest of each artefact, `sha256:` and
                     digits of each file or folder of the user, size and CRC-32 of other files
    left_out         where the data allow no result, the reason
    files            size and CRC-32 of each of its files
    sum              CRC-32 of the bytes of about.json itself: the digest of the artefact

A CRC-32 guards against accidents, not against forgery. No times and no paths of a machine are in
it, so the same run makes the same bytes.
"""

import json
import logging
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cr5.base.contents import TIMESTAMP
from cr5.base.errors import UnfitError, UserError
from cr5.base.files import atomic_folder

log = logging.getLogger(__name__)
ABOUT = "about.json"
ZERO = b'"sum": "00000000"'
PIECE = 1 << 20
TEMPORARY = "parts/"  # of a dump: removed once the documents are joined


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
        for name, expected in plain(subject).items():
            value = self.about["subject"].get(name)
            if value != expected:
                raise self.refused(
                    f"expected {kind} of {name} {expected!r}, found {name} {value!r}"
                )

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

    def check_step(self, step: Mapping[str, Any]) -> None:
        """Raise `UserError` if another step made it, given as JSON."""
        if self.about.get("step") != step:
            raise self.refused(
                "made with other settings than the configuration's, or of other input files"
            )

    def refused(self, what: str, name: str = "") -> UnfitError:
        """Return an error that says what is wrong with it, or one of its files, and what to do."""
        return UnfitError(f"{self.path / name}: {what}", f"remove {self.path} and run again")


def is_made(folder: str | Path, kind: str) -> bool:
    """Whether there is an artefact of a kind."""
    try:
        return bool(Artefact(folder, kind))
    except UserError:
        return False


@dataclass(frozen=True)
class Job:
    """What makes artefacts: where, by which step, and of what; as `about.json` says it.

    Outside a run, as it is made without arguments, an artefact has no place, and is of nothing.
    """

    results: Path | None = None
    step: Mapping[str, Any] = field(default_factory=dict)  # as JSON
    of: Mapping[str, str] = field(default_factory=dict)
    say: Callable[[str], None] = log.debug  # called with lines for somebody who waits

    @classmethod
    def reading(
        cls,
        results: str | Path,
        step: Mapping[str, Any],
        inputs: Mapping[str, Any],
        say: Callable[[str], None] = log.debug,
    ) -> "Job":
        """Return the job of a run that reads these inputs.

        Inputs have the step that must have made an artefact, the checksum of a file or folder of
        the user, None for another file. UserError: one is not whole, was made otherwise, or does
        not belong to the others.
        """
        bare_job = cls(Path(results))
        artefacts = []
        files = {}  # digests by place
        for path, expected in inputs.items():
            place = bare_job.place(path)
            if isinstance(expected, str):
                files[place] = expected
            elif expected is None and not Path(path, ABOUT).is_file():
                files[place] = outside(path)
            else:
                artefact = Artefact(path)
                artefacts.append(artefact)
                if expected is not None:
                    artefact.check_step(expected)
        of = together(artefacts) | files
        return cls(bare_job.results, step, of, say)

    @property
    def is_watched(self) -> bool:
        """Whether somebody waits, and is told by `say`."""
        return self.say != log.debug

    def place(self, path: str | Path) -> str:
        """Return a path below the results, or as it is named; empty outside a run."""
        path = Path(path)
        if self.results is None:
            return ""
        if path.is_relative_to(self.results):
            path = path.relative_to(self.results)
        return path.as_posix()

    def has_made(self, artefact: Artefact) -> bool:
        """Whether an artefact is what this job would make: of the same, by the same step."""
        return artefact.about["of"] == self.of and artefact.about.get("step") == self.step

    @contextmanager
    def making(
        self,
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
            "place": self.place(folder),
            "step": self.step,
            "of": self.of,
        }
        if left_out is not None:
            about["left_out"] = left_out
        with atomic_folder(folder) as temporary:
            yield temporary
            files = [path for path in temporary.rglob("*") if path.is_file()]
            sums = {path.relative_to(temporary).as_posix(): summed(path) for path in files}
            for name in beside:
                sums[f"../{name}"] = summed(Path(folder).parent / name)
            about["files"] = sums
            (temporary / ABOUT).write_bytes(_sealed(plain(about)))


NO_JOB = Job()


def _sealed(about: Mapping[str, Any]) -> bytes:
    """Return about.json, whose sum is that of the same bytes with zeros in its place."""
    unsealed = {**about, "sum": "0" * 8}
    text = json.dumps(unsealed, indent=1, sort_keys=True, ensure_ascii=False)
    content = text.encode() + b"\n"
    seal = f'"sum": "{crc32(content)}"'
    return content.replace(ZERO, seal.encode())


def together(artefacts: Iterable[Artefact]) -> dict[str, str]:
    """Return what artefacts are and were made from, by place; UserError if two versions of one."""
    digests: dict[str, str] = {}
    first_artefacts: dict[str, Artefact] = {}  # by place, the first that names its digest
    for artefact in artefacts:
        named = dict(artefact.about["of"])
        if artefact.about["place"]:
            named[artefact.about["place"]] = artefact.digest
        for place, digest in named.items():
            if place not in digests:
                digests[place] = digest
                first_artefacts[place] = artefact
            elif digests[place] != digest:
                first = first_artefacts[place].path
                raise artefact.refused(f"it and {first} are of different versions of {place}")
    return digests


def outside(path: str | Path) -> str:
    """Return the size and CRC-32 of a file from elsewhere, or of the files of a folder."""
    path = Path(path)
    if not path.is_dir():
        size, crc = summed(path)
        return f"{size} {crc}"
    whole_size = 0
    listed = []
    for file in sorted(path.rglob("*")):
        if file.is_file() and file.name != TIMESTAMP:
            size, crc = summed(file)
            whole_size += size
            listed.append([file.relative_to(path).as_posix(), size, crc])
    return f"{whole_size} {crc32(json.dumps(listed).encode())}"


def summed(path: Path) -> list[int | str]:
    """Return the size of a file in bytes and its CRC-32."""
    size = 0
    crc = 0
    with path.open("rb") as file:
        while piece := file.read(PIECE):
            crc = zlib.crc32(piece, crc)
            size += len(piece)
    return [size, f"{crc:08x}"]


def crc32(content: bytes) -> str:
    """Return the CRC-32 of bytes, in hexadecimal."""
    return f"{zlib.crc32(content):08x}"


def plain(value: Any) -> Any:
    """Return a value as JSON gives it back: tuples are lists, keys are text."""
    return json.loads(json.dumps(value))
