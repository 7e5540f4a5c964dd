"""Words of texts, numbered in the order of their first occurrence and counted; by Numba.

A hash table over the code points of all words, without a Python object for any of them.
"""

from itertools import pairwise

import numpy as np
import pyarrow as pa
from numba import njit

BASIS = np.uint64(0xCBF29CE484222325)  # of FNV-1a, 64 bits
PRIME = np.uint64(0x100000001B3)
# A slot has 64 bits: the upper half of its word's hash, then the word's number, from 1 on; 0 is a
# free slot.
HALF = np.uint64(32)
LOWER_HALF = np.uint64(0xFFFFFFFF)
FIRST_ROOM = 1 << 15  # words that there is space for

_compiled = njit(nogil=True, cache=True, error_model="numpy")


class WordTable:
    """Distinct words and their numbers; there is space for `room` of them, a power of two."""

    def __init__(self, is_in_words: np.ndarray, room: int = FIRST_ROOM) -> None:
        self._is_in_words = is_in_words  # by code point; all others end a word
        self._size = 0
        self._slots = np.zeros(2 * room, np.uint64)
        self._ends = np.zeros(room + 1, np.int64)  # where in the letters word i - 1 ends
        self._places = np.zeros(room, np.int64)  # of a word among those of the last text with it
        self._letters = np.zeros(8 * room, np.uint32)  # code points

    def __len__(self) -> int:
        """Return the number of words."""
        return self._size

    def count(self, text: str) -> tuple[np.ndarray, np.ndarray]:
        """Return the numbers of a text's words, by first occurrence, and how often each occurs."""
        encoded = text.encode("utf-32-le")
        points = np.frombuffer(encoded, np.uint32)
        n_characters = len(text)
        most_words = n_characters // 2 + 1
        words = np.empty(most_words, np.uint32)
        counts = np.empty(most_words, np.uint32)
        place = 0
        n_words = 0
        while place < n_characters:
            table = (self._slots, self._ends, self._places, self._letters, self._size)
            place, n_words, self._size = _count(
                points, self._is_in_words, place, n_words, words, counts, *table
            )
            if place < n_characters:
                self._grow()
        return words[:n_words], counts[:n_words]

    def words(self) -> pa.Array:
        """Return all words by number."""
        ends = self._ends[: self._size + 1].tolist()
        points = self._letters[: ends[-1]]
        letters = points.tobytes().decode("utf-32-le")
        words = [letters[start:end] for start, end in pairwise(ends)]
        return pa.array(words, pa.string())

    def _grow(self) -> None:
        """Double the space."""
        slots = np.zeros(2 * len(self._slots), np.uint64)
        _move(self._slots, slots)
        self._slots = slots
        self._ends = _doubled(self._ends)
        self._places = _doubled(self._places)
        self._letters = _doubled(self._letters)


def _doubled(array: np.ndarray) -> np.ndarray:
    return np.concatenate([array, np.zeros_like(array)])


@_compiled
def _count(text, is_in_words, place, n_words, words, counts, slots, ends, places, letters, size):
    """Count from a place in a text until its end, or until a new word has no space.

    Returns where it stopped, how many words the text has so far, and how many the table has.
    Searching the slots in a function of its own would take half as long again: Numba counts
    references to the arrays that it passes.
    """
    n_characters = len(text)
    last_slot = len(slots) - 1  # of a power of two: all ones in binary
    while place < n_characters:
        start = place
        hashed = BASIS
        while place < n_characters:
            point = text[place]
            if not is_in_words[point]:
                break
            hashed = (hashed ^ np.uint64(point)) * PRIME
            place += 1
        if start == place:
            place += 1
            continue
        upper_half = hashed >> HALF
        slot = np.int64(upper_half) & last_slot
        while slots[slot] != 0:
            if slots[slot] >> HALF == upper_half:
                number = np.int64(slots[slot] & LOWER_HALF) - 1
                if _equal(text, start, place, letters, ends[number], ends[number + 1]):
                    break
            slot = (slot + 1) & last_slot
        if slots[slot] == 0:
            end = ends[size] + place - start
            if 2 * size == len(slots) or end > len(letters):
                return start, n_words, size
            letters[ends[size] : end] = text[start:place]
            size += 1
            ends[size] = end
            slots[slot] = (upper_half << HALF) | np.uint64(size)
        number = np.int64(slots[slot] & LOWER_HALF) - 1
        place_in_text = places[number]  # or in the last text that had the word
        if place_in_text < n_words and words[place_in_text] == number:
            counts[place_in_text] += 1
        else:
            places[number] = n_words
            words[n_words] = number
            counts[n_words] = 1
            n_words += 1
    return place, n_words, size


@_compiled
def _equal(text, start, stop, letters, begin, end):
    """Return whether a part of a text is that of the letters."""
    if stop - start != end - begin:
        return False
    while start < stop and text[start] == letters[begin]:
        start += 1
        begin += 1
    return start == stop


@_compiled
def _move(full_slots, slots):
    """Put the entries of full slots into empty ones, of which there are twice as many."""
    last_slot = len(slots) - 1
    for entry in full_slots:
        if entry != 0:
            slot = np.int64(entry >> HALF) & last_slot
            while slots[slot] != 0:
                slot = (slot + 1) & last_slot
            slots[slot] = entry
