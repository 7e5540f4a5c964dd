"""Pinned files: a table of exactly which files a corpus is made from."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, fields
from pathlib import Path

from cr5.base.errors import UserError
from cr5.base.files import atomic_file
from cr5.base.refusals import pass_on

TEXT, PAGE_PROPS = "text", "page_props"  # roles
DIGITS = {"sha256": 64, "sha1": 40, "md5": 32, "": 0}  # of a checksum in hexadecimal
FORMS = {
    "wiki": (r"\w+", "a wiki such as dawiki"),
    "date": ("[0-9]{4}-[0-9]{2}-[0-9]{2}", "a date such as 2026-01-01"),
    "role": (f"{TEXT}|{PAGE_PROPS}", "role text or page_props"),
    "bytes": ("[0-9]{0,18}", "a number of bytes or nothing"),
    "checksum": ("[0-9a-f]*", "lower-case hexadecimal digits"),
}
ADVICE = "restore the table, or remove it, and the next run looks for files anew"


@dataclass(frozen=True)
class Pin:
    """One published file.

    Attributes:
        wiki: as in the dumps, such as dawiki.
        date: of the dump, YYYY-MM-DD.
        role: `text` or `page_props`.
        name: of the file, without folders.
        url: its address, or the path of a local file.
        bytes: its size, None if not published.
        checksum_kind: `sha256`, `sha1`, `md5`, or empty if none was published.
        checksum: in hexadecimal.
    """

    wiki: str
    date: str
    role: str
    name: str
    url: str
    bytes: int | None = None
    checksum_kind: str = ""
    checksum: str = ""


COLUMNS = tuple(field.name for field in fields(Pin))


def write_pins(path: str | Path, pins: Iterable[Pin]) -> None:
    """Write a table, tab-separated, in the order given."""
    rows = [[getattr(pin, column) for column in COLUMNS] for pin in pins]
    lines = ["\t".join("" if x is None else str(x) for x in row) for row in (COLUMNS, *rows)]
    with atomic_file(path) as temporary:
        temporary.write_text("\n".join([*lines, ""]), encoding="utf-8", newline="")


def read_pins(path: str | Path) -> list[Pin]:
    """Read what `write_pins` wrote.

    Raises:
        UserError: with file and line: no such file, other columns, an invalid value.
    """
    try:
        lines = Path(path).read_text(encoding="utf-8").removesuffix("\n").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        pass_on(error)
        raise UserError(f"{path}: cannot read the table of pinned files ({error})") from error
    if tuple(lines[0].split("\t")) != COLUMNS:
        raise UserError(
            f"{path}, line 1: expected the columns {', '.join(COLUMNS)}, separated by tabs, "
            f"got {lines[0][:200] or 'an empty line'!r}; {ADVICE}"
        )
    pins: dict[tuple[str, str], Pin] = {}
    for number, line in enumerate(lines[1:], start=2):
        pin = _pin(line.split("\t"), f"{path}, line {number}")
        if pins.setdefault((pin.wiki, pin.name), pin) is not pin:
            raise UserError(f"{path}, line {number}: {pin.name} is there already; {ADVICE}")
    return list(pins.values())


def is_file_name(name: str) -> bool:
    """Whether a text is a plain file name, which cannot lead out of a folder."""
    return Path(name).name == name not in ("", "..") and name.isprintable()


def _pin(values: list[str], where: str) -> Pin:
    if len(values) != len(COLUMNS):
        raise UserError(
            f"{where}: expected {len(COLUMNS)} values, separated by tabs, "
            f"got {len(values)}; {ADVICE}"
        )
    row = dict(zip(COLUMNS, values, strict=True))
    for column, (form, meaning) in FORMS.items():
        if not re.fullmatch(form, row[column]):
            raise UserError(f"{where}: expected {meaning}, got {row[column]!r}; {ADVICE}")
    kind, checksum = row["checksum_kind"], row["checksum"]
    if DIGITS.get(kind) != len(checksum):
        raise UserError(
            f"{where}: expected sha256, sha1 or md5 with 64, 40 or 32 digits, or neither, got "
            f"{kind!r} with {checksum!r}; {ADVICE}"
        )
    if not is_file_name(row["name"]):
        raise UserError(f"{where}: expected a file's name, got {row['name']!r}; {ADVICE}")
    size = row.pop("bytes")
    return Pin(**row, bytes=int(size) if size else None)
