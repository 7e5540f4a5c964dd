"""The iterative solver, in the space of words: any size, any tolerance.

1. A start: the Ritz vectors of the same problem on a sample of the concepts, roughly converged,
   which cost a tenth to a fifth. (Measured on 20,000 concepts, before the random directions were
   added: 11 block steps instead of 15.) No residual would show what the sample lacks; hence some
   additional random directions over all concepts.
2. Block Davidson (`davidson`) until the estimated residuals are small enough.
3. The regression Phi' of these eigenvectors (`regression`), which gives their residuals. It takes
   the place of the Ritz vectors; if a residual is larger than allowed, the iteration continues.
"""

import logging
from collections.abc import Iterator, Sequence

import numpy as np

from cr5.systems.algebra.compiled import COLUMNS
from cr5.systems.algebra.threads import Threads
from cr5.systems.reduced_rank.basis import Basis, basis_size, block_size, kept
from cr5.systems.reduced_rank.davidson import Davidson
from cr5.systems.reduced_rank.operators import (
    WIDTH,
    CentredFeatures,
    Concepts,
    CrossProduct,
    RidgeGram,
)
from cr5.systems.reduced_rank.problem import Problem
from cr5.systems.reduced_rank.regression import regress
from cr5.systems.reduced_rank.solution import ZERO, Eigenpairs, count_nonzero

logger = logging.getLogger(__name__)

PAPER = 0.1  # the paper's tolerance of the eigensolver
MAX_ITERATIONS, CG_ITERATIONS = 250, 500  # the paper's limits of both
# From this tolerance on single precision is enough.
SINGLE = 1e-3
# Estimated residuals may be this much larger than true ones: they were 1.5 to 2.6 times as large
# on the corpora tried. If it is too much, the iteration continues with less, down to LEAST.
MARGIN, LEAST = 2.0, 1e-3
# The start is learnt from a sample of concepts, to the tolerance ROUGH: one in SHARE_OF, but at
# least PER_PAIR for each eigenpair, and at most a quarter of all.
SHARE_OF, PER_PAIR, ROUGH, ROUGH_STEPS = 10, 13, 0.45, 30
COMMON = 2  # documents of the sample that a word must be in; of the others the start knows nothing
# Pairs that are finished at a time: as many as fit into this, in steps of what is compiled.
FINISH_BYTES = 2.0 * 2**30
CODE = 0.15 * 2**30  # compiled, and what the allocator keeps (measured)
PRECONDITION = 0.3  # maximum remaining share of residuals in a step in double precision


def dtype_for(tolerance: float) -> type:
    """The floating-point type for a tolerance."""
    return np.float32 if tolerance >= SINGLE else np.float64


def eigenpairs(
    problem: Problem,
    rank: int,
    ridges: Sequence[float],
    tolerance: float,
    max_iterations: int,
    seed: int,
    threads: Threads,
    cg_iterations: int = CG_ITERATIONS,
) -> Iterator[Eigenpairs]:
    """Solve at each ridge; the basis of one ridge is the start for the next.

    Args:
        problem: features and labels.
        rank: number of eigenpairs.
        ridges: each lambda, in turn.
        tolerance: on ||M p - mu p|| of each pair, relative to its mu. The error of mu is of
            the order of its square. From 0.001 on computed in float32, else in float64.
        max_iterations: maximum number of block steps.
        seed: of the random start.
        threads: used for the computation; their number changes no result.
        cg_iterations: maximum number of steps of each conjugate gradient solve.
    """
    dtype = dtype_for(tolerance)
    size = basis_size(problem, rank, dtype)
    problem = problem.astype(dtype)
    with threads:
        solver = _Solver(problem, rank, size, seed, threads, cg_iterations)
        try:
            for ridge in ridges:
                yield solver.solve(ridge, tolerance, max_iterations)
        finally:
            del solver  # before the threads free their memory


