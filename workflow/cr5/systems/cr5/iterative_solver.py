r"""The iterative solver, in the space of words: block Davidson, Jacobi-preconditioned.

The paper's route applies M = A'B^-1 A, one inner linear system per product. The pencil (A A', B)
has the same eigenvalues and needs products with A and B only: each step adds to the basis the
residuals of some Ritz vectors, divided by the diagonal of B, with one pass over the data per
vector. (Measured on 20,000 made-up concepts in two languages, r = 300, to 99 % of the optimum:
LOBPCG takes as many passes with more dense work; solving B t = residual, or the Jacobi-Davidson
equation, by some steps of conjugate gradients saves no step, or less than it costs.)

1. A start: the Ritz vectors of the same problem on a sample of the concepts, roughly converged,
   which cost a tenth to a fifth and save a quarter of the steps. No residual would show what the
   sample lacks; hence some random directions over all concepts. Another lambda starts from the
   basis.
2. Steps until the estimated residuals are small enough. In the paper's terms, ||M p - mu p|| with
   p = A'w / sqrt(mu), a residual is ||A'B^-1 d|| / sqrt(mu) for d = A A'w - mu B w, and at most
   sqrt(d'B^-1 d mu_1 / mu). With the direction t in place of B^-1 d this bound is an estimate that
   costs nothing. (||A't|| / sqrt(mu) is none: d is orthogonal to the basis, and A't vanishes where
   the basis has a preconditioned A in it.)
3. The regression Phi' of these eigenvectors, which gives their residuals. B-orthonormal W with
   A A'W = B W diag(mu) up to a residual give P = A'W / sqrt(mu), orthonormal. From the remainder
   D = A P - B W sqrt(mu), and one linear system per column, B E = D, follow

       Phi' = B^-1 A P = W sqrt(mu) + E        (Eq. 14)
       M P - P mu      = A'E

   It takes the place of the Ritz vectors, being nearer to the eigenvectors; if a residual is larger
   than allowed, the iteration continues. B E = D is solved until a share of D is left. As D is
   about `tolerance` times A P (measured), that share of the tolerance is what B Phi' = A P is
   solved to, .04 to .09 (measured); the paper solves it to 0.01, as `left` does. The residuals of M
   are underestimated thereby, by 5 % at 8 million nonzeros (measured).
"""

import logging
from collections.abc import Callable

import numpy as np

from cr5.systems.algebra.threads import Threads
from cr5.systems.cr5.basis import Basis, Features, whiten
from cr5.systems.cr5.problem import Problem, Solution, count_nonzero

logger = logging.getLogger(__name__)

EPS = np.finfo(np.float32).eps
MAX_ITERATIONS, CG_ITERATIONS = 250, 500  # the paper's limits of both
# The basis is as wide as is worthwhile (measured), or as fits into this.
BASIS_BYTES = 4.3 * 2**30
BLOCK = 96
STEPS = 7  # block steps between two restarts, unless the basis would be too large
SMALL = 256  # columns that any basis may have
# Estimated residuals may be this much larger than true ones: they were 1.5 to 2.6 times as large
# on the corpora tried. If it is too much, the iteration continues with less, down to LEAST.
MARGIN, LEAST = 2.0, 1e-3
# The start is learnt from a sample of concepts, to the tolerance ROUGH: one in SHARE_OF, but at
# least PER_PAIR for each eigenpair, and at most a quarter of all.
SHARE_OF, PER_PAIR, ROUGH, ROUGH_STEPS = 10, 13, 0.45, 30
COMMON = 2  # documents of the sample that a word must be in; of the others the start knows nothing
ZERO = 1000 * EPS  # share of their bound below which eigenvalues are rounding errors
LEFT = 0.4  # share of D that is left, if no share of A P is given
FINISHED = 64  # pairs that are finished at a time: 2 GB in the paper's shape
# Directions of conjugate gradients that lie closer to the span of the others than this share of
# their squared length, in the norm of B, are left out.
DEPENDENT = 1e-5


