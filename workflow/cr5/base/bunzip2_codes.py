"""The codes of a block of bzip2, decoded to the bytes of its Burrows-Wheeler transform; by Numba.

Any index that comes from the file is checked: compiled code does not check them.
"""

import numpy as np
from numba import njit

_compiled = njit(nogil=True, cache=True, error_model="numpy")

SYMBOLS = 258  # two for runs, 255 for bytes not at the front, one for the end
GROUP = 50  # symbols with the same code
LONGEST_CODE = 20  # bits
SHORT_CODE = 10  # bits of a code that is looked up in a table
LEAST, MOST = 57, 64  # bits in `_bits`
BYTE = np.uint64(8)


@_compiled
def _bits(data, bit):
    """Bits from a place on, at least `LEAST`, at the upper end of 64; zeros beyond the data."""
    at, word = bit >> 3, np.uint64(0)
    if 0 <= at <= len(data) - 8:
        for i in range(8):
            word = word << BYTE | np.uint64(data[at + i])
    else:
        for i in range(at, at + 8):
            word = word << BYTE | np.uint64(data[i] if i < len(data) else 0)
    return word << np.uint64(bit & 7)


@_compiled
def take(data, bit, width):
    """A number of `width` bits, at most 48, from a place in the bytes on."""
    if bit + width > 8 * len(data):
        raise EOFError("it ends in the middle")
    return np.int64(_bits(data, bit) >> np.uint64(MOST - width))


@_compiled
def decode(data, bit, entries):
    """Set `entries` to the bytes of a block; where it ends in the data, and how many these are.

    Args:
        data: bytes of the file.
        bit: where in them the block's list of bytes begins.
        entries: for as many bytes as a block may have, uint32.

    Raises:
        EOFError: the data end before the block.
        OSError: no encoder writes such a block.
    """
    bit, recent, used = _read_used(data, bit)
    codes = take(data, bit, 3)
    if not 2 <= codes <= 6:
        raise OSError("a wrong number of codes")
    bit, selectors = _read_selectors(data, bit + 3, codes)
    symbols = used + 2
    short = np.empty((codes, 1 << SHORT_CODE), np.uint16)
    counts = np.empty((codes, LONGEST_CODE + 1), np.int64)
    order = np.empty((codes, SYMBOLS), np.uint16)
    for code in range(codes):
        bit = _read_code(data, bit, symbols, counts[code], order[code])
        for start in range(1 << SHORT_CODE):
            word = np.uint64(start) << np.uint64(MOST - SHORT_CODE)
            short[code, start] = _symbol(word, SHORT_CODE, counts[code], order[code])
    return _decode_symbols(data, bit, symbols - 1, selectors, short, counts, order, recent, entries)


@_compiled
def _read_used(data, bit):
    """Which bytes occur: where the list ends, the bytes eight to a word, and how many."""
    recent, used = np.zeros(32, np.uint64), 0
    sixteens = take(data, bit, 16)
    bit += 16
    for high in range(16):
        if not sixteens >> (15 - high) & 1:
            continue
        present = take(data, bit, 16)
        bit += 16
        for low in range(16):
            if present >> (15 - low) & 1:
                recent[used >> 3] |= np.uint64(high << 4 | low) << np.uint64(8 * (used & 7))
                used += 1
    if not used:
        raise OSError("a block without bytes")
    return bit, recent, used


@_compiled
def _read_selectors(data, bit, codes):
    """By groups of symbols, the number of their code."""
    selectors = np.empty(take(data, bit, 15), np.uint8)
    bit += 15
    recent = np.arange(codes)
    for group in range(len(selectors)):
        place = 0
        while take(data, bit, 1):
            place += 1
            bit += 1
            if place == codes:
                raise OSError("no such code")
        bit += 1
        code = recent[place]
        for i in range(place, 0, -1):
            recent[i] = recent[i - 1]
        recent[0] = selectors[group] = code
    return bit, selectors


@_compiled
def _read_code(data, bit, symbols, counts, order):
    """Set how many symbols have a code of each length, and the symbols in the order of codes."""
    lengths = np.empty(symbols, np.int64)
    counts[:] = 0
    length = take(data, bit, 5)
    bit += 5
    for symbol in range(symbols):
        while True:
            if not 1 <= length <= LONGEST_CODE:
                raise OSError("a wrong length of a code")
            change = take(data, bit, 1)
            bit += 1
            if not change:
                break
            length += 1 - 2 * take(data, bit, 1)
            bit += 1
        lengths[symbol] = length
        counts[length] += 1
    place = 0
    for length in range(1, LONGEST_CODE + 1):
        for symbol in range(symbols):
            if lengths[symbol] == length:
                order[place] = symbol
                place += 1
    return bit


@_compiled
def _symbol(word, longest, counts, order):
    """The symbol whose canonical code begins a word, and the code's length; 0 if it is longer."""
    first = before = 0
    for length in range(1, longest + 1):
        place = np.int64(word >> np.uint64(MOST - length)) - first
        if place < counts[length]:
            return np.int64(order[before + place]) << 5 | length
        first = (first + counts[length]) << 1
        before += counts[length]
    return 0


@_compiled
def _decode_symbols(data, bit, last, selectors, short, counts, order, recent, entries):
    """Set entries to bytes."""
    word, held = np.uint64(0), 0
    size = digit = group = left = code = 0
    front = np.uint32(recent[0] & np.uint64(255))
    while True:
        if left == 0:
            if group == len(selectors):
                raise OSError("a block that goes on after its end")
            code, left = np.int64(selectors[group]), GROUP
            group += 1
        left -= 1
        if held < LONGEST_CODE:
            word, held = _bits(data, bit), min(LEAST, 8 * len(data) - bit)
        found = np.int64(short[code, word >> np.uint64(MOST - SHORT_CODE)])
        if not found:
            found = _symbol(word, LONGEST_CODE, counts[code], order[code])
            if not found:
                raise OSError("no such code")
        symbol, length = found >> 5, found & 31
        word <<= np.uint64(length)
        held -= length
        bit += length
        if held < 0:
            raise EOFError("it ends in the middle")
        if symbol < 2:
            run = (symbol + 1) << digit
            digit += 1
            if size + run > len(entries):
                raise OSError("a block that is too long")
            entries[size] = front
            entries[size + 1 : size + run] = front
            size += run
            continue
        if symbol == last:
            break
        if size == len(entries):
            raise OSError("a block that is too long")
        front = _move_to_front(recent, symbol - 1)
        entries[size] = front
        size += 1
        digit = 0
    return bit, size


@_compiled
def _move_to_front(recent, place):
    """Return the byte at a place and put it before all others."""
    words, shift = place >> 3, np.uint64(8 * (place & 7))
    byte = (recent[words] >> shift) & np.uint64(255)
    carried = byte
    for i in range(words):
        word = recent[i]
        recent[i] = word << BYTE | carried
        carried = word >> np.uint64(56)
    after = ~np.uint64(0) << shift << BYTE
    word = recent[words]
    recent[words] = word & after | (word << BYTE) & ~after | carried
    return np.uint32(byte)
