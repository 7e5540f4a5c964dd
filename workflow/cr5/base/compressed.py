"""Files as streams of bytes; their content decides how to decompress: bzip2, gzip, xz or plain.

Python's own openers stop silently at damage after the first of several concatenated streams; here
every byte is accounted for, or an error says how far the file was good.
"""

import bz2
import io
import lzma
import os
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from cr5.base.errors import UserError
from cr5.base.refusals import pass_on

READ = 1 << 18  # compressed bytes at a time
BUFFER = 1 << 20  # decompressed bytes held
LONGEST_MAGIC = 6


class TruncatedError(UserError):
    """A file ends, or becomes unreadable, before its contents are complete."""


class _Gunzip:
    """zlib with the interface of the two other decompressors."""

    def __init__(self) -> None:
        self._zlib = zlib.decompressobj(wbits=31)

    def decompress(self, data: bytes, max_length: int) -> bytes:
        return self._zlib.decompress(self._zlib.unconsumed_tail + data, max_length)

    @property
    def eof(self) -> bool:
        return self._zlib.eof

    @property
    def needs_input(self) -> bool:
        return not self._zlib.unconsumed_tail

    @property
    def unused_data(self) -> bytes:
        return self._zlib.unused_data


DECOMPRESSORS: dict[bytes, Callable] = {
    b"BZh": bz2.BZ2Decompressor,
    b"\x1f\x8b": _Gunzip,
    b"\xfd7zXZ\0": lzma.LZMADecompressor,
}
UNKNOWN = {b"\x28\xb5\x2f\xfd": "zstd", b"PK\x03\x04": "zip", b"7z\xbc\xaf\x27\x1c": "7z"}
BROKEN = (OSError, EOFError, lzma.LZMAError, zlib.error)


def open_stream(path: str | Path) -> BinaryIO:
    """Open a file for reading; its first bytes, not its name, tell how it is compressed.

    Concatenated compressed streams (multistream dumps) are read as one.

    Args:
        path: a file in bzip2, gzip or xz, or uncompressed.

    Returns:
        A binary file with a buffer of 1 MiB. Reading it raises `TruncatedError` if the compressed
        data are cut off or damaged.

    Raises:
        UserError: the file is missing, empty, no regular file, or compressed in another way.
    """
    path = Path(path)
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise UserError(f"{path}: a pipe or a device, expected a file: write it to one")
    try:
        file = path.open("rb")
    except OSError as error:
        pass_on(error)
        raise UserError(f"{path}: cannot open ({error.strerror}); fetch it first") from error
    magic = file.read(LONGEST_MAGIC)
    file.seek(0)
    try:
        source = _source(file, magic, path)
    except UserError:
        file.close()
        raise
    return io.BufferedReader(_Decompressed(file, path, source), BUFFER) if source else file


def renewal(path: str | Path) -> str:
    """Say how to get a complete file: a run fetches a file again only if it is gone.

    Args:
        path: the file, or a link to one in a folder that stands in for a server.
    """
    if (path := Path(path)).is_symlink():
        return f"put a whole copy in the place of {path.resolve()}, then delete the link {path}"
    return f"get a whole copy; if a run fetched it, delete {path}, and the next run does so again"


def share_read(stream: BinaryIO) -> float:
    """Return how much of the file behind a stream of `open_stream` has been read, 0 to 1."""
    file = stream.raw.file if isinstance(stream.raw, _Decompressed) else stream
    return file.tell() / max(1, os.fstat(file.fileno()).st_size)


def _source(file: BinaryIO, magic: bytes, path: Path) -> "_Streams | None":
    """Return what decompresses a file; None if nothing has to."""
    if not magic:
        raise UserError(f"{path}: the file is empty: {renewal(path)}")
    for start, name in UNKNOWN.items():
        if magic.startswith(start):
            raise UserError(
                f"{path}: compressed with {name}; expected bzip2, gzip, xz or plain: recompress it"
            )
    new = next((new for start, new in DECOMPRESSORS.items() if magic.startswith(start)), None)
    return _Streams(file, new) if new else None


class _Decompressed(io.RawIOBase):
    """The decompressed bytes of a file, errors explained."""

    def __init__(self, file: BinaryIO, path: Path, source: "_Streams") -> None:
        self.file, self._path, self._source = file, path, source
        self._given = 0  # decompressed bytes

    def readable(self) -> bool:
        return True

    def readinto(self, buffer) -> int:
        try:
            data = self._source.read(len(buffer))
        except BROKEN as error:
            pass_on(error)
            raise TruncatedError(
                f"{self._path}: cannot decompress beyond byte {self.file.tell()} of "
                f"{self._path.stat().st_size}, or {self._given} decompressed bytes ({error}); "
                f"the file is truncated or damaged: {renewal(self._path)}"
            ) from error
        buffer[: len(data)] = data
        self._given += len(data)
        return len(data)

    def close(self) -> None:
        self.file.close()
        super().close()


class _Streams:
    """The decompressed bytes of a file with one or more streams of one format."""

    def __init__(self, file: BinaryIO, new: Callable) -> None:
        self._file, self._new = file, new
        self._stream = new()
        self._waiting = b""  # read, but not yet passed to the decompressor

    def read(self, most: int) -> bytes:
        """Return up to `most` of the next bytes; none at the end."""
        data = b""
        while not data and (not self._stream.eof or self._next_stream()):
            data = self._decompress(most)
        return data

    def _decompress(self, most: int) -> bytes:
        compressed = b""
        if self._stream.needs_input:
            compressed = self._waiting or self._file.read(READ)
            self._waiting = b""
            if not compressed:
                raise EOFError("it ends in the middle")
        return self._stream.decompress(compressed, most)

    def _next_stream(self) -> bool:
        """Begin the next stream; return False at the end of the file, which zeros may pad."""
        waiting = self._stream.unused_data.lstrip(b"\0")
        while not waiting:
            data = self._file.read(READ)
            if not data:
                return False
            waiting = data.lstrip(b"\0")
        self._waiting = waiting
        self._stream = self._new()
        return True
