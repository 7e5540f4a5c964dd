"""Lines of text files, each with its place for messages."""

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import BinaryIO

from cr5.base.compressed import open_stream
from cr5.base.errors import UserError

BOM = b"\xef\xbb\xbf"
LONGEST = 1 << 26  # bytes of a line: a file without line ends would be held in memory whole


def read_lines(path: str | Path, codec: str = "utf-8") -> Iterator[tuple[str, str]]:
    """Read a file, plain or compressed.

    Args:
        path: of the file.
        codec: `utf-8` or `latin-1`, which any bytes are.

    Yields:
        (`path, line n`, text without its line end) of each line.

    Raises:
        UserError: with file and line: it cannot be read, or is not in this encoding.
    """
    with open_stream(path) as file:
        yield from decoded(bounded(file, str(path)), str(path), codec)


def bounded(file: BinaryIO, name: str) -> Iterator[bytes]:
    """Read lines with their ends; a byte order mark before the first one is dropped.

    Args:
        file: a binary file.
        name: its name, for messages.

    Raises:
        UserError: with file and line: one is longer than `LONGEST`; the file is in UTF-16; or
            its lines end in carriage returns, as on old Macs, so that it would be one line.
    """
    for number, line in enumerate(iter(partial(file.readline, LONGEST + 1), b""), start=1):
        if len(line) > LONGEST:
            raise UserError(
                f"{name}, line {number}: the line has more than {LONGEST} bytes; is it a text "
                "file with line ends? Remove the line, or cut it into several"
            )
        if number == 1:
            line = line.removeprefix(BOM)
            _check_first(line, f"{name}, line 1")
        yield line


def _check_first(line: bytes, where: str) -> None:
    if b"\0" in line:
        raise UserError(f"{where}: it has a NUL byte, as UTF-16 has; convert the file to UTF-8")
    if not line.endswith(b"\n") and b"\r" in line.rstrip(b"\r"):
        raise UserError(
            f"{where}: the lines end with a carriage return alone; convert them to line feeds"
        )


def without_nul(text: str, where: str) -> str:
    """Return the text of a line.

    Raises:
        UserError: with the place: it has a NUL byte, which no word has.
    """
    if "\0" in text:
        raise UserError(f"{where}: it has a NUL byte; get a whole copy of the file, or correct it")
    return text


def decoded(lines: Iterable[bytes], name: str, codec: str = "utf-8") -> Iterator[tuple[str, str]]:
    """Yield the same as `read_lines`, from lines already read from a file of this name.

    Concatenated files may have byte order marks inside; they are dropped from any line's start.
    """
    for number, line in enumerate(lines, start=1):
        where = f"{name}, line {number}"
        yield where, decode(line.removeprefix(BOM), where, codec).rstrip("\r\n")


def decode(data: bytes, where: str, codec: str = "utf-8") -> str:
    """Return bytes as text; UserError with the place if they are not in this encoding."""
    try:
        return data.decode(codec)
    except UnicodeDecodeError as error:
        raise UserError(f"{where}: this is not UTF-8 ({error}); convert the file") from error
