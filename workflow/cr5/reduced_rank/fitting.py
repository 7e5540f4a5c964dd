"""The entry: checks the settings, chooses the solver, gives one solution per ridge."""

from collections.abc import Iterator, Sequence

import numpy as np
from scipy import sparse
from threadpoolctl import threadpool_limits

from cr5.errors import UserError
from cr5.reduced_rank import dense, iterative
from cr5.reduced_rank.problem import Problem, make_problem
from cr5.reduced_rank.solution import Eigenpairs, Solution, make_solution

# Up to here the dense solver takes about a minute per ridge on one core.
DENSE_SIZE = 6_000
DENSE_BYTES = 4 * 2**30


def fit(
    features: Sequence[sparse.csr_matrix],
    concepts: Sequence[np.ndarray],
    n_concepts: int,
    rank: int,
    ridges: Sequence[float],
    solver: str = "auto",
    tolerance: float = 1e-4,
    max_iterations: int = 500,
    seed: int = 0,
) -> Iterator[Solution]:
    """Fit Cr5 at each ridge, one after the other; the settings are checked at the call.

    Args:
        features: per language documents x words, float32 or float64; computed in float64.
        concepts: per language the concept number (0..n_concepts - 1) of each row.
        n_concepts: number of concepts K.
        rank: r; reduced where M has fewer eigenvalues that are not numerically zero.
        ridges: each lambda > 0 of Eq. 8.
        solver: "dense" (exact), "iterative", or "auto": dense if no language has more than
            6,000 documents, there are no more than 6,000 concepts, and the matrices take no
            more than 4 GiB; else iterative.
        tolerance: iterative only, on ||M p - mu p|| relative to the largest mu. The error of
            an eigenvalue is of the order of its square.
        max_iterations: iterative only, block steps and steps of each inner solve at most.
        seed: iterative only, of the random start.

    Returns:
        One solution per ridge, in the order of `ridges`.

    Raises:
        UserError: a setting or the training data is not usable.
    """
    _check_settings(rank, ridges, solver, tolerance, max_iterations)
    problem = make_problem(features, concepts, n_concepts)
    if solver == "auto":
        solver = choose_solver(problem)
    rank = min(rank, n_concepts)
    if solver == "dense":
        pairs = dense.eigenpairs(problem, rank, ridges)
    else:
        pairs = iterative.eigenpairs(problem, rank, ridges, tolerance, max_iterations, seed)
    return _solutions(pairs, problem)


def _solutions(pairs: Iterator[Eigenpairs], problem: Problem) -> Iterator[Solution]:
    for each in pairs:
        with threadpool_limits(1):
            solution = make_solution(each, problem)
        yield solution


def choose_solver(problem: Problem) -> str:
    """The solver that "auto" stands for: see `fit`."""
    documents = [X.shape[0] for X in problem.features]
    K = problem.n_concepts
    size = 8 * (2 * sum(n * n for n in documents) + 4 * K * K)
    small = max(*documents, K) <= DENSE_SIZE and size <= DENSE_BYTES
    return "dense" if small else "iterative"


def _check_settings(
    rank: int, ridges: Sequence[float], solver: str, tolerance: float, max_iterations: int
) -> None:
    checks = {
        f"rank is {rank}, expected a whole number of at least 1": rank >= 1 and rank == int(rank),
        f"ridges is {ridges}, expected at least one": len(ridges) > 0,
        f"ridges is {ridges}, expected finite numbers above 0": all(
            0 < ridge < np.inf for ridge in ridges
        ),
        f"solver is {solver!r}, expected auto, dense or iterative": solver
        in ("auto", "dense", "iterative"),
        f"tolerance is {tolerance}, expected between 0 and 1": 0 < tolerance < 1,
        f"max_iterations is {max_iterations}, expected at least 1": max_iterations >= 1,
    }
    for message, holds in checks.items():
        if not holds:
            raise UserError(f"Cr5: {message}; change it in the options of the system")
