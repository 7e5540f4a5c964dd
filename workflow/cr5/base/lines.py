"""Lines of the user's text files, each with where it stands."""

from collections.abc import Iterator
from pathlib import Path

from cr5.base.compressed import open_stream
from cr5.base.errors import UserError

BOM = "\ufeff"


def lines(path: str | Path) -> Iterator[tuple[str, str]]:
    """Read the lines of a file that are not blank; gzip, xz and bzip2 are decompressed.

    Yields:
        (line without its end, file and line for messages).

    Raises:
        UserError: with file and line: no such file, an empty one, or one that is not UTF-8.
    """
    with open_stream(path) as file:
        for number, line in enumerate(file, start=1):
            where = f"{path}, line {number}"
            text = _decoded(line, where)
            if text.strip():
                yield text, where


def _decoded(line: bytes, where: str) -> str:
    try:
        return line.decode().removeprefix(BOM).rstrip("\r\n")
    except UnicodeDecodeError as error:
        raise UserError(f"{where}: this is not UTF-8 ({error}); convert the file") from error
