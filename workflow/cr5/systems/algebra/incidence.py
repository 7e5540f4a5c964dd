"""Sparse matrices of ones that say which column a row has; and which rows are the same."""

from itertools import pairwise

import numpy as np
from scipy import sparse


def incidence(
    numbers: np.ndarray, n: int | None = None, dtype: type = np.float32
) -> sparse.csr_matrix:
    """Return rows x n columns, or as many as needed: a one at each row's number, none for -1."""
    if n is None:
        n = 1 + int(numbers.max(initial=-1))
    rows = np.flatnonzero(numbers >= 0)
    columns = numbers[rows]
    ones = np.ones(len(rows), dtype)
    return sparse.csr_matrix((ones, (rows, columns)), (len(numbers), n))


def members_of(numbers: np.ndarray, n: int | None = None) -> sparse.csr_matrix:
    """Return groups x rows: a one for each row of a group; sums up n groups."""
    return incidence(numbers, n, np.float64).T.tocsr()


def alike(rows: sparse.csr_matrix) -> np.ndarray:
    """Return for each row the first one that has the same entries."""
    first_with_entries: dict[tuple[bytes, bytes], int] = {}
    first_rows = []
    for row, (start, stop) in enumerate(pairwise(rows.indptr)):
        entries = (rows.indices[start:stop].tobytes(), rows.data[start:stop].tobytes())
        first_rows.append(first_with_entries.setdefault(entries, row))
    return np.array(first_rows, np.int64)
