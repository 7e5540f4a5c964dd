"""What an artefact says of itself, and whether it is the one that is asked for.

A job that reads an artefact must notice when it is not what another job wrote: cut off, changed on
the disk, of another kind, of another language, or made by another version of this package. Each
therefore has a label. That of a folder is `contents.json` in it (`base/contents.py`), that of a
single parquet file stands in the file (`base/sealed.py`), that of a JSON file is some of its keys
(`base/sealed_json.py`); all have a checksum of everything, their own text included.
"""

import hashlib
import json
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cr5.base.errors import UserError

DIGITS = 12
PIECE = 1 << 20
AGAIN = "remove {path} and run again"


@dataclass(frozen=True)
class Label:
    """What stands on an artefact.

    Attributes:
        kind: of which kind it is.
        format: version of its form.
        of: what it is, such as its language or system.
        fits: by the name of something that others depend on too, such as `vocabulary of en`, a
            fingerprint of it; see `base/together.py`.
    """

    kind: str
    format: int
    of: Mapping[str, Any] = field(default_factory=dict)
    fits: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse what is no label: whoever reads one may have been given anything."""
        if not (isinstance(self.of, Mapping) and isinstance(self.fits, Mapping)):
            raise TypeError("`of` and `fits` must be objects")


@dataclass(frozen=True)
class Kind:
    """A kind of artefact.

    Attributes:
        name: in the plural, for messages.
        format: version of its form; another number for one that this code could not read.
        remedy: what to do with one at `{path}` that cannot be used.
    """

    name: str
    format: int = 1
    remedy: str = AGAIN

    def label(self, of: Mapping[str, Any], fits: Mapping[str, str]) -> Label:
        """The label of an artefact of this kind."""
        return Label(self.name, self.format, dict(of), dict(sorted(fits.items())))

    def check(self, label: Label, path: Path, of: Mapping[str, Any]) -> None:
        """Compare a label with what is asked for.

        Args:
            label: of what is there.
            path: where.
            of: what it must be; other properties may be any.

        Raises:
            UserError: it is of another kind or format, or something else.
        """
        if label.kind != self.name:
            raise self.refusal(path, f"expected {self.name}, found {label.kind}")
        if label.format != self.format:
            raise self.refusal(
                path,
                f"made by another version of cr5: expected {self.name} of format {self.format}, "
                f"found format {label.format}",
            )
        for name, value in of.items():
            if label.of.get(name) != value:
                found = label.of.get(name)
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


def fingerprint(texts: Iterable[str]) -> str:
    """A short checksum of texts in their order."""
    content = json.dumps(list(texts)).encode()
    return hashlib.sha256(content).hexdigest()[:DIGITS]


def crc32(path: str | Path, start: int = 0, end: int | None = None, value: int = 0) -> int:
    """The CRC-32 of a file, or of some of its bytes.

    It sees every error of up to 32 bits in a row, and one in 4 billion of any other goes past it.
    It is against accidents, not against forgery; it is in the standard library, and more than
    twice as quick as the quickest there that is (SHA-256).

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


def checksum(content: Any) -> str:
    """The CRC-32 of something JSON-able, in hexadecimal; keys of mappings in any order."""
    return f"{zlib.crc32(json.dumps(content, sort_keys=True).encode()):08x}"
