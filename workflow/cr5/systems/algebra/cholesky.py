"""Cholesky factors A = LL' of large matrices, in panels of columns: half the memory of a square.

A panel has some columns of L, from the diagonal down. Pieces of work do not depend on the number
of threads, and each uses one BLAS thread (the caller's limit), so the bytes do not either. The
diagonal blocks of L are stored inverted, so solving is multiplying.
"""

from collections.abc import Callable

import numpy as np
from scipy import linalg

from cr5.systems.algebra.threads import Threads

PANEL = 256  # columns; wide enough for fast products
COLUMNS = 32  # of a right-hand side, solved together: a block has work for two threads


class Cholesky:
    """The factor of a symmetric positive definite matrix.

    Args:
        size: p, of the matrix.
        make: from a first and a last column (exclusive) to the panel of A: (p - first) x
            columns, float64, the rows from `first` on; its upper triangle is not read.
        threads: that share the work.

    Raises:
        numpy.linalg.LinAlgError: the matrix is not positive definite.
    """

    def __init__(self, size: int, make: Callable[[int, int], np.ndarray], threads: Threads):
        self.size, self.threads = size, threads
        self.starts = range(0, size, PANEL)

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

        self._each(len(panel), subtract)
        L = np.linalg.cholesky(panel[:width])  # reads its lower triangle
        inverse = linalg.solve_triangular(L, np.eye(width), lower=True)
        panel[:width] = inverse

        def divide(rows: slice) -> None:
            panel[width:][rows] = panel[width:][rows] @ inverse.T

        self._each(len(panel) - width, divide)

    def solve(self, B: np.ndarray) -> None:
        """Overwrite B (p x b) by L^-1 B."""
        self._by_columns(B, self._solve)

    def solve_transposed(self, B: np.ndarray) -> None:
        """Overwrite B (p x b) by L'^-1 B."""
        self._by_columns(B, self._solve_transposed)

    def _solve(self, B: np.ndarray) -> None:
        for first, panel in zip(self.starts, self.panels, strict=True):
            width = panel.shape[1]
            here = panel[:width] @ B[first : first + width]
            B[first : first + width] = here
            B[first + width :] -= panel[width:] @ here

    def _solve_transposed(self, B: np.ndarray) -> None:
        for first, panel in zip(reversed(self.starts), reversed(self.panels), strict=True):
            width = panel.shape[1]
            here = B[first : first + width] - panel[width:].T @ B[first + width :]
            B[first : first + width] = panel[:width].T @ here

    def _by_columns(self, B: np.ndarray, work: Callable[[np.ndarray], None]) -> None:
        def solve(columns: slice) -> None:
            part = np.ascontiguousarray(B[:, columns])
            work(part)
            B[:, columns] = part

        starts = range(0, B.shape[1], COLUMNS)
        self.threads.map(solve, [slice(start, start + COLUMNS) for start in starts])

    def _each(self, n_rows: int, work: Callable[[slice], None]) -> None:
        self.threads.each(n_rows, work)


def panel_bytes(size: int) -> int:
    """Bytes of the panels of a matrix of a given size."""
    return 8 * (size * (size + PANEL) // 2)
