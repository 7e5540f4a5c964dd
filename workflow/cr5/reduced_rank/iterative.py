"""The iterative solver, in the space of words: any size, any tolerance.

The eigenvectors W of `davidson`, B-orthonormal, give P = A'W / sqrt(mu), orthonormal. With what is
left, D = A P - B W sqrt(mu), and one linear system for each column, B E = D, follow

    Phi' = B^-1 A P = W sqrt(mu) + E        (Eq. 14)
    M P - P mu      = A'E

Of B E = D at least 0.7 is solved for, and so much that of B Phi' = A P no more than the hundredth
is left that the paper leaves (a tenth of the tolerance, where that is less); both as Jacobi's
preconditioner measures it, for in the plain norm a few frequent words would decide. Where a
residual of M is larger than allowed, the iteration goes on.
"""

import logging
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor

import numpy as np
from threadpoolctl import threadpool_limits

from cr5.reduced_rank import memory
from cr5.reduced_rank.basis import Basis
from cr5.reduced_rank.davidson import Davidson
from cr5.reduced_rank.operators import CentredFeatures, Concepts, CrossProduct, RidgeGram
from cr5.reduced_rank.orthonormal import signs
from cr5.reduced_rank.problem import Problem
from cr5.reduced_rank.solution import ZERO, Eigenpairs, count_nonzero

logger = logging.getLogger(__name__)

PAPER = 0.1  # the paper's tolerance of the eigensolver
INNER = 0.01  # the paper's tolerance of linear systems, relative to A P
SHARE = 0.1  # theirs relative to the tolerance of the eigensolver, where that is less
LEFT = 0.3  # theirs relative to D at most: E has to tell the residuals of M
# From this tolerance on single precision is enough.
SINGLE = 1e-3
# Estimated residuals are allowed to be this much larger than true ones: what they were on all
# corpora tried. Where it turns out too much, the iteration goes on with less, down to LEAST.
MARGIN, LEAST = 1.5, 1e-3
TINY = np.finfo(np.float32).tiny


def dtype_for(tolerance: float) -> type:
    """The type that a tolerance is computed in."""
    return np.float32 if tolerance >= SINGLE else np.float64


def eigenpairs(
    problem: Problem,
    rank: int,
    ridges: Sequence[float],
    tolerance: float,
    max_iterations: int,
    seed: int,
    threads: int = 1,
) -> Iterator[Eigenpairs]:
    """Solve at each ridge; the basis of one ridge is the start for the next.

    Args:
        problem: features and labels.
        rank: number of eigenpairs.
        ridges: each lambda, in turn.
        tolerance: on ||M p - mu p|| of each pair, relative to its mu. The error of mu is of
            the order of its square. From 0.001 on float32 is computed in, else float64.
        max_iterations: block steps, and steps of each conjugate gradient solve, at most.
        seed: of the random start.
        threads: changes no result.
    """
    dtype = dtype_for(tolerance)
    size = memory.basis_size(problem, rank, dtype)
    problem = problem.astype(dtype)
    with ThreadPoolExecutor(threads) as pool:
        solver = _Solver(problem, rank, size, seed, pool)
        for ridge in ridges:
            # Inside the loop: a limit must not last while the caller works with what is yielded.
            with threadpool_limits(1):
                pairs = solver.solve(ridge, tolerance, max_iterations)
            yield pairs


