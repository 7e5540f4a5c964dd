"""Blocks of bzip2, compiled by Numba: their bits to text, each step in the order of decompression.

The format is Julian Seward's (bzip2 1.0, of 2000; it has not changed since). A block is at most
900,000 bytes: runs shortened, sorted by what follows (Burrows and Wheeler 1994), each byte replaced
by its place among the latest ones (move to front), runs of zeros shortened, and coded by up to six
Huffman codes, which change every 50 symbols.
"""

import numpy as np
from numba import njit

BLOCK = 900_000  # bytes
LONGEST = 20  # bits of a code
SHORT = 11  # bits of a code that is looked up
GROUP = 50  # symbols with the same code
EXPANSION = 52  # at most: five bytes of a block may stand for 259
CODES = 6
SYMBOLS = 258  # two for runs, one for each byte but the latest, the end
BEYOND = 256  # bytes of zeros after the data, as bits are read before it is known that they exist
BAD = -1

_compiled = njit(nogil=True, cache=True, error_model="numpy")


@_compiled
def block(words, bit, end, column):
    """Decode the bits of a block to the last column of its sorted rotations.

    Args:
        words: uint32; the data, most significant bit first, and `BEYOND` zeros.
        bit: number of the first one after the block's checksum.
        end: number of bits that exist.
        column: (BLOCK,) uint8; is set.

    Returns:
        The bit after the block, its length or `BAD`, and the row of the original. If that bit is
        beyond `end`, the block is incomplete, whatever the length.
    """
    is_randomised, origin = _bits(words, bit, 1), _bits(words, bit + 1, 24)
    latest = np.empty(256, np.uint8)
    bit, n_bytes = _bytes_used(words, bit + 25, latest)
    n_codes, n_groups = _bits(words, bit, 3), _bits(words, bit + 3, 15)
    bit += 18
    if is_randomised or n_bytes == 0 or not 2 <= n_codes <= CODES or n_groups == 0:
        return bit, BAD, 0
    code_of = np.empty(n_groups, np.uint8)
    bit, good = _selectors(words, bit, end, n_codes, code_of)
    n_symbols = n_bytes + 2
    lengths = np.empty(SYMBOLS, np.uint8)
    table = np.zeros((CODES, 1 << SHORT), np.uint16)
    limits, offsets = np.zeros((2, CODES, LONGEST + 1), np.int64)
    symbols = np.zeros((CODES, SYMBOLS), np.int64)
    for k in range(n_codes):
        if good:
            bit, good = _lengths(words, bit, end, lengths[:n_symbols])
        if good:
            good = _code(lengths[:n_symbols], table[k], limits[k], offsets[k], symbols[k])
    if not good:
        return bit, BAD, 0
    bit, length = _column(
        words, bit, end, code_of, table, limits, offsets, symbols, n_symbols - 1, latest, column
    )
    return bit, (length if origin < length else BAD), origin


@_compiled
def chained(column, chain):
    """Set chain[i] to the row after row i, times 256, plus its first byte."""
    start = np.zeros(257, np.int64)
    for byte in column:
        start[byte + 1] += 1
    for byte in range(256):
        start[byte + 1] += start[byte]
    chain[: len(column)] = column
    for row, byte in enumerate(column):
        chain[start[byte]] |= np.uint32(row << 8)
        start[byte] += 1


@_compiled
def walk(chains, origins, lengths, out):
    """Follow the chains of several blocks at once, as each step waits for memory.

    Args:
        chains: blocks x BLOCK.
        origins: row of each block's original.
        lengths: of the blocks.
        out: blocks x BLOCK; their bytes.
    """
    row = np.empty(len(lengths), np.uint32)
    for k in range(len(lengths)):
        row[k] = chains[k, origins[k]] >> 8
    for i in range(lengths.max()):
        for k in range(len(lengths)):
            if i < lengths[k]:
                step = chains[k, row[k]]
                out[k, i] = step & 255
                row[k] = step >> 8


