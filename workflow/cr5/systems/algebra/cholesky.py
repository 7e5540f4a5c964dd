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
        self.threads = threads
        self.starts = range(0, size, PANEL)

        def make_panel(first: int) -> np.ndarray:
            # products of rows are fastest if rows are contiguous
            return np.ascontiguousarray(make(first, min(first + PANEL, size)))

        self.panels = threads.map(make_panel, self.starts)
        for number in range(len(self.panels)):
            self._factor(number)

    def _factor(self, number: int) -> None:
        """Turn a panel of A into one of L, after those before it (left-looking).

        With J for the columns of the panel, I for rows below them, and K for the columns before:

            S_JJ = A_JJ - L_JK L_JK' = L_JJ L_JJ'
            L_IJ = (A_IJ - L_IK L_JK') L_JJ'^-1
        """
        panel = self.panels[number]
        first = self.starts[number]
        width = panel.shape[1]

        def subtract(rows: slice) -> None:
            for start, before in zip(self.starts, self.panels[:number], strict=False):
                shift = first - start
                same_rows = before[rows.start + shift : rows.stop + shift]
                diagonal_rows = before[shift : shift + width]
                panel[rows] -= same_rows @ diagonal_rows.T

        self.threads.each(len(panel), subtract)
        L = np.linalg.cholesky(panel[:width])  # reads its lower triangle
        inverse = linalg.solve_triangular(L, np.eye(width), lower=True)
        panel[:width] = inverse
        below = panel[width:]

        def divide(rows: slice) -> None:
            below[rows] = below[rows] @ inverse.T

        self.threads.each(len(below), divide)

    def solve(self, B: np.ndarray) -> None:
        """Overwrite B (p x b) by L^-1 B."""

        def solve(columns: np.ndarray) -> None:
            for first, panel in zip(self.starts, self.panels, strict=True):
                width = panel.shape[1]
                end = first + width
                columns[first:end] = panel[:width] @ columns[first:end]
                columns[end:] -= panel[width:] @ columns[first:end]

        self._by_columns(B, solve)

    def solve_transposed(self, B: np.ndarray) -> None:
        """Overwrite B (p x b) by L'^-1 B."""

        def solve(columns: np.ndarray) -> None:
            for first, panel in zip(reversed(self.starts), reversed(self.panels), strict=True):
                width = panel.shape[1]
                end = first + width
                remainder = columns[first:end] - panel[width:].T @ columns[end:]
                columns[first:end] = panel[:width].T @ remainder

        self._by_columns(B, solve)

    def _by_columns(self, B: np.ndarray, solve: Callable[[np.ndarray], None]) -> None:
        """Overwrite B, some columns at a time, by what `solve` overwrites a copy of them by."""

        def overwrite(first: int) -> None:
            columns = slice(first, first + COLUMNS)
            contiguous = np.ascontiguousarray(B[:, columns])
            solve(contiguous)
            B[:, columns] = contiguous

        self.threads.map(overwrite, range(0, B.shape[1], COLUMNS))
