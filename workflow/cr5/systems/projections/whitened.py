"""L^-1 S L'^-1 for N = LL': the pencil as one symmetric operator."""

import numpy as np

from cr5.systems.algebra.cholesky import Cholesky
from cr5.systems.algebra.threads import Threads
from cr5.systems.projections.forms import SparseForm
from cr5.systems.projections.pencils import Pencil


class Whitened:
    """The operator; for a pencil with N = I it is S.

    Attributes:
        size: p.
        blocks: of N, slices of columns.

    Args:
        pencil: whose N is formed and factored, block by block.
        threads: that share the work.

    Raises:
        numpy.linalg.LinAlgError: N is not positive definite, up to rounding.
    """

    def __init__(self, pencil: Pencil, threads: Threads):
        self.size = pencil.Z.shape[1]
        ends = [*pencil.blocks[1:], self.size]
        self.blocks = [slice(a, b) for a, b in zip(pencil.blocks, ends, strict=True)]
        self.factors: list[Cholesky] = []
        for block in self.blocks if pencil.N else ():
            N = SparseForm(pencil.N, pencil.Z[:, block], threads)
            self.factors.append(Cholesky(N.size, N.panel, threads))
            del N
        self.S = SparseForm(pencil.S, pencil.Z, threads)

    def __call__(self, V: np.ndarray) -> np.ndarray:
        """L^-1 S L'^-1 V."""
        V = V.copy()
        self.return_from(V)
        V = self.S(V)
        for block, factor in zip(self.blocks, self.factors, strict=False):
            factor.solve(V[block])
        return V

    def return_from(self, V: np.ndarray) -> None:
        """Overwrite vectors V of the operator with L'^-1 V, those of the pencil."""
        for block, factor in zip(self.blocks, self.factors, strict=False):
            factor.solve_transposed(V[block])

    def across(self, V: np.ndarray, source: slice, target: slice) -> np.ndarray:
        """The block of the operator from some columns to others, times V."""
        padded = np.zeros((self.size, V.shape[1]))
        padded[source] = V
        self._factor(source).solve_transposed(padded[source])
        found = np.ascontiguousarray(self.S(padded)[target])
        self._factor(target).solve(found)
        return found

    def _factor(self, block: slice) -> Cholesky:
        return self.factors[self.blocks.index(block)]
