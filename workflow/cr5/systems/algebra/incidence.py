"""Sparse matrices of ones that say which column a row has; and which rows are the same."""

from itertools import pairwise

import numpy as np
from scipy import sparse


def incidence(
    numbers: np.ndarray, n: int | None = None, dtype: type = np.float32
) -> sparse.csr_matrix:
    """Rows x n columns, or as many as there are: a one at each row's number, none for -1."""
    n = 1 + int(numbers.max(initial=-1)) if n is None else n
    rows = np.flatnonzero(numbers >= 0)
    there = np.ones(len(rows), dtype), (rows, numbers[rows])
    return sparse.csr_matrix(there, (len(numbers), n))


def members_of(numbers: np.ndarray, n: int | None = None) -> sparse.csr_matrix:
    """Groups x rows: a one for each row of a group; sums up n groups."""
    return incidence(numbers, n, np.float64).T.tocsr()


def alike(rows: sparse.csr_matrix) -> np.ndarray:
    """Of each row the first one that has the same entries."""
    first: dict[tuple[bytes, bytes], int] = {}
    contents = (
        (rows.indices[a:b].tobytes(), rows.data[a:b].tobytes()) for a, b in pairwise(rows.indptr)
    )
    return np.array([first.setdefault(each, i) for i, each in enumerate(contents)], np.int64)
