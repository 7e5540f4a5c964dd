"""Cholesky factors A = LL' of large matrices, in panels of columns: half the memory of a square.

A panel has some columns of L, from the diagonal down. Pieces of work do not depend on the number
of threads, and each uses one BLAS thread (the caller's limit), so the bytes do not either. The
diagonal blocks of L are stored inverted, so solving is multiplying: LAPACK's triangular solvers
would hold Python's lock, and threads would wait for one another.
"""

from collections.abc import Callable

import numpy as np
from scipy import linalg

from cr5.systems.algebra.threads import Threads

PANEL = 256  # columns; wide enough for fast products
COLUMNS = 32  # of a right-hand side, solved together: a block has work for two threads


class Cholesky:
    """The factor of a symmetric matrix; LinAlgError if it is not positive definite.

    From a first and a last column (exclusive) `make` makes the panel of A: (size - first) x
    columns, the rows from the first on; its upper triangle is not read.
    """

    def __init__(self, size: int, make: Callable[[int, int], np.ndarray], threads: Threads):
        self.threads, self.starts = threads, range(0, size, PANEL)

        def panel(first: int) -> np.ndarray:
            # products of rows are fastest if rows are contiguous
            return np.ascontiguousarray(make(first, min(first + PANEL, size)))

        self.panels = threads.map(panel, self.starts)
        for number in range(len(self.panels)):
            self._factor(number)

    def _factor(self, number: int) -> None:
        """Turn a panel of A into one of L, after those before it (left-looking)."""
        panel, first = self.panels[number], self.starts[number]
        width = panel.shape[1]

        def subtract(rows: slice) -> None:
            for start, before in zip(self.starts, self.panels[:number], strict=False):
                shift = first - start
                there = before[rows.start + shift : rows.stop + shift]
                panel[rows] -= there @ before[shift : shift + width].T

        self.threads.each(len(panel), subtract)
        L = np.linalg.cholesky(panel[:width])  # reads its lower triangle
        inverse = linalg.solve_triangular(L, np.eye(width), lower=True)
        panel[:width], below = inverse, panel[width:]

        def divide(rows: slice) -> None:
            below[rows] = below[rows] @ inverse.T

        self.threads.each(len(below), divide)

    def solve(self, B: np.ndarray) -> None:
        """Overwrite B (p x b) by L^-1 B."""

        def solve(part: np.ndarray) -> None:
            for first, panel in zip(self.starts, self.panels, strict=True):
                end = first + panel.shape[1]
                part[first:end] = panel[: end - first] @ part[first:end]
                part[end:] -= panel[end - first :] @ part[first:end]

        self._by_columns(B, solve)

    def solve_transposed(self, B: np.ndarray) -> None:
        """Overwrite B (p x b) by L'^-1 B."""

        def solve(part: np.ndarray) -> None:
            for first, panel in zip(reversed(self.starts), reversed(self.panels), strict=True):
                end = first + panel.shape[1]
                here = part[first:end] - panel[end - first :].T @ part[end:]
                part[first:end] = panel[: end - first].T @ here

        self._by_columns(B, solve)

    def _by_columns(self, B: np.ndarray, work: Callable[[np.ndarray], None]) -> None:
        def solve(first: int) -> None:
            columns = slice(first, first + COLUMNS)
            part = np.ascontiguousarray(B[:, columns])
            work(part)
            B[:, columns] = part

        self.threads.map(solve, range(0, B.shape[1], COLUMNS))
