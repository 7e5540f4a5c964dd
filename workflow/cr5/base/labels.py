"""What an artefact says of itself, and whether it is the one that is asked for.

A job that reads an artefact must notice when it is not what another job wrote: cut off, changed on
the disk, of another kind, of another language, or made by another version of this package. Each
therefore has a label, see `base/artefacts.py`.
"""

import hashlib
import json
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from cr5.base.errors import UserError

DIGITS = 12
PIECE = 1 << 20
AGAIN = "remove {path} and run again"
RENAMED = {"of": "subject", "fits": "depends_on"}  # keys of labels that version 0.1.0 wrote


@dataclass(frozen=True)
class Label:
    """What stands on an artefact.

    Attributes:
        kind: of which kind it is.
        format: version of its form.
        subject: what it is of, such as its language or system.
        depends_on: by the name of something that others depend on too, such as
            `vocabulary of en`, a fingerprint of it.
        origin: what made it, see `base/origin.py`; None where a file of it says so.
    """

    kind: str
    format: int
    subject: Mapping[str, Any] = field(default_factory=dict)
    depends_on: Mapping[str, str] = field(default_factory=dict)
    origin: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        """Refuse an invalid label: it may come from anywhere."""
        if not (isinstance(self.subject, Mapping) and isinstance(self.depends_on, Mapping)):
            raise TypeError("`subject` and `depends_on` must be objects")

    @classmethod
    def from_json(cls, said: Mapping[str, Any]) -> "Label":
        """Return the label that was written as JSON.

        Raises:
            TypeError: it is none.
        """
        return cls(**{RENAMED.get(key, key): value for key, value in said.items()})

    def as_json(self) -> dict[str, Any]:
        """Return the form that is written."""
        return {key: value for key, value in asdict(self).items() if value is not None}


@dataclass(frozen=True)
class Kind:
    """A kind of artefact.

    Attributes:
        name: in the plural, for messages.
        format: version of its form; another number for one that this code could not read.
        remedy: what to do with one at `{path}` that cannot be used.
        is_file: whether it is a single parquet file; else it is a folder.
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
        """The label of an artefact of this kind."""
        depends_on = dict(sorted(depends_on.items()))
        return Label(self.name, self.format, dict(subject), depends_on, origin)

    def check(self, label: Label, path: Path, subject: Mapping[str, Any]) -> None:
        """Compare a label with what is asked for.

        Args:
            label: of what is there.
            path: where.
            subject: what it must be of; other properties may be any.

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
        """Say what is wrong with an artefact, and what to do."""
        return UserError(f"{path}: {what}; {self.remedy.format(path=path)}")

    def unlabelled(self, path: Path, what: str) -> UserError:
        """Say that an artefact does not say what it is."""
        return self.refusal(
            path,
            f"{what}, so that nothing says whether these are whole {self.name}: cut off, damaged "
            "or made by an earlier version of cr5",
        )


# The kinds that jobs hand on. Count a format up when this code could not read what an earlier
# one wrote.
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
    """A short checksum of texts in their order."""
    content = json.dumps(list(texts)).encode()
    return hashlib.sha256(content).hexdigest()[:DIGITS]


def crc32(path: str | Path, start: int = 0, end: int | None = None, value: int = 0) -> int:
    """The CRC-32 of a file, or of some of its bytes.

    It detects every error of up to 32 bits in a row, and all but one in 4 billion others. It
    guards against accidents, not forgery; it is in the standard library, and more than twice as
    fast as the fastest cryptographic hash there (SHA-256).

    Args:
        path: of the file.
        start: the first byte.
        end: behind the last one; None for the end of the file.
        value: of what comes before.
    """
    with Path(path).open("rb") as file:
        file.seek(start)
        left = Path(path).stat().st_size - start if end is None else end - start
        while left > 0 and (piece := file.read(min(PIECE, left))):
            value = zlib.crc32(piece, value)
            left -= len(piece)
    return value


def described(path: Path) -> tuple[int, str]:
    """The size of a file in bytes, and its CRC-32 in hexadecimal."""
    return path.stat().st_size, f"{crc32(path):08x}"


def difference(path: Path, size: int, crc: str) -> str | None:
    """Say how a file differs from what `described` said of it; None if it does not.

    Raises:
        OSError: it is missing or cannot be read.
    """
    if (found := path.stat().st_size) != size:
        what = "cut off" if found < size else "changed since it was written"
        return f"{what}: expected {size} bytes, found {found}"
    if (there := f"{crc32(path):08x}") != crc:
        return f"changed since it was written: expected checksum {crc}, found {there}"
    return None


def checksum(content: Any) -> str:
    """The CRC-32 of something JSON-able, in hexadecimal; keys of mappings in any order."""
    return f"{zlib.crc32(json.dumps(content, sort_keys=True).encode()):08x}"
