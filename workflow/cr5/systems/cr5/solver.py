"""The solver that fits a problem, which is asked for one lambda after the other."""

import logging

from cr5.systems.algebra.threads import Threads
from cr5.systems.cr5.dense import Dense, dense_bytes, kernel_sizes
from cr5.systems.cr5.iterative import Iterative, iterative_bytes
from cr5.systems.cr5.problem import Problem

logger = logging.getLogger(__name__)

TOLERANCE = 0.1  # the paper's
# Up to here the dense solver takes about a minute per ridge on one core.
DENSE_SIZE = 6_000
DENSE_BYTES = 4 * 2**30


def solver(
    problem: Problem,
    rank: int,
    kind: str = "auto",
    tolerance: float = TOLERANCE,
    threads: int = 1,
    seed: int = 0,
) -> Dense | Iterative:
    """Make a solver; its `solve` takes lambda > 0 of Eq. 8.

    Args:
        problem: the data.
        rank: r; reduced if M has fewer eigenvalues that are not numerically zero.
        kind: "dense" (exact), "iterative", or "auto": dense if no language has more than 6,000
            documents (with a prior: all together), there are no more than 6,000 concepts, and the
            matrices take no more than 4 GiB; else iterative.
        tolerance: iterative only, on ||M p - mu p|| of each pair relative to its mu. The error of
            an eigenvalue is of the order of the square; that of the maps may be larger at ridges
            far below 1, or if rows are not normalised.
        threads: their number changes no result.
        seed: iterative only, of the random start.
    """
    rank = min(rank, problem.n_concepts)
    kind = choose_solver(problem) if kind == "auto" else kind
    dense = kind == "dense"
    needed = dense_bytes(problem) if dense else iterative_bytes(problem, rank, tolerance)
    logger.info("Cr5, %s solver: about %.1f GiB beside the features", kind, needed / 2**30)
    if dense:
        return Dense(problem, rank, Threads(threads))
    return Iterative(problem, rank, Threads(threads), seed, tolerance)


def choose_solver(problem: Problem) -> str:
    """The solver that "auto" stands for: see `solver`."""
    largest = max(problem.n_concepts, *kernel_sizes(problem))
    small = largest <= DENSE_SIZE and dense_bytes(problem) <= DENSE_BYTES
    return "dense" if small else "iterative"
