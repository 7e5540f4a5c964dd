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

import numpy as np

from cr5.systems.algebra.threads import Threads
from cr5.systems.ridge.basis import Basis, Features
from cr5.systems.ridge.linear_systems import conjugate_gradients
from cr5.systems.ridge.problem import Problem, Solution, count_nonzero

logger = logging.getLogger(__name__)

EPS = np.finfo(np.float32).eps
MAX_ITERATIONS = 250  # the paper's
# The basis is as wide as is worthwhile (measured), or as fits into this.
BASIS_BYTES = 4.3 * 2**30
BLOCK = 96
STEPS = 7  # block steps between two restarts, unless the basis would be too large
SMALL = 256  # columns that any basis may have
# Estimated residuals may be this much larger than true ones: they were 1.5 to 2.6 times as large
# on the corpora tried. If it is too much, the iteration continues with less, down to LEAST.
MARGIN = 2.0
LEAST = 1e-3
# The start is learnt from a sample of concepts, to the tolerance ROUGH: one in SHARE_OF, but at
# least PER_PAIR for each eigenpair, and at most a quarter of all.
SHARE_OF = 10
PER_PAIR = 13
ROUGH = 0.45
ROUGH_STEPS = 30
COMMON = 2  # documents of the sample that a word must be in; of the others the start knows nothing
ZERO = 1000 * EPS  # share of their bound below which eigenvalues are rounding errors
FINISHED = 64  # pairs that are finished at a time: 2 GB in the paper's shape


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
        self.problem = problem.astype(np.float32)
        self.rank = min(rank, problem.n_concepts)
        self.size = basis_size(problem, self.rank)
        self.block = min(self.rank, BLOCK)
        self.threads = threads
        self.seed = seed
        self.Xhat = Features(self.problem, threads)
        self.variances = problem.variances[:, None]
        self.basis: Basis | None = None

    def solve(self, ridge: float) -> Solution:
        """Iterate until the residuals are small enough, and regress."""
        self._begin(ridge)
        margin = MARGIN
        while True:
            is_done = self._iterate(margin * self.tolerance, MAX_ITERATIONS)
            residuals, is_solved = self._regress()
            allowed = self._allowed(self.tolerance)[: len(residuals)]
            excess = float((residuals / allowed).max())
            steps = self.iterations
            logger.info("block step %d: residuals up to %.2f of what is allowed", steps, excess)
            if excess <= 1 or not is_done or margin < LEAST:
                break
            margin *= 0.8 / excess
            self.basis.measure(ridge)
        converged = excess <= 1 and is_solved
        if not converged:
            logger.warning("Cr5, ridge %g: NOT CONVERGED after %d block steps", ridge, steps)
        return Solution(
            self.problem,
            self.threads,
            ridge,
            self.mu,
            residuals,
            Phi=self.problem.word_vectors(self.basis.W[:, : len(residuals)]),
            iterations=steps,
            converged=converged,
        )

    def _begin(self, ridge: float) -> None:
        """Start from the basis, or at the first ridge from a sample and random directions."""
        self.iterations = 0
        self.next_pair = 0
        self.estimates = np.full(self.rank, np.inf)  # of the residual of each pair
        self.diagonal = (self.variances + ridge).astype(np.float32)  # of B
        if self.basis is not None:
            self.basis.measure(ridge)
            return
        self.basis = Basis(self.Xhat, self.size, n_kept(self.rank), ridge)
        generator = np.random.default_rng(self.seed)
        n_learnt = self._append_learnt(generator)
        # Random directions show what the sample lacks: a residual cannot.
        self._append_random(generator, max(self.rank - n_learnt, self.block))

    def _append_learnt(self, generator: np.random.Generator) -> int:
        """Append what a sample of the concepts tells, if they are enough; return its columns."""
        used = np.flatnonzero(self.problem.counts)
        size = max(len(used) // SHARE_OF, PER_PAIR * self.rank)
        if size > len(used) // 4:
            return 0
        concepts = np.sort(generator.choice(used, size, replace=False))
        n_learnt = self._append_ritz_vectors(concepts)
        logger.info("the start is learnt from %d of %d concepts", size, len(used))
        return n_learnt

    def _append_ritz_vectors(self, concepts: np.ndarray) -> int:
        """Append Ritz vectors of some concepts, roughly converged; return their number."""
        sample, unknowns = self.problem.sample(concepts, COMMON)
        if not sample.n_words:
            return 0
        solver = Iterative(sample, self.rank, self.threads, self.seed)
        solver._begin(self.basis.ridge)
        solver._iterate(ROUGH, ROUGH_STEPS)
        W = self.threads.combine(solver.basis.W, solver.basis.S[:, : self.rank])
        n_learnt = W.shape[1]
        del solver, sample  # before there are pages for the other basis
        w, _ = self.basis.room(n_learnt)
        w[:] = 0
        w[unknowns] = W
        del W
        for first in range(0, n_learnt, self.block):
            self.basis.extend(min(self.block, n_learnt - first))
        return n_learnt

    def _append_random(self, generator: np.random.Generator, count: int) -> None:
        """Append the directions of random vectors of concepts P: roughly B^-1 A P."""
        every_document = slice(None)
        for first in range(0, count, self.block):
            width = min(self.block, count - first)
            P = generator.standard_normal((self.problem.n_concepts, width), np.float32)
            w, z = self.basis.room(width)
            z[:] = self.Xhat.of_concept(P, every_document)
            w[:] = 0
            self._precondition(self.Xhat.adjoint(z, w))
            self.basis.extend(width)

    def _precondition(self, D: np.ndarray) -> np.ndarray:
        """Overwrite residuals D by directions T, roughly B^-1 D; return d't of each."""

        def divide(rows: slice) -> np.ndarray:
            T = D[rows] / self.diagonal[rows]
            products = np.einsum("ij,ij->j", D[rows], T)
            D[rows] = T
            return products

        return self.threads.total(len(D), divide)

    def _allowed(self, tolerance: float) -> np.ndarray:
        """Return residuals allowed for the leading Ritz values: not less than rounding errors."""
        mu = self.basis.theta[: self.rank]
        rounding = 100 * EPS * mu.max(initial=0)
        is_zero = mu <= ZERO * self.problem.counts.max()
        return np.where(is_zero, np.inf, np.maximum(tolerance * mu, rounding))

    def _iterate(self, tolerance: float, max_iterations: int) -> bool:
        """Take steps until the estimated residuals are small enough; return whether they are."""
        while True:
            allowed = self._allowed(tolerance)
            pending = np.flatnonzero(self.estimates[: len(allowed)] > allowed)
            if not pending.size:
                return True
            if self.iterations >= max_iterations:
                return False
            # the next block of those, in turn
            start = np.searchsorted(pending, self.next_pair)
            chosen = np.roll(pending, -start)[: self.block]
            self.next_pair = chosen[-1] + 1
            self._step(np.sort(chosen))
            self.iterations += 1
            if self.iterations % 10 == 0:
                logger.info("block step %d: %d pairs to go", self.iterations, len(pending))

    def _step(self, chosen: np.ndarray) -> None:
        """Extend the basis by the preconditioned residuals of some Ritz pairs; estimate these.

        A residual is at most sqrt(d'B^-1 d mu_1 / mu), here with d't for d'B^-1 d.
        """
        basis = self.basis
        w, z = basis.room(len(chosen))
        mu = basis.theta[chosen]
        S = basis.S[:, chosen]
        self.threads.combine(basis.W, S, w)
        self.threads.combine(basis.Z, S, z)
        basis.residuals(w, z, mu.astype(w.dtype))
        products = self._precondition(w)
        tiny = np.finfo(np.float64).tiny
        bounds = products * basis.theta[0] / np.maximum(mu, tiny)
        self.estimates[chosen] = np.sqrt(np.maximum(bounds, 0))
        basis.extend(len(chosen))

    def _regress(self) -> tuple[np.ndarray, bool]:
        """Replace the Ritz vectors by their regression; residuals, and whether all was solved."""
        basis = self.basis
        theta = basis.theta[: self.rank]
        n_pairs = count_nonzero(theta, self.problem, basis.ridge, ZERO)
        self.mu = theta[:n_pairs].copy()
        basis.restart()
        basis.resize(basis.k)
        residuals = np.zeros(n_pairs)
        all_solved = True
        for first in range(0, n_pairs, FINISHED):
            columns = slice(first, min(first + FINISHED, n_pairs))
            residuals[columns], is_solved = self._regress_some(columns)
            all_solved = all_solved and is_solved
        # So that the iteration continues where a residual is too large, and nowhere else.
        is_large = residuals > self._allowed(self.tolerance)[:n_pairs]
        self.estimates[:n_pairs] = np.where(is_large, MARGIN * residuals, 0)
        return residuals, all_solved

    def _regress_some(self, columns: slice) -> tuple[np.ndarray, bool]:
        """Replace w by w sqrt(mu) + E with B E = D, z accordingly; return ||A'E|| of each."""
        w = self.basis.W[:, columns]
        z = self.basis.Z[:, columns]
        mu = self.basis.theta[columns].astype(w.dtype)
        root = np.sqrt(mu)
        D = self._remainders(w, z, mu, root)
        allowed = None
        if self.left is not None:
            allowed = self.left**2 * self._squares_of_right_sides(w, z, root)
        solution = conjugate_gradients(self.threads, self._gram, D, self.diagonal, allowed)
        del D
        logger.info("conjugate gradients: %d steps", solution.steps)
        XE = self.Xhat.matmat(solution.x)
        w *= root
        w += solution.x
        z *= root
        z += XE
        AE = self.Xhat.by_concept(XE)
        return np.sqrt(self.threads.dots(AE, AE)), solution.converged

    def _remainders(
        self, w: np.ndarray, z: np.ndarray, mu: np.ndarray, root: np.ndarray
    ) -> np.ndarray:
        """Return (A A'w - mu B w) / root, which is A p - B w root for p = A'w / root."""
        D = w.copy()
        self.basis.residuals(D, z.copy(), mu)
        D /= root
        return D

    def _squares_of_right_sides(self, w: np.ndarray, z: np.ndarray, root: np.ndarray) -> np.ndarray:
        """Return the squared length of each A p."""
        AP = self._remainders(w, z, np.zeros_like(root), root)
        return self.threads.dots(AP, AP)

    def _gram(self, U: np.ndarray) -> np.ndarray:
        """Return B U."""
        out = np.empty(U.shape, np.float32)
        ridge = np.float32(self.basis.ridge)

        def multiply(rows: slice) -> None:
            out[rows] = ridge * U[rows]

        self.threads.each(len(out), multiply)
        return self.Xhat.adjoint(self.Xhat.matmat(U), out)


def n_kept(rank: int) -> int:
    """Return the number of Ritz vectors that a restart keeps."""
    return rank + min(rank, BLOCK) // 4


def basis_size(problem: Problem, rank: int) -> int:
    """Return the columns of the basis, a function of the problem alone, so that results are too."""
    block = min(rank, BLOCK)
    bytes_of_column = 4 * (problem.n_documents + problem.n_unknowns)
    affordable = int(BASIS_BYTES // bytes_of_column)
    steps = min(STEPS, (affordable - n_kept(rank)) // block)
    useful = min(affordable, SMALL, problem.n_unknowns + block)
    return max(n_kept(rank) + max(steps, 1) * block, useful)
