"""Files of bzip2 or xz, of which not a byte is passed over.

Python's own readers end where what follows a whole stream is no stream, without a word: a file that
was joined wrongly, or is damaged, would lose its end.
"""

import bz2
import io
import lzma
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

PIECE = 1 << 18  # of compressed bytes that are read at a time
PADDING = b"\0"  # that may stand between streams of xz

Decompressor = bz2.BZ2Decompressor | lzma.LZMADecompressor


class Streams(io.RawIOBase):
    """The content of compressed streams, one after the other."""

    def __init__(self, path: str | Path, new_decompressor: Callable[[], Decompressor]):
        self._file = Path(path).open("rb")
        self._new_decompressor = new_decompressor
        self._begin()

    def _begin(self) -> None:
        self._decompressor = self._new_decompressor()
        self._unread = b""  # compressed bytes of the next stream
        self._position = 0

    def close(self) -> None:
        """Close the file."""
        self._file.close()
        super().close()

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
        self._file.seek(0)
        self._begin()
        return 0

    def readinto(self, buffer: memoryview) -> int:
        """Read some of the content; 0 at its end. Errors are those of the decompressor."""
        content = b""
        while not content:
            if self._decompressor.eof and not self._go_on():
                return 0
            content = self._decompressed(len(buffer))
        buffer[: len(content)] = content
        self._position += len(content)
        return len(content)

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
            raise EOFError("it ends within a compressed stream; get the whole file again")
        return self._decompressor.decompress(piece, size)


def open_bz2(path: str | Path, mode: str = "rb") -> BinaryIO:
    """Open a file of bzip2 to read."""
    return io.BufferedReader(Streams(path, bz2.BZ2Decompressor), PIECE)


def open_xz(path: str | Path, mode: str = "rb") -> BinaryIO:
    """Open a file of xz to read."""
    return io.BufferedReader(Streams(path, lzma.LZMADecompressor), PIECE)
