"""Single parquet files that jobs pass on, with a label and a checksum inside the file.

Parquet is read from its end: the footer has the positions of all columns. Anything may stand
between the last column and the footer, and no reader looks there. There we put

    {"kind": ..., "format": ..., "subject": ..., "depends_on": ...}     see `base/labels.py`
    cr5 00000123 0f1e2d3c                                 bytes of the line above, CRC-32

The checksum covers the whole file except its own eight digits. Parquet's own cover pages only: a
flipped bit in the footer can turn the same pages into other rows, columns or types.
"""

import json
import re
from pathlib import Path

from cr5.base.labels import Kind, Label, crc32
from cr5.base.refusals import DAMAGED, pass_on

END = 8  # bytes after the footer: its length, and PAR1
SEAL = re.compile(rb"\ncr5 (\d{8}) ([0-9a-f]{8})\n")
LENGTH = len(b"\ncr5 00000000 00000000\n")
DIGITS = 8


def seal(path: Path, label: Label) -> None:
    """Put a label and a checksum into a parquet file that has none."""
    at = _footer(path)
    said = b"\n" + json.dumps(label.as_json(), ensure_ascii=False).encode()
    with path.open("r+b") as file:
        file.seek(at)
        footer = file.read()
        file.seek(at)
        file.write(said + b"\ncr5 %08d " % (len(said) - 1))
        place = file.tell()
        file.write(b"0" * DIGITS + b"\n" + footer)
    found = _checksum(path, place)
    with path.open("r+b") as file:
        file.seek(place)
        file.write(b"%08x" % found)


def checked(path: Path, kind: Kind) -> Label:
    """Read the label and compare the whole file with its checksum.

    Raises:
        UserError: it is missing, incomplete or changed.
    """
    label, place, written = _read(path, kind)
    if (found := _checksum(path, place)) != written:
        raise kind.refusal(
            path,
            f"changed since it was written: expected checksum {written:08x}, found {found:08x}",
        )
    return label


def label(path: Path, kind: Kind) -> Label:
    """Read the label without checking the rest of the file.

    Raises:
        UserError: it has none.
    """
    return _read(path, kind)[0]


def _read(path: Path, kind: Kind) -> tuple[Label, int, int]:
    """Return the label, the position of the checksum's digits, and the checksum."""
    try:
        at = _footer(path)
        with path.open("rb") as file:
            file.seek(at - LENGTH)
            found = SEAL.fullmatch(file.read(LENGTH))
            size = int(found[1])
            file.seek(at - LENGTH - size)
            said = json.loads(file.read(size))
        return Label.from_json(said), at - DIGITS - 1, int(found[2], 16)
    except FileNotFoundError as error:
        raise kind.refusal(path, f"no such file; expected {kind.name}") from error
    except DAMAGED as error:
        pass_on(error)
        raise kind.unlabelled(path, "it has no label, or not a whole one") from error


def _footer(path: Path) -> int:
    """Return where the footer begins."""
    size = path.stat().st_size
    with path.open("rb") as file:
        file.seek(size - END)
        end = file.read()
    at = size - END - int.from_bytes(end[:4], "little")
    if not end.endswith(b"PAR1") or at < 0:
        raise ValueError("not the end of a parquet file")
    return at


def _checksum(path: Path, place: int) -> int:
    """Return the CRC-32 of all bytes except the checksum's own digits."""
    return crc32(path, place + DIGITS, value=crc32(path, 0, place))
