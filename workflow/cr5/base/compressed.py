"""Files of bzip2 or xz, of which not a byte is passed over; of zstd; and archives of zip.

Python's own readers of the first two end where what follows a whole stream is no stream, without a
word: a file that was joined wrongly, or is damaged, would lose its end.
"""

import bz2
import io
import lzma
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fnmatch import fnmatchcase
from pathlib import Path
from typing import BinaryIO
from zipfile import BadZipFile, ZipFile, ZipInfo

from cr5.base.errors import UserError

PIECE = 1 << 18  # of compressed bytes that are read at a time
PADDING = b"\0"  # that may stand between streams of xz
# What a file of text may unpack to: deflate makes up to 1,032 times of zeros, of text some ten.
LARGE = 1 << 30  # bytes, from which on the ratio counts
HIGHEST_RATIO = 200
OF_MACS = "__MACOSX/"  # a folder with notes on the files beside it
IS_ENCRYPTED = 1  # a bit of a member's flags

Decompressor = bz2.BZ2Decompressor | lzma.LZMADecompressor


class _Forwards(io.RawIOBase):
    """A content that is read forwards, and again from its beginning only.

    Those below it `_begin`, and return `_content` of at most some size, nothing at its end.
    """

    _position = 0  # in bytes of the content

    def readable(self) -> bool:
        """Return True."""
        return True

    def seekable(self) -> bool:
        """Return True, though it goes back to the beginning only."""
        return True

    def tell(self) -> int:
        """Return how many bytes of the content were read."""
        return self._position

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Go back to the beginning."""
        if (offset, whence) != (0, io.SEEK_SET):
            raise io.UnsupportedOperation("only to the beginning")
        self._begin()
        self._position = 0
        return 0

    def readinto(self, buffer: memoryview) -> int:
        """Read some of the content; 0 at its end. EOFError if it is cut off."""
        content = self._content(len(buffer))
        buffer[: len(content)] = content
        self._position += len(content)
        return len(content)


class Streams(_Forwards):
    """The content of compressed streams, one after the other."""

    def __init__(self, path: str | Path, new_decompressor: Callable[[], Decompressor]):
        self._file = Path(path).open("rb")  # noqa: SIM115 - it is closed with this stream
        self._new_decompressor = new_decompressor
        self._begin()

    def _begin(self) -> None:
        self._file.seek(0)
        self._decompressor = self._new_decompressor()
        self._unread = b""  # compressed bytes of the next stream

    def close(self) -> None:
        """Close the file."""
        self._file.close()
        super().close()

    def _content(self, size: int) -> bytes:
        content = b""
        while not content:
            if self._decompressor.eof and not self._go_on():
                break
            content = self._decompressed(size)
        return content

    def _go_on(self) -> bool:
        """Begin the next stream; False if there is none."""
        unread = self._decompressor.unused_data.lstrip(PADDING)
        while not unread:
            piece = self._file.read(PIECE)
            if not piece:
                return False
            unread = piece.lstrip(PADDING)
        self._unread = unread
        self._decompressor = self._new_decompressor()
        return True

    def _decompressed(self, size: int) -> bytes:
        """Return at most so much of the content; perhaps nothing yet."""
        if not self._decompressor.needs_input:
            return self._decompressor.decompress(b"", size)
        piece = self._unread or self._file.read(PIECE)
        self._unread = b""
        if not piece:
            raise EOFError("it ends within a compressed stream")
        return self._decompressor.decompress(piece, size)


def open_bz2(path: str | Path, mode: str = "rb") -> BinaryIO:
    """Open a file of bzip2 to read."""
    return io.BufferedReader(Streams(path, bz2.BZ2Decompressor), PIECE)


def open_xz(path: str | Path, mode: str = "rb") -> BinaryIO:
    """Open a file of xz to read."""
    return io.BufferedReader(Streams(path, lzma.LZMADecompressor), PIECE)


class ZstdStream(_Forwards):
    """The content of a file of zstd, as pyarrow reads it."""

    def __init__(self, path: str | Path):
        self._path = str(path)
        self._begin()

    def _begin(self) -> None:
        import pyarrow as pa

        self._stream = pa.CompressedInputStream(pa.OSFile(self._path), "zstd")

    def close(self) -> None:
        """Close the file."""
        self._stream.close()
        super().close()

    def _content(self, size: int) -> bytes:
        try:
            return self._stream.read(size)
        except OSError as error:
            if "Truncated" in str(error):
                raise EOFError("it ends within a compressed stream") from error
            raise


def open_zstd(path: str | Path, mode: str = "rb") -> BinaryIO:
    """Open a file of zstd to read."""
    return io.BufferedReader(ZstdStream(path), PIECE)


@contextmanager
def open_zip(path: str | Path, mode: str = "rb", name: str = "*") -> Iterator[BinaryIO]:
    """Open the only file in a zip archive to read, or the only one of a name.

    The name is in full or its end after a slash, perhaps with wildcards. UserError: there is none
    or there are several, it is encrypted, damaged, or would unpack to far more than text does.
    """
    try:
        with ZipFile(path) as archive, archive.open(_member(archive, path, name)) as stream:
            yield io.BufferedReader(stream, PIECE)
    except (BadZipFile, NotImplementedError) as error:
        message = f"{path}: this zip archive cannot be read ({error}); unpack it, or get it again"
        raise UserError(message) from error


def _member(archive: ZipFile, path: str | Path, name: str) -> ZipInfo:
    members = []
    for member in archive.infolist():
        is_file = not member.is_dir() and not member.filename.startswith(OF_MACS)
        place = f"/{member.filename}"
        if is_file and (place.endswith(f"/{name}") or fnmatchcase(place, f"*/{name}")):
            members.append(member)
    if len(members) != 1:
        what = "files" if name == "*" else f"files {name!r}"
        raise UserError(
            f"{path}: this is a zip archive with {len(members)} {what}, as are documents of Word "
            "and Excel; unpack it and name the file that is in it, or save its text as plain text "
            "in UTF-8"
        )
    [member] = members
    if member.flag_bits & IS_ENCRYPTED:
        raise UserError(f"{path}: this zip archive is encrypted; unpack it")
    # zipfile reads no more than the size that the archive states
    if member.file_size > max(LARGE, HIGHEST_RATIO * member.compress_size):
        raise UserError(
            f"{path}: {member.filename} would unpack from {member.compress_size:,} bytes to "
            f"{member.file_size:,}, which is no text; unpack it if you know it"
        )
    return member
