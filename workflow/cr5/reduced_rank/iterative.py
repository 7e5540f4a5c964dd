"""The iterative solver, in the space of words, as the paper describes it."""

import logging
from collections.abc import Iterator, Sequence

import numpy as np
from threadpoolctl import threadpool_limits

from cr5.reduced_rank import block_krylov
from cr5.reduced_rank.operators import CrossProduct, InverseGram
from cr5.reduced_rank.orthonormal import fix_signs
from cr5.reduced_rank.problem import Problem
from cr5.reduced_rank.solution import ZERO, Eigenpairs, count_nonzero

logger = logging.getLogger(__name__)

# Columns of the block beyond the rank: they speed up the last eigenpairs.
OVERSAMPLING = 10
# Conjugate gradients stop at this share of the tolerance, so that their error does not show.
INNER = 0.1


def eigenpairs(
    problem: Problem,
    rank: int,
    ridges: Sequence[float],
    tolerance: float,
    max_iterations: int,
    seed: int,
) -> Iterator[Eigenpairs]:
    """Solve at each ridge; the eigenvectors of one ridge are the start for the next.

    Args:
        problem: features and labels.
        rank: number of eigenpairs.
        ridges: each lambda, in turn.
        tolerance: on ||M p - mu p||, relative to the largest mu.
        max_iterations: block steps, and steps of each conjugate gradient solve, at most.
        seed: of the random start.
    """
    K = problem.n_concepts
    generator = np.random.default_rng(seed)
    start = generator.standard_normal((K, min(K, rank + OVERSAMPLING)))
    for ridge in ridges:
        with threadpool_limits(1):
            pairs = _solve(problem, start, rank, ridge, tolerance, max_iterations)
        start = np.hstack([pairs.vectors, start[:, pairs.vectors.shape[1] :]])
        yield pairs


def _solve(problem, start, rank, ridge, tolerance, max_iterations) -> Eigenpairs:
    A = CrossProduct(problem)
    inverse = InverseGram(problem, ridge, INNER * tolerance, max_iterations)
    ritz = block_krylov.leading_eigenpairs(
        lambda P: A.adjoint(inverse.matmat(A.matmat(P))),  # M = A'B^-1 A, Eq. 12
        start,
        rank,
        tolerance / 2,  # room for the error of the inner solves
        max_iterations,
    )
    # A loose tolerance turns zeros of M into values of the order of its square.
    count = count_nonzero(ritz.values, problem, ridge, max(ZERO, INNER * tolerance))
    values, P = ritz.values[:count], fix_signs(ritz.vectors[:, :count])
    coefficients = inverse.matmat(A.matmat(P))  # Phi', Eq. 14
    residuals = np.linalg.norm(A.adjoint(coefficients) - P * values, axis=0)
    met = bool(residuals.max() <= tolerance * values[0])
    pairs = Eigenpairs(
        ridge=ridge,
        values=values,
        vectors=P,
        coefficients=coefficients,
        residuals=residuals,
        converged=met and inverse.converged,
        solver="iterative",
        iterations=ritz.iterations,
    )
    _warn_unless_converged(pairs, tolerance, max_iterations, inverse.converged)
    return pairs


def _warn_unless_converged(
    pairs: Eigenpairs, tolerance: float, max_iterations: int, inner_converged: bool
) -> None:
    if pairs.converged:
        return
    logger.warning(
        "Cr5, ridge %g: NOT CONVERGED. Largest residual %.1e, allowed %.1e, after %d block steps; "
        "inner solves %s within %d steps. Raise max_iterations or tolerance.",
        pairs.ridge,
        pairs.residuals.max(),
        tolerance * pairs.values[0],
        pairs.iterations,
        "converged" if inner_converged else "did not converge",
        max_iterations,
    )
