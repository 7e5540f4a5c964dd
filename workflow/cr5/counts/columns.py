"""Columns of counts: those of a model's words among those of all words."""

from collections.abc import Iterable, Sequence

import numpy as np
from scipy import sparse


def columns_of(words: Iterable[str], among: Sequence[str]) -> np.ndarray:
    """Return the column of each word, in their order; KeyError for an unknown one."""
    numbers = {word: number for number, word in enumerate(among)}
    return np.array([numbers[word] for word in words], np.int64)


def selected(counts: sparse.csr_matrix, columns: np.ndarray) -> sparse.csr_matrix:
    """Return texts x some of the words, in the order of the columns; indices are sorted."""
    if np.array_equal(columns, np.arange(counts.shape[1])):
        return counts  # at the paper's scale a copy takes gigabytes
    found = counts[:, columns]
    found.sort_indices()
    return found