class _Solver:
    """What the fits at several ridges share: operators and the basis."""

    def __init__(self, problem: Problem, rank: int, size: int, seed: int, pool: Executor):
        self.problem, self.rank, self.seed = problem, rank, seed
        self.block = memory.block_size(rank)
        self.Xhat, self.Y = CentredFeatures(problem, pool), Concepts(problem, pool)
        self.A = CrossProduct(self.Xhat, self.Y)
        self.basis = Basis(self.Xhat, self.Y, size, memory.kept(rank), pool)
        # Eigenvalues that are not above it, relative to their bound, are rounding errors.
        self.accuracy = max(ZERO, 10 * np.finfo(self.Xhat.dtype).eps)

    def solve(self, ridge: float, tolerance: float, max_iterations: int) -> Eigenpairs:
        B = RidgeGram(self.Xhat, self.problem, ridge)
        self._start(B)
        davidson = Davidson(
            self.basis, B.ridge, self._preconditioner(B, max_iterations), self.rank, self.block
        )
        margin = MARGIN
        while True:
            allowed = self._allowed(margin * tolerance)
            finished = davidson.run(allowed, max_iterations)
            pairs = self._finish(B, tolerance, max_iterations, davidson.iterations)
            excess = (pairs.residuals / self._allowed(tolerance)(pairs.values)).max()
            steps = davidson.iterations
            logger.info("block step %d: residuals up to %.2f of what is allowed", steps, excess)
            if excess <= 1 or not finished or margin < LEAST:
                break
            margin *= 0.8 / excess
            del pairs  # they take memory
        _warn_unless_converged(pairs, excess)
        return pairs

    def _start(self, B: RidgeGram) -> None:
        """At the first ridge, A P / diagonal for random P; later what the basis has."""
        if self.basis.k:
            self.basis.change_ridge(B.ridge)
            return
        generator = np.random.default_rng(self.seed)
        for first in range(0, self.rank, self.block):
            shape = (self.problem.n_concepts, min(self.block, self.rank - first))
            P = generator.standard_normal(shape, self.Xhat.dtype)
            self.basis.append(self.A.matmat(P) / B.diagonal[:, None], B.ridge)

    def _preconditioner(self, B: RidgeGram, max_iterations: int):
        """Jacobi; in double precision, for tight tolerances, conjugate gradients.

        A tight tolerance is for small problems, where it has to be met even if lambda is small
        and B far from its diagonal.
        """
        if self.Xhat.dtype == np.float32:
            return lambda D: D / B.diagonal[:, None]
        return lambda D: B.solve(D, LEFT, max_iterations).value

    def _allowed(self, tolerance: float):
        """From eigenvalues to residuals allowed: not less than rounding errors."""
        zero = self.accuracy * self.problem.counts.max()

        def allowed(mu: np.ndarray) -> np.ndarray:
            rounding = 100 * np.finfo(self.Xhat.dtype).eps * mu.max(initial=0)
            return np.where(mu > zero, np.maximum(tolerance * mu, rounding), np.inf)

        return allowed

    def _finish(self, B, tolerance: float, max_iterations: int, iterations: int) -> Eigenpairs:
        theta = self.basis.theta[: self.rank]
        mu = theta[: count_nonzero(theta, self.problem, B.ridge, self.accuracy)].copy()
        P = np.empty((self.problem.n_concepts, len(mu)), self.Xhat.dtype)
        Phi = np.empty((self.Xhat.shape[1], len(mu)), self.Xhat.dtype)
        residuals, solved = np.empty(len(mu)), True
        inner = min(INNER, SHARE * tolerance)
        for first in range(0, len(mu), memory.FINISH):
            b = slice(first, min(first + memory.FINISH, len(mu)))
            P[:, b], Phi[:, b], residuals[b], converged = self._regress(B, b, inner, max_iterations)
            solved &= converged
        return Eigenpairs(
            ridge=float(B.ridge),
            values=mu,
            vectors=P,
            coefficients=Phi,
            residuals=residuals,
            converged=solved and bool((residuals <= self._allowed(tolerance)(mu)).all()),
            solver="iterative",
            iterations=iterations,
        )

    def _regress(self, B: RidgeGram, chosen: slice, inner: float, max_iterations: int):
        """P, Phi', the residuals of M, and whether the systems were solved, for some pairs."""
        w, z = self.basis.ritz_vectors(chosen)
        mu = self.basis.theta[chosen].astype(w.dtype)
        root = np.sqrt(mu)
        P = self.Y.adjoint(z) / root
        D = self.basis.residuals(w, z, mu, B.ridge) / root
        w *= root
        left = inner * _norms(self.A.matmat(P), B) / np.maximum(_norms(D, B), TINY)
        left = np.minimum(LEFT, left)
        solve = B.solve(D, left, max_iterations)
        logger.info("conjugate gradients: %d steps", solve.iterations)
        w += solve.value
        residuals = np.linalg.norm(self.A.adjoint(solve.value), axis=0)
        flip = signs(P)
        return P * flip, w * flip, residuals, solve.converged


def _norms(U: np.ndarray, B: RidgeGram) -> np.ndarray:
    """Of columns, as conjugate gradients measure them: rare words count as much as others."""
    return np.sqrt(np.einsum("ij,ij->j", U, U / B.diagonal[:, None]))


def _warn_unless_converged(pairs: Eigenpairs, excess: float) -> None:
    if pairs.converged:
        return
    logger.warning(
        "Cr5, ridge %g: NOT CONVERGED after %d block steps. Largest residual %.1e, "
        "%.1f times what the tolerance allows. Raise max_iterations or tolerance.",
        pairs.ridge,
        pairs.iterations,
        pairs.residuals.max(),
        excess,
    )