@_compiled
def lengthened(block, out):
    """Write four equal bytes and a number as that many more; the length, at most 52 times."""
    n = same = 0
    last = -1
    for byte in block:
        if same == 4:
            out[n : n + byte] = last
            n += byte
            same, last = 0, -1
        else:
            same = same + 1 if byte == last else 1
            out[n] = last = byte
            n += 1
    return n


@_compiled
def _bits(words, bit, n):
    """The number in up to 32 bits."""
    at = bit >> 5
    both = (np.int64(words[at]) << 32) | np.int64(words[at + 1])
    return (both >> (64 - n - (bit & 31))) & ((1 << n) - 1)


@_compiled
def _bytes_used(words, bit, latest):
    used, n = _bits(words, bit, 16), 0
    bit += 16
    for high in range(16):
        if used >> (15 - high) & 1:
            some = _bits(words, bit, 16)
            bit += 16
            for low in range(16):
                if some >> (15 - low) & 1:
                    latest[n] = 16 * high + low
                    n += 1
    return bit, n


@_compiled
def _selectors(words, bit, end, n_codes, code_of):
    latest = np.arange(n_codes)
    for group in range(len(code_of)):
        place = 0
        while _bits(words, bit, 1):
            bit += 1
            place += 1
            if place == n_codes:
                return bit, False
        bit += 1
        if bit > end:
            return bit, False
        code_of[group] = _to_front(latest, place)
    return bit, True


@_compiled
def _lengths(words, bit, end, lengths):
    length = _bits(words, bit, 5)
    bit += 5
    for symbol in range(len(lengths)):
        while _bits(words, bit, 1):
            length += 1 - 2 * _bits(words, bit + 1, 1)
            bit += 2
            if bit > end:
                return bit, False
        bit += 1
        if not 1 <= length <= LONGEST:
            return bit, False
        lengths[symbol] = length
    return bit, True


@_compiled
def _code(lengths, table, limits, offsets, symbols):
    """Set what decodes a Huffman code; False if there is no code with these lengths.

    Args:
        lengths: of the symbols' codes.
        table: symbol times 32 plus length, by the first `SHORT` bits; 0 for longer codes.
        limits: by length, the first `LONGEST` bits of the first longer code.
        offsets: by length, what to add to a code for its place in `symbols`.
        symbols: sorted by code.
    """
    n = code = 0
    for length in range(1, LONGEST + 1):
        offsets[length] = n - code
        for symbol in range(len(lengths)):
            if lengths[symbol] == length:
                if code >> length:
                    return False
                if length <= SHORT:
                    free = SHORT - length
                    table[code << free : (code + 1) << free] = symbol << 5 | length
                symbols[n] = symbol
                n += 1
                code += 1
        limits[length] = code << (LONGEST - length)
        code <<= 1
    return True


@_compiled
def _column(words, bit, end, code_of, table, limits, offsets, symbols, last, latest, column):
    """Decode the symbols of a block; its length, or `BAD`."""
    n = run = 0
    weight = 1
    for k in code_of:
        if bit > end:
            break
        for _ in range(GROUP):
            code = _bits(words, bit, LONGEST)
            entry = np.int64(table[k, code >> (LONGEST - SHORT)])
            symbol, length = entry >> 5, entry & 31
            if length == 0:
                length = SHORT + 1
                while length <= LONGEST and code >= limits[k, length]:
                    length += 1
                if length > LONGEST:
                    return bit, BAD
                symbol = symbols[k, (code >> (LONGEST - length)) + offsets[k, length]]
            bit += length
            if symbol <= 1:
                run += weight << symbol
                weight <<= 1
                if n + run > BLOCK:
                    return bit, BAD
                continue
            if run:
                column[n : n + run] = latest[0]
                n += run
                run = 0
                weight = 1
            if symbol == last:
                return bit, n
            if n == BLOCK:
                return bit, BAD
            column[n] = _to_front(latest, symbol - 1)
            n += 1
    return bit, BAD


@_compiled
def _to_front(latest, place):
    found = latest[place]
    while place > 0:
        latest[place] = latest[place - 1]
        place -= 1
    latest[0] = found
    return found
