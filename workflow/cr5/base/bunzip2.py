"""bzip2 decompressed without waiting for memory; by Numba.

A block of at most 100,000 to 900,000 bytes, by the digit in the stream's header, has undergone, in
this order: runs of 4 to 259 equal bytes become four and a count; the Burrows-Wheeler transform;
move to front; runs of zeros become numbers of the digits 1 and 2; Huffman codes, one of up to six
for each 50 symbols.

Most of the usual time goes to undoing the transform: each byte tells where in 3.6 MB the next one
lies, so that a processor waits for memory at each. Here the walk begins at many places of a block
and takes a step at each of `LANES` in turn, hence as many bytes are waited for at once; where a
walk comes to the beginning of another, the two pieces are joined. (Measured: 2 to 5 times as fast
as Python's bz2, the more the slower memory is. Walks of eight blocks in turn were half as fast:
29 MB do not stay in the cache.)
"""

import zlib
from typing import BinaryIO

import numpy as np
from numba import njit

from cr5.base.bunzip2_codes import decode, take

_compiled = njit(nogil=True, cache=True, error_model="numpy")

WINDOW, LARGEST = 8 << 20, 3 << 20  # bytes of the file held; more than a block has
UNIT = 100_000  # bytes of a block, for each level
LONGEST_RUN, RUN = 259, 5  # bytes that RUN bytes may stand for
BLOCK, END = 0x314159265359, 0x177245385090  # digits of pi, and of its square root
REVERSED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))  # the order of their bits

LANES = 16  # steps of walks whose bytes are waited for together
PIECES = 256  # of a block, at most; with many, all lanes end at nearly the same time
LAST = np.uint32(1 << 31)  # marks an entry as the last one of a piece