class _Solver:
    """The state shared by the fits at several ridges: operators and the basis."""

    def __init__(
        self,
        problem: Problem,
        rank: int,
        size: int,
        seed: int,
        threads: Threads,
        cg_iterations: int,
    ):
        self.problem, self.rank, self.seed, self.threads = problem, rank, seed, threads
        self.cg_iterations = cg_iterations
        self.block, self.finished = block_size(rank), finished_at_a_time(problem)
        self.Xhat, self.Y = CentredFeatures(problem, threads), Concepts(problem, threads)
        self.basis = Basis(self.Xhat, self.Y, size, kept(rank), threads)
        # Eigenvalues not above it, relative to their bound, are rounding errors.
        self.accuracy = max(ZERO, 1000 * np.finfo(self.Xhat.dtype).eps)

    def solve(self, ridge: float, tolerance: float, max_iterations: int) -> Eigenpairs:
        B, davidson = self._begin(ridge)
        margin, pairs = MARGIN, None
        while pairs is None:
            finished = davidson.run(self._allowed(margin * tolerance), max_iterations)
            last = not finished or margin < LEAST
            pairs, excess = self._finish(B, davidson, tolerance, last)
            steps = davidson.iterations
            logger.info("block step %d: residuals up to %.2f of what is allowed", steps, excess)
            if pairs is None:
                margin *= 0.8 / excess
        _warn_unless_converged(pairs, excess)
        return pairs

    def _begin(self, ridge: float) -> tuple[RidgeGram, Davidson]:
        B = RidgeGram(self.Xhat, self.problem, ridge)
        self._start(B)
        precondition = self._preconditioner(B)
        return B, Davidson(self.basis, B.ridge, precondition, self.rank, self.block)

    def _start(self, B: RidgeGram) -> None:
        """Start from a sample and random directions at the first ridge, later from the basis."""
        if self.basis.k:
            self.basis.change_ridge(B.ridge)
            return
        generator, learnt = np.random.default_rng(self.seed), 0
        used = np.flatnonzero(self.problem.counts)
        size = max(len(used) // SHARE_OF, PER_PAIR * self.rank)
        if size <= len(used) // 4:
            concepts = np.sort(generator.choice(used, size, replace=False))
            learnt = self._append_learnt(concepts, B.ridge)
            logger.info("the start is learnt from %d of %d concepts", size, len(used))
        # Random directions show what the sample lacks: a residual cannot.
        self._append_random(max(self.rank - learnt, self.block), B, generator)

    def _append_random(self, count: int, B: RidgeGram, generator: np.random.Generator) -> None:
        """Append A P / diagonal for random P."""
        A = CrossProduct(self.Xhat, self.Y)
        for first in range(0, count, self.block):
            shape = (self.problem.n_concepts, min(self.block, count - first))
            P = generator.standard_normal(shape, self.Xhat.dtype)
            T = A.matmat(P)
            self.threads.divide(T, B.diagonal)
            self.basis.append(T, B.ridge)

    def _append_learnt(self, concepts: np.ndarray, ridge: float) -> int:
        """Append Ritz vectors of some concepts, roughly converged; return their number."""
        sample, known = self.problem.sample(concepts, COMMON)
        if not sample.n_words:
            return 0
        size = basis_size(sample, self.rank, self.Xhat.dtype)
        solver = _Solver(sample, self.rank, size, self.seed, self.threads, ROUGH_STEPS)
        _, davidson = solver._begin(ridge)
        davidson.run(solver._allowed(ROUGH), ROUGH_STEPS)
        W = solver.basis.ritz_vectors(slice(0, self.rank))[0]
        del solver, davidson, sample  # before there are pages for the other basis
        learnt = W.shape[1]
        self.basis.make_room(learnt, ridge)
        w, _ = self.basis.free(learnt)
        w[:] = 0
        w[known] = W
        del W
        for first in range(0, learnt, self.block):
            self.basis.extend(min(self.block, learnt - first), ridge)
        return learnt

    def _preconditioner(self, B: RidgeGram):
        """Jacobi; in double precision, for tight tolerances, conjugate gradients.

        A tight tolerance is for small problems, where it must be met even if lambda is small
        and B far from its diagonal.
        """
        if self.Xhat.dtype == np.float32:
            return lambda D: self.threads.divide(D, B.diagonal)

        def solve(D: np.ndarray) -> np.ndarray:
            T = B.solve(D.copy(), PRECONDITION, self.cg_iterations).value
            products = self.threads.dots(D, T)
            D[:] = T
            return products

        return solve

    def _allowed(self, tolerance: float):
        """Map eigenvalues to allowed residuals: not less than rounding errors."""
        zero = self.accuracy * self.problem.counts.max()

        def allowed(mu: np.ndarray) -> np.ndarray:
            rounding = 100 * np.finfo(self.Xhat.dtype).eps * mu.max(initial=0)
            return np.where(mu > zero, np.maximum(tolerance * mu, rounding), np.inf)

        return allowed

    def _finish(
        self, B: RidgeGram, davidson: Davidson, tolerance: float, last: bool
    ) -> tuple[Eigenpairs | None, float]:
        """Pairs and their largest residual as a share of what is allowed.

        Unless it is the last attempt, it ends with None if one has too large a residual.
        """
        theta = self.basis.theta[: self.rank]
        mu = theta[: count_nonzero(theta, self.problem, B.ridge, self.accuracy)].copy()
        self.basis.restart(B.ridge)
        self.basis.trim()
        P = np.empty((self.problem.n_concepts, len(mu)), self.Xhat.dtype)
        residuals, solved, allowed = np.zeros(len(mu)), True, self._allowed(tolerance)(mu)
        for first in range(0, len(mu), self.finished):
            b = slice(first, min(first + self.finished, len(mu)))
            part = regress(self.basis, B, b, self.cg_iterations)
            # So that the iteration continues where a residual is too large, and nowhere else.
            large = part.residuals > allowed[b]
            davidson.estimates[b] = np.where(large, MARGIN * part.residuals, 0)
            P[:, b], residuals[b] = part.vectors, part.residuals
            solved &= part.converged
            excess = float((residuals / allowed).max())
            if excess > 1 and not last:
                self.basis.measure(B.ridge)
                return None, excess
        Phi = np.array(self.basis.columns()[0][:, : len(mu)], order="C")
        pairs = Eigenpairs(
            ridge=B.ridge,
            values=mu,
            vectors=P,
            coefficients=Phi,
            residuals=residuals,
            converged=solved and excess <= 1,
            solver="iterative",
            iterations=davidson.iterations,
        )
        return pairs, excess


def _warn_unless_converged(pairs: Eigenpairs, excess: float) -> None:
    if pairs.converged:
        return
    start = f"Cr5, ridge {pairs.ridge:g}: NOT CONVERGED after {pairs.iterations} block steps. "
    if excess > 1:
        logger.warning(
            "%sLargest residual %.1e, %.1f times what the tolerance allows. "
            "Raise max_iterations or tolerance.",
            start,
            pairs.residuals.max(),
            excess,
        )
    else:
        logger.warning(
            "%sThe residuals are small enough, but the linear systems were not solved within "
            "cg_iterations steps. Raise it, or the ridge.",
            start,
        )


def finished_at_a_time(problem: Problem) -> int:
    """Pairs whose regression is solved together: a function of the problem alone."""
    item = np.dtype(problem.features[0].dtype).itemsize
    affordable = int(FINISH_BYTES // (item * _finish_rows(problem) * COLUMNS)) * COLUMNS
    return min(max(affordable, COLUMNS), WIDTH)


def _finish_rows(problem: Problem) -> int:
    """Numbers held for each pair while its regression is solved."""
    return problem.n_documents + 5 * problem.n_unknowns + 2 * problem.n_concepts


def iterative_bytes(problem: Problem, rank: int, dtype: type) -> int:
    """Estimated bytes of the iterative solver besides the features that it is given.

    Args:
        problem: features and labels.
        rank: number of eigenpairs.
        dtype: of the computation.
    """
    item = np.dtype(dtype).itemsize
    n, p, K = problem.n_documents, problem.n_unknowns, problem.n_concepts
    nonzeros = sum(X.nnz for X in problem.features + problem.prior)
    copied = item * nonzeros if problem.features[0].dtype != dtype else 0
    beside = problem.n_words if problem.prior else 0  # rows of words, beside those of unknowns
    size, left, block = basis_size(problem, rank, dtype), kept(rank), block_size(rank)
    start, step = (size + rank) * p, size * (n + p) + block * (n + p + K)
    trimming = max(size * (n + p) + left * p, left * (n + p) + size * n)
    finish = rank * K + finished_at_a_time(problem) * _finish_rows(problem)
    ended = left * (n + p) + max(finish, rank * (p + K + beside))
    sums = n // Threads.rows * 2 * block * size  # of products with the basis, not yet added up
    deflation = 2 * len(problem.features) * p
    others = sums + deflation + WIDTH * (p + beside)
    return round(copied + item * (max(start, step, trimming, ended) + others) + CODE)
