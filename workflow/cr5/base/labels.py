"""Labels of artefacts, and the check that an artefact is the expected one.

A job that reads an artefact must notice if it is not what another job wrote: cut off, changed on
disk, of another kind or language, or made by another version of this package. So each has a label,
see `base/artefacts.py`.
"""

import hashlib
import json
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from cr5.base.errors import UserError
from cr5.base.refusals import pass_on

DIGITS = 12
PIECE = 1 << 20
AGAIN = "remove {path} and run again"
RENAMED = {"of": "subject", "fits": "depends_on"}  # label keys of version 0.1.0


@dataclass(frozen=True)
class Label:
    """The label of an artefact.

    Attributes:
        kind: name of its kind.
        format: version of its format.
        subject: what it is about, such as its language or system.
        depends_on: fingerprints of shared inputs by name, such as `vocabulary of en`.
        origin: what made it, see `base/origin.py`; None if one of its files says so.
    """

    kind: str
    format: int
    subject: Mapping[str, Any] = field(default_factory=dict)
    depends_on: Mapping[str, str] = field(default_factory=dict)
    origin: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        """Reject an invalid label: it may come from anywhere."""
        if not (isinstance(self.subject, Mapping) and isinstance(self.depends_on, Mapping)):
            raise TypeError("`subject` and `depends_on` must be objects")

    @classmethod
    def from_json(cls, said: Mapping[str, Any]) -> "Label":
        """Return the label written as JSON.

        Raises:
            TypeError: it is not a label.
        """
        return cls(**{RENAMED.get(key, key): value for key, value in said.items()})

    def as_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {key: value for key, value in asdict(self).items() if value is not None}


@dataclass(frozen=True)
class Kind:
    """A kind of artefact.

    Attributes:
        name: plural name, for messages.
        format: version of its format; changed if this code could not read the previous one.
        remedy: what to do about an unusable one at `{path}`.
        is_file: whether it is a single parquet file rather than a folder.
    """

    name: str
    format: int = 1
    remedy: str = AGAIN
    is_file: bool = False

    def label(
        self,
        subject: Mapping[str, Any],
        depends_on: Mapping[str, str],
        origin: Mapping[str, Any] | None = None,
    ) -> Label:
        """Return the label of an artefact of this kind."""
        depends_on = dict(sorted(depends_on.items()))
        return Label(self.name, self.format, dict(subject), depends_on, origin)

    def check(self, label: Label, path: Path, subject: Mapping[str, Any]) -> None:
        """Compare a label with the expected kind, format and subject.

        Args:
            label: the label found.
            path: where it was found.
            subject: the expected properties; others may have any value.

        Raises:
            UserError: it is of another kind, format or subject.
        """
        if label.kind != self.name:
            raise self.refusal(path, f"expected {self.name}, found {label.kind}")
        if label.format != self.format:
            raise self.refusal(
                path,
                f"made by another version of cr5: expected {self.name} of format {self.format}, "
                f"found format {label.format}",
            )
        for name, value in subject.items():
            if (found := label.subject.get(name)) != value:
                raise self.refusal(
                    path, f"expected {self.name} of {name} {value!r}, found {name} {found!r}"
                )

    def refusal(self, path: Path, what: str) -> UserError:
        """Return an error that says what is wrong with an artefact, and the remedy."""
        return UserError(f"{path}: {what}; {self.remedy.format(path=path)}")

    def unlabelled(self, path: Path, what: str) -> UserError:
        """Return an error for an artefact without a usable label."""
        return self.refusal(
            path,
            f"{what}, so that nothing says whether these are whole {self.name}: cut off, damaged "
            "or made by an earlier version of cr5",
        )


# The kinds that jobs pass on. Increase a format when this code could not read what an earlier
# version wrote.
DOCUMENTS = Kind("documents", is_file=True)
PARAGRAPHS = Kind("paragraphs", is_file=True)
CONCEPTS = Kind("concepts by page", is_file=True)
PARTS = Kind("counted parts")
BAGS = Kind("bags of words")
DRAWS = Kind("draws")
TRAINED = Kind("training documents", is_file=True)
VECTORS = Kind("word vectors", is_file=True)
ALIGNED = Kind("aligned sentences")
TEXTS = Kind("texts of a task")
TABLES = Kind("tables of a task")
MODELS = Kind("models", remedy="remove {path} and fit the model again, or get a whole copy")
RANKS = Kind("ranks")


def fingerprint(texts: Iterable[str]) -> str:
    """Return a short checksum of texts, in order."""
    content = json.dumps(list(texts)).encode()
    return hashlib.sha256(content).hexdigest()[:DIGITS]


def crc32(path: str | Path, start: int = 0, end: int | None = None, value: int = 0) -> int:
    """Return the CRC-32 of a file, or of some of its bytes.

    It detects every burst error of up to 32 bits, and all but one in 4 billion others. It guards
    against accidents, not forgery; it is in the standard library, and more than twice as fast as
    the fastest cryptographic hash there (SHA-256).

    Args:
        path: the file.
        start: offset of the first byte.
        end: offset after the last byte; None for the end of the file.
        value: CRC-32 of the preceding bytes.
    """
    with Path(path).open("rb") as file:
        file.seek(start)
        left = Path(path).stat().st_size - start if end is None else end - start
        while left > 0 and (piece := file.read(min(PIECE, left))):
            value = zlib.crc32(piece, value)
            left -= len(piece)
    return value


def described(path: Path) -> tuple[int, str]:
    """Return the size of a file in bytes and its CRC-32 in hexadecimal."""
    return path.stat().st_size, f"{crc32(path):08x}"


def difference(path: Path, size: int, crc: str) -> str | None:
    """Say how a file differs from its recorded size and CRC-32; None if it does not."""
    try:
        found, there = described(path)
    except OSError as error:
        pass_on(error)
        return f"missing or unreadable ({error.strerror})"
    if found != size:
        what = "cut off" if found < size else "changed since it was written"
        return f"{what}: expected {size} bytes, found {found}"
    if there != crc:
        return f"changed since it was written: expected checksum {crc}, found {there}"
    return None


def checksum(content: Any) -> str:
    """Return the CRC-32 of JSON-serialisable content, in hexadecimal; key order does not matter."""
    return f"{zlib.crc32(json.dumps(content, sort_keys=True).encode()):08x}"
