"""Words of texts, numbered in the order of their first occurrence and counted; by Numba.

A hash table over the code points of all words, without a Python object for any of them.
"""

from itertools import pairwise

import numpy as np
import pyarrow as pa
from numba import njit

BASIS, PRIME = np.uint64(0xCBF29CE484222325), np.uint64(0x100000001B3)  # FNV-1a, 64 bits
HALF = np.uint64(32)  # bits of a slot: of the word's hash, and its number, from 1 on; 0 is free
LOW = np.uint64(0xFFFFFFFF)
FEW = 1 << 15  # words at first

_compiled = njit(nogil=True, cache=True, error_model="numpy")


class WordTable:
    """Distinct words and their numbers; at first there is space for `few`, a power of two."""

    def __init__(self, inside: np.ndarray, few: int = FEW) -> None:
        self._inside = inside  # of each code point, whether it is within words, or ends them
        self._size = 0
        self._slots = np.zeros(2 * few, np.uint64)
        self._ends = np.zeros(few + 1, np.int64)  # where in the letters word i - 1 ends
        self._places = np.zeros(few, np.int64)  # of a word among those of the last text with it
        self._letters = np.zeros(8 * few, np.uint32)  # code points

    def __len__(self) -> int:
        """Return the number of words."""
        return self._size

    def count(self, text: str) -> tuple[np.ndarray, np.ndarray]:
        """Return the numbers of a text's words, by first occurrence, and how often each occurs."""
        letters = np.frombuffer(text.encode("utf-32-le"), np.uint32)
        words, counts = np.empty((2, len(text) // 2 + 1), np.uint32)
        done = found = 0
        while done < len(text):
            table = (self._slots, self._ends, self._places, self._letters, self._size)
            done, found, self._size = _count(
                letters, self._inside, done, found, words, counts, *table
            )
            if done < len(text):
                self._grow()
        return words[:found], counts[:found]

    def words(self) -> pa.Array:
        """Return all words by number."""
        ends = self._ends[: self._size + 1].tolist()
        letters = self._letters[: ends[-1]].tobytes().decode("utf-32-le")
        return pa.array([letters[a:b] for a, b in pairwise(ends)], pa.string())

    def _grow(self) -> None:
        old, self._slots = self._slots, np.zeros(2 * len(self._slots), np.uint64)
        _move(old, self._slots)
        for name in ("_ends", "_places", "_letters"):
            held = getattr(self, name)
            setattr(self, name, np.concatenate([held, np.zeros_like(held)]))


@_compiled
def _count(text, inside, at, found, words, counts, slots, ends, places, letters, size):
    """Count until the end, or until a new word has no space; where, how many, how many known.

    Searching the slots in a function of its own would take half as long again: Numba counts
    references to the arrays that it passes.
    """
    while at < len(text):
        start, hashed = at, BASIS
        while at < len(text):
            point = text[at]
            if not inside[point]:
                break
            hashed = (hashed ^ np.uint64(point)) * PRIME
            at += 1
        if start == at:
            at += 1
            continue
        half = hashed >> HALF
        slot = np.int64(half) & (len(slots) - 1)
        while slots[slot] != 0:
            if slots[slot] >> HALF == half:
                number = np.int64(slots[slot] & LOW) - 1
                if _equal(text, start, at, letters, ends[number], ends[number + 1]):
                    break
            slot = (slot + 1) & (len(slots) - 1)
        if slots[slot] == 0:
            end = ends[size] + at - start
            if 2 * size == len(slots) or end > len(letters):
                return start, found, size
            letters[ends[size] : end] = text[start:at]
            size += 1
            ends[size] = end
            slots[slot] = (half << HALF) | np.uint64(size)
        number = np.int64(slots[slot] & LOW) - 1
        place = places[number]
        if place < found and words[place] == number:
            counts[place] += 1
        else:
            places[number] = found
            words[found], counts[found] = number, 1
            found += 1
    return at, found, size


@_compiled
def _equal(text, start, at, letters, begin, end):
    if at - start != end - begin:
        return False
    while start < at and text[start] == letters[begin]:
        start += 1
        begin += 1
    return start == at


@_compiled
def _move(old, slots):
    for entry in old:
        if entry != 0:
            slot = np.int64(entry >> HALF) & (len(slots) - 1)
            while slots[slot] != 0:
                slot = (slot + 1) & (len(slots) - 1)
            slots[slot] = entry
