"""What a solver finds at one ridge, and the word vectors that follow: Eq. 15."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np

from cr5.base.errors import UserError
from cr5.systems.algebra.threads import Threads
from cr5.systems.cr5.problem import Problem

ZERO = 1e-10  # share of their bound below which eigenvalues of M are rounding errors
# Squared singular values below this share of the largest are taken for that large at first.
LEAST = {np.dtype(np.float32): 1e-7, np.dtype(np.float64): 1e-15}


@dataclass(frozen=True)
class Solution:
    """The r leading eigenpairs of M at one ridge; of use until its solver is asked for the next."""

    problem: Problem
    threads: Threads
    ridge: float  # lambda
    values: np.ndarray  # mu, descending, (r,), as many as are not numerically zero
    residuals: np.ndarray  # ||M p - mu p|| of each pair, (r,)
    Phi: np.ndarray  # Phi' = B^-1 Xhat'Yhat P (Eq. 14), words x r
    iterations: int = 0  # block steps of the eigensolver; 0 for the dense solver
    converged: bool = True  # False if it stopped before its tolerance was met

    @property
    def rank(self) -> int:
        """The effective rank r."""
        return len(self.values)

    def maps(self, rank: int) -> list[np.ndarray]:
        """Per language words x rank, the rows of T of a fit of that rank (Eq. 15).

        Stacked, the columns are the left singular vectors of Phi', largest singular value first;
        the entry of largest magnitude in each is positive. Rather than to decompose Phi', its
        columns are made orthonormal by way of Phi Phi', as in the paper. That loses digits if they
        are nearly dependent; doing so once more restores them.
        """
        combine, V = self.threads.combine, self.Phi[:, :rank]
        s, Q = self._decomposed(V)
        V = combine(V, (Q / np.sqrt(s))[:, ::-1])
        s, Q = self._decomposed(V)
        return self._by_language(combine(V, (Q / np.sqrt(s)) @ Q.T))

    def _decomposed(self, V: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Eigenvalues of V'V, ascending and not too small, and eigenvectors."""
        G = self.threads.inner(V, V)
        s, Q = np.linalg.eigh((G + G.T) / 2)
        return np.maximum(s, LEAST[V.dtype] * s[-1]), Q

    def scaled_maps(self) -> list[np.ndarray]:
        """Per language words x r, the rows of Phi' diag(mu); the first columns are lower ranks'."""
        return self._by_language(self.Phi * self.values.astype(self.Phi.dtype))

    def _by_language(self, T: np.ndarray) -> list[np.ndarray]:
        T *= np.where(-T.min(axis=0) > T.max(axis=0), -1, 1).astype(T.dtype)
        return [T[words] for words in self.problem.words]

    def report(self, rank: int, asked: Collection[int]) -> dict[str, Any]:
        """Facts and warnings for the report of a fit of a rank, of those asked for."""
        said = []
        if not self.converged:
            said.append("the fit has NOT CONVERGED: raise the ridge")
        if rank not in asked:
            said.append(f"rank {max(asked)} reduced to {rank}: the data have no more")
        return {
            "rank": rank,
            "eigenvalues": self.values[:rank].tolist(),
            # ||M p - mu p|| / mu, the largest of all pairs
            "residual_max": float((self.residuals / self.values)[:rank].max()),
            "converged": self.converged,
            "solver": "iterative" if self.iterations else "dense",
            "iterations": self.iterations,
            "warnings": said,
        }


def count_nonzero(
    values: np.ndarray, problem: Problem, ridge: float, accuracy: float = ZERO
) -> int:
    """Number of leading eigenvalues above their accuracy, a share of their bound."""
    count = int(np.sum(values > accuracy * problem.counts.max()))
    if count == 0:
        raise UserError(
            f"Cr5, ridge {ridge:g}: no word tells one concept from another, so there is nothing "
            "to learn; expected two or more concepts with different words and a ridge that is "
            "not huge: check the training documents and the ridge"
        )
    return count
