"""The matrices of the problem as operators on blocks of columns; nothing large is formed."""

import numpy as np
from scipy import sparse

from cr5.reduced_rank import conjugate_gradients
from cr5.reduced_rank.conjugate_gradients import Solve
from cr5.reduced_rank.problem import Problem

# b and J of the rank-one correction are computed once, so they may be near rounding level.
TIGHT = 1e-13


class CrossProduct:
    """A = Xhat'Yhat, stacked words x concepts."""

    def __init__(self, problem: Problem):
        self.problem = problem
        self.shape = (len(problem.word_sums), problem.n_concepts)

    def matmat(self, P: np.ndarray) -> np.ndarray:
        """A P = X'(Y P - 1 y'P), y = Y'1/n, for P with K rows."""
        problem = self.problem
        means = problem.counts / problem.n_documents @ P
        pairs = zip(problem.features, problem.labels, strict=True)
        return np.vstack([X.T @ (Y @ P - means) for X, Y in pairs])

    def adjoint(self, U: np.ndarray) -> np.ndarray:
        """A'U = Y'(X U - 1 m'U), m = X'1/n, for U with p rows."""
        problem = self.problem
        means = problem.word_sums / problem.n_documents @ U
        blocks = np.split(U, problem.offsets)
        parts = zip(problem.features, problem.labels, blocks, strict=True)
        return sum(Y.T @ (X @ block - means) for X, Y, block in parts)


class LanguageGram:
    """D_l = X_l'X_l + lambda I of one language, words x words; its own adjoint."""

    def __init__(self, X: sparse.csr_matrix, ridge: float):
        self.X = X
        self.ridge = ridge
        self.shape = (X.shape[1], X.shape[1])
        self.diagonal = X.power(2).T @ np.ones(X.shape[0]) + ridge

    def matmat(self, U: np.ndarray) -> np.ndarray:
        """D_l U."""
        return self.X.T @ (self.X @ U) + self.ridge * U

    def solve(self, rhs: np.ndarray, tolerance: float, max_iterations: int) -> Solve:
        """D_l^-1 applied to each column of `rhs`."""
        return conjugate_gradients.solve(self.matmat, rhs, self.diagonal, tolerance, max_iterations)


class InverseGram:
    """B^-1 = (Xhat'Xhat + lambda I)^-1 = D^-1 + b b' / J on the stacked words; self-adjoint.

    Every application solves one system per language; `converged` turns False, and stays so,
    when one of them has not met the tolerance.
    """

    def __init__(self, problem: Problem, ridge: float, tolerance: float, max_iterations: int):
        self.offsets = problem.offsets
        self.blocks = [LanguageGram(X, ridge) for X in problem.features]
        self.tolerance = tolerance
        self.max_iterations = max_iterations
        sums = problem.word_sums
        self.shape = (len(sums), len(sums))
        self.converged = True
        self.b = self._solve_blocks(sums[:, None], TIGHT)[:, 0]
        fitted = zip(problem.features, np.split(self.b, self.offsets), strict=True)
        misfit = sum(np.sum((1 - X @ b) ** 2) for X, b in fitted)
        self.J = misfit + ridge * self.b @ self.b

    def matmat(self, U: np.ndarray) -> np.ndarray:
        """B^-1 U to the tolerance."""
        return self._solve_blocks(U, self.tolerance) + np.outer(self.b, self.b @ U / self.J)

    def _solve_blocks(self, U: np.ndarray, tolerance: float) -> np.ndarray:
        parts = zip(self.blocks, np.split(U, self.offsets), strict=True)
        solves = [D.solve(part, tolerance, self.max_iterations) for D, part in parts]
        self.converged &= all(solve.converged for solve in solves)
        return np.vstack([solve.value for solve in solves])
