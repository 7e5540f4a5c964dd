"""The solver that fits a problem, which is asked for one lambda after the other."""

from cr5.systems.algebra.threads import Threads
from cr5.systems.cr5.dense import Dense, kernel_sizes
from cr5.systems.cr5.iterative import TOLERANCE, Iterative
from cr5.systems.cr5.problem import Problem

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
        kind: "dense" (exact), "iterative", or "auto", see `choose_solver`.
        tolerance: iterative only, see `Iterative`.
        threads: their number changes no result.
        seed: iterative only, of the random start.
    """
    rank = min(rank, problem.n_concepts)
    if (choose_solver(problem) if kind == "auto" else kind) == "dense":
        return Dense(problem, rank, Threads(threads))
    return Iterative(problem, rank, Threads(threads), seed, tolerance)


def choose_solver(problem: Problem) -> str:
    """The solver that "auto" stands for.

    Dense if no language has more than 6,000 documents (with a prior: all together), there are no
    more than 6,000 concepts, and the matrices take no more than 4 GiB; else iterative.
    """
    sizes, n = kernel_sizes(problem), problem.n_concepts
    needed = 8 * (2 * sum(size * size for size in sizes) + 4 * n * n)
    return "dense" if max(n, *sizes) <= DENSE_SIZE and needed <= DENSE_BYTES else "iterative"