class Decoder:
    """The decompressed bytes of a file with one or more streams of bzip2, which zeros may pad.

    Memory: 30 MB; more only for blocks of long runs, 150 MB at most.

    Args:
        file: open for reading, at its start. Its position follows what has been decompressed.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._window, self._begin, self._more = np.empty(0, np.uint8), 0, True
        self._bit = 0  # of the window, that is to be read next
        self._most = 0  # bytes in a block of this stream; 0 between streams
        self._checksum = 0  # of the stream so far
        self._data = memoryview(b"")
        self._entries = np.empty(9 * UNIT, np.uint32)
        self._lanes = np.empty(LANES * 9 * UNIT, np.uint8)
        self._packed = np.empty(9 * UNIT, np.uint8)
        self._unpacked = np.empty(9 * UNIT // RUN * LONGEST_RUN + RUN, np.uint8)

    def read(self, most: int) -> memoryview:
        """Return up to `most` of the next bytes; none at the end.

        Raises:
            EOFError: the file is cut off.
            OSError: it is damaged.
        """
        while not self._data and self._step():
            self._file.seek(self._begin + (self._bit + 7 >> 3))
        data, self._data = self._data[:most], self._data[most:]
        return data

    def _step(self) -> bool:
        """Read what comes next; return False at the end of the file."""
        if self._more and len(self._window) - (self._bit >> 3) < LARGEST:
            self._refill()
        rest = self._window[self._bit >> 3 :]
        if self._most:
            self._read_on()
        elif not len(rest):
            return False
        elif rest[0] == 0:
            self._bit += 8 * (len(rest) - len(rest.tobytes().lstrip(b"\0")))
        else:
            self._begin_stream()
        return True

    def _refill(self) -> None:
        self._begin += self._bit >> 3
        self._bit &= 7
        self._file.seek(self._begin)
        self._window = np.frombuffer(self._file.read(WINDOW), np.uint8)
        self._file.seek(self._begin)
        self._more = len(self._window) == WINDOW

    def _take(self, width: int) -> int:
        self._bit += width
        return take(self._window, self._bit - width, width)

    def _begin_stream(self) -> None:
        if self._take(24) != int.from_bytes(b"BZh"):
            raise OSError("not the start of a stream")
        level = self._take(8) - ord("0")
        if not 1 <= level <= 9:
            raise OSError("an unknown level")
        self._most, self._checksum = level * UNIT, 0

    def _read_on(self) -> None:
        magic, checksum = self._take(48), self._take(32)
        if magic == BLOCK:
            self._data = memoryview(self._block(checksum))
            self._checksum = (self._checksum << 1 | self._checksum >> 31) & 0xFFFFFFFF ^ checksum
        elif magic != END:
            raise OSError("neither a block nor the end of a stream")
        elif checksum != self._checksum:
            raise OSError("a stream's checksum is wrong")
        else:
            self._most = 0
            self._bit = (self._bit + 7) & ~7

    def _block(self, checksum: int) -> bytes:
        if self._take(1):
            raise OSError("a randomised block: if bzip2 0.9 made it, compress it again")
        origin = self._take(24)
        self._bit, size = decode(self._window, self._bit, self._entries[: self._most])
        if origin >= size:
            raise OSError("a block begins beyond its end")
        _undo_transform(self._entries[:size], origin, self._lanes, self._packed)
        size = _undo_runs(self._packed[:size], self._unpacked)
        data = self._unpacked[:size].tobytes()
        found = zlib.crc32(data.translate(REVERSED))  # bzip2 begins at a byte's highest bit
        if int(f"{found:032b}"[::-1], 2) != checksum:
            raise OSError("a block's checksum is wrong")
        return data


@_compiled
def _undo_transform(entries, origin, lanes, out):
    """Set `out` to the bytes of a block; `lanes` is space for LANES times as many."""
    _link(entries)
    size = len(entries)
    step = size // PIECES + 1
    count = (size - 1) // step + 1
    heads = np.empty(count, np.uint32)  # of the pieces; the first one's is the block's
    for piece in range(count):
        last = (origin + piece * step) % size
        heads[piece] = entries[last] >> 8
        entries[last] |= LAST
    begins = np.empty(count, np.int64)
    ends, following = np.empty_like(begins), np.empty_like(begins)
    at, pieces = heads[:LANES].copy(), np.empty(LANES, np.int64)
    filled = np.empty_like(pieces)
    walking = begun = len(at)
    for lane in range(walking):
        begins[lane] = filled[lane] = lane * size
        pieces[lane] = lane
    while walking:
        lane = 0
        while lane < walking:
            row = np.int64(at[lane])
            entry = entries[row]
            lanes[filled[lane]] = entry & 255
            filled[lane] += 1
            at[lane] = entry >> 8
            if entry < LAST:
                lane += 1
                continue
            piece = pieces[lane]
            ends[piece] = filled[lane]
            following[piece] = (row - origin) % size // step
            if begun < count:
                at[lane], pieces[lane], begins[begun] = heads[begun], begun, filled[lane]
                begun += 1
            else:
                walking -= 1
                at[lane], pieces[lane] = at[walking], pieces[walking]
                filled[lane] = filled[walking]
    piece = done = 0
    while done < size:
        stop = min(ends[piece], begins[piece] + size - done)
        for place in range(begins[piece], stop):
            out[done] = lanes[place]
            done += 1
        piece = following[piece]


@_compiled
def _link(entries):
    """To each byte, add the place of the one after it, times 256."""
    places = np.zeros(256, np.int64)
    for entry in entries:
        places[entry] += 1
    total = 0
    for byte in range(256):
        total, places[byte] = total + places[byte], total
    for i in range(len(entries)):
        byte = entries[i] & 255
        entries[places[byte]] |= i << 8
        places[byte] += 1


@_compiled
def _undo_runs(packed, out):
    """Repeat bytes as the count after four equal ones says; the number of bytes."""
    size = equal = 0
    last = -1
    for i in range(len(packed)):
        byte = np.int64(packed[i])
        if equal == 4:
            out[size : size + byte] = last
            size += byte
            equal, last = 0, -1
            continue
        equal = equal + 1 if byte == last else 1
        last = byte
        out[size] = byte
        size += 1
    if equal == 4:
        raise OSError("a run without a count")
    return size
