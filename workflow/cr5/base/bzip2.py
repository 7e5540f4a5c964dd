"""Decompression of large bzip2 files at several times the speed of libbzip2.

Undoing bzip2's sort is a walk through 3.6 MB at random, in which each step waits for memory. The
blocks of a file do not depend on each other, so `SIDE_BY_SIDE` of them are walked at once, in one
thread. Bytes and checksums are those of Python's `bz2`.
"""

import re
import zlib
from collections import deque

import numpy as np

from cr5.base import bzip2_blocks as blocks

SIDE_BY_SIDE = 16  # blocks; 4.5 MB of memory each
AT_ONCE = 1 << 22  # compressed bytes that fill the chains: text shrinks to a quarter
HEADER = re.compile(rb"BZh[1-9]")
BEGIN, END = 0x314159265359, 0x177245385090  # of a block, of a stream
MARK, CHECKSUM = 48, 32  # bits
REVERSED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))
INVALID = "Invalid data stream"  # as Python says


class Decompressor:
    """As `bz2.BZ2Decompressor`, but goes on with the next stream where that follows at once.

    Attributes:
        needs_input: whether there is nothing more to give before more is read.
        unused_data: what follows the stream.
    """

    at_once = AT_ONCE

    def __init__(self) -> None:
        self.needs_input, self.unused_data = True, b""
        self._ended = False
        self._data, self._bit = b"", 0  # compressed, and where in it the next block begins
        self._words = np.empty(0, np.uint32)  # the same, most significant bits first
        self._sum: int | None = None  # of the stream's checksums so far; None before its header
        self._ready: deque[tuple[np.ndarray, int]] = deque()  # blocks, and their checksums
        self._given = memoryview(b"")
        self._chains = np.empty((SIDE_BY_SIDE, blocks.BLOCK), np.uint32)
        self._column = np.empty(blocks.BLOCK, np.uint8)
        self._long = np.empty(blocks.EXPANSION * blocks.BLOCK, np.uint8)

    @property
    def eof(self) -> bool:
        """Whether all has been returned, and what follows is no stream."""
        return self._ended and not self._ready and not self._given

    def decompress(self, data: bytes, max_length: int) -> memoryview:
        """Return at most so many bytes; none if there is too little input for a block.

        Raises:
            OSError: the data are damaged; what came before has been returned.
        """
        if data:
            self._data = self._data[self._bit // 8 :] + data
            self._bit %= 8
            padded = self._data + bytes(blocks.BEYOND + -len(self._data) % 4)
            self._words = np.frombuffer(padded, ">u4").astype(np.uint32)
        if not self._given and not self._ready and not self._ended:
            self._decode()
        if not self._given and self._ready:
            self._given = self._text(*self._ready.popleft())
        found, self._given = self._given[:max_length], self._given[max_length:]
        self.needs_input = not found
        return found

    def _decode(self) -> None:
        """Decode the blocks that are there whole, one for each chain at most."""
        found = []
        try:
            for chain in self._chains:
                if (block := self._block(chain)) is None:
                    break
                found.append(block)
        except OSError:
            if not found:
                raise  # else it is met again when these have been given
        if found:
            origins, lengths, sums = zip(*found, strict=True)
            out = np.empty((len(found), max(lengths)), np.uint8)
            blocks.walk(self._chains, np.array(origins), np.array(lengths), out)
            texts = (row[:length] for row, length in zip(out, lengths, strict=True))
            self._ready.extend(zip(texts, sums, strict=True))

    def _block(self, chain: np.ndarray) -> tuple[int, int, int] | None:
        """Origin, length, checksum of the next block; None if it is not there whole."""
        size = 8 * len(self._data)
        while self._begun() and self._bit + MARK + CHECKSUM <= size:
            mark = self._number(self._bit, MARK)
            checksum = self._number(self._bit + MARK, CHECKSUM)
            after = self._bit + MARK + CHECKSUM
            if mark == END:
                self._end(after, checksum)
                continue
            if mark != BEGIN:
                raise OSError(INVALID)
            after, length, origin = blocks.block(self._words, after, size, self._column)
            if after > size:
                return None
            if length == blocks.BAD:
                raise OSError(INVALID)
            blocks.chained(self._column[:length], chain)
            self._bit = after
            self._sum = (self._sum << 1 | self._sum >> 31) & 0xFFFFFFFF ^ checksum
            return origin, length, checksum
        return None

    def _begun(self) -> bool:
        """Whether a stream has begun; reads its header."""
        start = self._bit // 8
        if self._sum is None and not self._ended and len(self._data) >= start + 4:
            if not HEADER.match(self._data, start):
                raise OSError(INVALID)
            self._bit, self._sum = 8 * (start + 4), 0
        return self._sum is not None

    def _end(self, after: int, checksum: int) -> None:
        if checksum != self._sum:
            raise OSError(INVALID)
        start = -(-after // 8)
        self._bit, self._sum = 8 * start, None
        if not HEADER.match(self._data, start):
            self._ended, self.unused_data = True, self._data[start:]

    def _number(self, bit: int, n: int) -> int:
        end = -(-(bit + n) // 8)
        number = int.from_bytes(self._data[bit // 8 : end], "big")
        return (number >> (8 * end - bit - n)) & ((1 << n) - 1)

    def _text(self, block: np.ndarray, checksum: int) -> memoryview:
        text = self._long[: blocks.lengthened(block, self._long)].tobytes()
        if _checksum(text) != checksum:
            raise OSError(INVALID)
        return memoryview(text)


def _checksum(text: bytes) -> int:
    """CRC-32 of bits in the other order than zlib's."""
    return int(f"{zlib.crc32(text.translate(REVERSED)):032b}"[::-1], 2)