class Iterative:
    """The solver, in single precision; it keeps its basis from one lambda to the next."""

    # on ||M p - mu p|| of each pair, relative to its mu, whose error is of the order of its square;
    # that of the maps may be larger at ridges far below 1, or if rows are not normalised
    tolerance = 0.1  # the paper's

    def __init__(
        self,
        problem: Problem,
        rank: int,
        threads: Threads,
        seed: int = 0,
        left: float | None = None,
    ):
        """Begin; `left` is the share of A P that the solution of B Phi' = A P may leave."""
        self.left = left
        self.problem, self.rank = problem.astype(np.float32), min(rank, problem.n_concepts)
        self.size, self.block = basis_size(problem, self.rank), min(self.rank, BLOCK)
        self.threads, self.seed = threads, seed
        self.Xhat, self.variances = Features(self.problem, threads), problem.variances[:, None]
        self.basis: Basis | None = None

    def solve(self, ridge: float) -> Solution:
        """Iterate until the residuals are small enough, and regress."""
        self._begin(ridge)
        margin = MARGIN
        while True:
            done = self._iterate(margin * self.tolerance, MAX_ITERATIONS)
            residuals, solved = self._regress()
            excess = float((residuals / self._allowed(self.tolerance)[: len(residuals)]).max())
            steps = self.iterations
            logger.info("block step %d: residuals up to %.2f of what is allowed", steps, excess)
            if excess <= 1 or not done or margin < LEAST:
                break
            margin *= 0.8 / excess
            self.basis.measure(ridge)
        if not (converged := excess <= 1 and solved):
            logger.warning("Cr5, ridge %g: NOT CONVERGED after %d block steps", ridge, steps)
        W = self.problem.word_vectors(self.basis.W[:, : len(residuals)])
        found = ridge, self.mu, residuals, W
        how = {"iterations": steps, "converged": converged}
        return Solution(self.problem, self.threads, *found, **how)

    def _begin(self, ridge: float) -> None:
        """Start from the basis, or at the first ridge from a sample and random directions."""
        self.iterations = self.next = 0
        self.estimates = np.full(self.rank, np.inf)
        self.diagonal = (self.variances + ridge).astype(np.float32)
        if self.basis:
            self.basis.measure(ridge)
            return
        self.basis = Basis(self.Xhat, self.size, kept(self.rank), ridge)
        generator, learnt = np.random.default_rng(self.seed), 0
        used = np.flatnonzero(self.problem.counts)
        size = max(len(used) // SHARE_OF, PER_PAIR * self.rank)
        if size <= len(used) // 4:
            concepts = np.sort(generator.choice(used, size, replace=False))
            learnt = self._append_learnt(concepts)
            logger.info("the start is learnt from %d of %d concepts", size, len(used))
        # Random directions show what the sample lacks: a residual cannot.
        count = max(self.rank - learnt, self.block)
        for first in range(0, count, self.block):
            shape = (self.problem.n_concepts, min(self.block, count - first))
            P = generator.standard_normal(shape, np.float32)
            w, z = self.basis.room(shape[1])
            z[:], w[:] = self.Xhat.of_concept(P, slice(None)), 0
            self._precondition(self.Xhat.adjoint(z, w))
            self.basis.extend(shape[1])

    def _append_learnt(self, concepts: np.ndarray) -> int:
        """Append Ritz vectors of some concepts, roughly converged; return their number."""
        sample, known = self.problem.sample(concepts, COMMON)
        if not sample.n_words:
            return 0
        solver = Iterative(sample, self.rank, self.threads, self.seed)
        solver._begin(self.basis.ridge)
        solver._iterate(ROUGH, ROUGH_STEPS)
        W = self.threads.combine(solver.basis.W, solver.basis.S[:, : self.rank])
        learnt = W.shape[1]
        del solver, sample  # before there are pages for the other basis
        w, _ = self.basis.room(learnt)
        w[:] = 0
        w[known] = W
        del W
        for first in range(0, learnt, self.block):
            self.basis.extend(min(self.block, learnt - first))
        return learnt

    def _precondition(self, D: np.ndarray) -> np.ndarray:
        """Overwrite residuals D by directions T, roughly B^-1 D; return d't of each."""

        def work(rows: slice) -> np.ndarray:
            T = D[rows] / self.diagonal[rows]
            products = np.einsum("ij,ij->j", D[rows], T)
            D[rows] = T
            return products

        return self.threads.total(len(D), work)

    def _allowed(self, tolerance: float) -> np.ndarray:
        """Residuals allowed for the leading Ritz values: not less than rounding errors."""
        mu = self.basis.theta[: self.rank]
        rounding = 100 * EPS * mu.max(initial=0)
        is_zero = mu <= ZERO * self.problem.counts.max()
        return np.where(is_zero, np.inf, np.maximum(tolerance * mu, rounding))

    def _iterate(self, tolerance: float, max_iterations: int) -> bool:
        """Take steps until the estimated residuals are small enough; return whether they are."""
        while True:
            allowed = self._allowed(tolerance)
            pending = np.flatnonzero(self.estimates[: len(allowed)] > allowed)
            if not pending.size or self.iterations >= max_iterations:
                return not pending.size
            # the next block of those, in turn
            chosen = np.roll(pending, -np.searchsorted(pending, self.next))[: self.block]
            self.next = chosen[-1] + 1
            self._step(np.sort(chosen))
            self.iterations += 1
            if self.iterations % 10 == 0:
                logger.info("block step %d: %d pairs to go", self.iterations, len(pending))

    def _step(self, chosen: np.ndarray) -> None:
        basis, n = self.basis, len(chosen)
        w, z = basis.room(n)
        mu, S = basis.theta[chosen], basis.S[:, chosen]
        for matrix, out in ((basis.W, w), (basis.Z, z)):
            self.threads.combine(matrix, S, out)
        basis.residuals(w, z, mu.astype(w.dtype))
        tiny = np.finfo(np.float64).tiny
        bounds = self._precondition(w) * basis.theta[0] / np.maximum(mu, tiny)
        self.estimates[chosen] = np.sqrt(np.maximum(bounds, 0))
        basis.extend(n)

    def _regress(self) -> tuple[np.ndarray, bool]:
        """Replace the Ritz vectors by their regression; residuals, and whether all was solved."""
        basis, theta = self.basis, self.basis.theta[: self.rank]
        self.mu = theta[: count_nonzero(theta, self.problem, basis.ridge, ZERO)].copy()
        basis.restart()
        basis.resize(basis.k)
        residuals, solved = np.zeros(len(self.mu)), True
        for first in range(0, len(self.mu), FINISHED):
            columns = slice(first, min(first + FINISHED, len(self.mu)))
            residuals[columns], done = self._regress_some(columns)
            solved &= done
        # So that the iteration continues where a residual is too large, and nowhere else.
        large = residuals > self._allowed(self.tolerance)[: len(residuals)]
        self.estimates[: len(residuals)] = np.where(large, MARGIN * residuals, 0)
        return residuals, solved

    def _regress_some(self, columns: slice) -> tuple[np.ndarray, bool]:
        w, z = self.basis.W[:, columns], self.basis.Z[:, columns]
        mu = self.basis.theta[columns].astype(w.dtype)
        root, D = np.sqrt(mu), w.copy()
        self.basis.residuals(D, z.copy(), mu)
        D /= root
        allowed = None
        if self.left is not None:
            AP = w.copy()
            self.basis.residuals(AP, z.copy(), np.zeros_like(mu))
            AP /= root
            allowed = self.left**2 * self.threads.dots(AP, AP)
            del AP
        E, steps = conjugate_gradients(self.threads, self._gram, D, self.diagonal, allowed)
        del D
        logger.info("conjugate gradients: %d steps", steps)
        change = self.Xhat.matmat(E)
        for matrix, added in ((w, E), (z, change)):
            matrix *= root
            matrix += added
        change = self.Xhat.by_concept(change)
        return np.sqrt(self.threads.dots(change, change)), steps <= CG_ITERATIONS

    def _gram(self, U: np.ndarray) -> np.ndarray:
        """B U."""
        out, ridge = np.empty(U.shape, np.float32), np.float32(self.basis.ridge)

        def start(rows: slice) -> None:
            out[rows] = ridge * U[rows]

        self.threads.each(len(out), start)
        return self.Xhat.adjoint(self.Xhat.matmat(U), out)


def conjugate_gradients(
    threads: Threads,
    operator: Callable[[np.ndarray], np.ndarray],
    r: np.ndarray,
    diagonal: np.ndarray,
    allowed: np.ndarray | None = None,
) -> tuple[np.ndarray, int]:
    """Solve B x = r for each column of r until `LEFT` of its residual is left; x, and the steps.

    Or until the squared length of each column's residual, in the plain norm as in the paper, is at
    most what is `allowed`.

    All right-hand sides share one Krylov space: each step minimises the error of every one of them,
    in the norm of B, over the directions of all (O'Leary: The block conjugate gradient algorithm
    and related methods, Linear Algebra Appl. 29, 1980). To leave 0.4 of the residuals takes 2 steps
    for 96 right-hand sides that take 3 one by one (measured, 31,000 concepts in four languages).

    Centring over all languages at once leaves the differences between them in B: languages - 1
    eigenvalues far above the others (measured, relative to the diagonal: 76, then 9.5), which the
    shared space soon has. To deflate by them saves 3 of 16 steps of 28 languages, and none of two.

    The operator applies B, and r is overwritten by the residuals. Word frequencies follow Zipf's
    law, so the diagonal (size x 1) spans orders of magnitude, and dividing by it (Jacobi) saves
    most of the steps. It has a part in the norm of residuals as well: in the plain one a few
    frequent words would decide. Steps are one more than `CG_ITERATIONS` if these were not enough.
    """
    x, d = np.zeros_like(r), np.empty_like(r)
    Q = Bd = share = None

    is_relative = allowed is None

    def squares(rows: slice) -> np.ndarray:
        weighted = r[rows] / diagonal[rows] if is_relative else r[rows]
        return np.einsum("ij,ij->j", r[rows], weighted)

    def direct(rows: slice) -> None:
        found = r[rows] / diagonal[rows]
        if share is not None:
            found -= d[rows] @ share
        d[rows] = found

    def products(rows: slice) -> np.ndarray:
        return d[rows].T @ np.concatenate([Bd[rows], r[rows]], axis=1)

    def step(rows: slice) -> np.ndarray:
        x[rows] += d[rows] @ alpha
        r[rows] -= Bd[rows] @ alpha
        return squares(rows)

    def coupled(rows: slice) -> np.ndarray:
        return Bd[rows].T @ (r[rows] / diagonal[rows])

    n, steps = len(r), 0
    left = threads.total(n, squares)
    if is_relative:
        allowed = LEFT**2 * left
    while np.any(left > allowed):
        steps += 1
        if steps > CG_ITERATIONS:
            break
        if Bd is not None:
            share = (Q @ (Q.T @ threads.total(n, coupled))).astype(np.float32)
            Bd = None
        threads.each(n, direct)
        Bd = operator(d)
        G, dr = np.split(threads.total(n, products), 2, axis=1)
        Q = whiten(G, np.diag(G), DEPENDENT)
        alpha = (Q @ (Q.T @ dr)).astype(np.float32)
        left = threads.total(n, step)
    return x, steps


def kept(rank: int) -> int:
    """Ritz vectors that a restart keeps."""
    return rank + min(rank, BLOCK) // 4


def basis_size(problem: Problem, rank: int) -> int:
    """Columns of the basis: a function of the problem alone, so that results are too."""
    n, p, block = problem.n_documents, problem.n_unknowns, min(rank, BLOCK)
    affordable = int(BASIS_BYTES // (4 * (n + p)))
    steps = min(STEPS, (affordable - kept(rank)) // block)
    useful = min(affordable, SMALL, p + block)
    return max(kept(rank) + max(steps, 1) * block, useful)
