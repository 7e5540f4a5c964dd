"""Lines of text files, each with where it stands, for messages."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from cr5.base.compressed import open_stream
from cr5.base.errors import UserError

BOM = "\ufeff"


def read_lines(path: str | Path) -> Iterator[tuple[str, str]]:
    """Read a file, plain or compressed.

    Yields:
        (`path, line n`, text without its end) of each line.

    Raises:
        UserError: with file and line: it cannot be read, or is not UTF-8.
    """
    with open_stream(path) as file:
        yield from decoded(file, str(path))


def decoded(lines: Iterable[bytes], name: str) -> Iterator[tuple[str, str]]:
    """Give what `read_lines` gives of lines that are read already, from a file of this name."""
    for number, line in enumerate(lines, start=1):
        where = f"{name}, line {number}"
        try:
            text = line.decode()
        except UnicodeDecodeError as error:
            raise UserError(f"{where}: this is not UTF-8 ({error}); convert the file") from error
        yield where, text.removeprefix(BOM).rstrip("\r\n")
