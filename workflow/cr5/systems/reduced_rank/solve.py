"""The entry point: options of a training set to one solution per ridge, by the solver that fits."""

import logging
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from scipy import sparse

from cr5.base import memory
from cr5.base.errors import UserError
from cr5.fitting.best import Selection
from cr5.fitting.contract import TrainingSet
from cr5.fitting.grid import Grid
from cr5.systems.algebra.threads import Threads
from cr5.systems.reduced_rank import dense, iterative
from cr5.systems.reduced_rank.family import Solved
from cr5.systems.reduced_rank.prior import factor
from cr5.systems.reduced_rank.problem import Problem, check_prior, make_problem
from cr5.systems.reduced_rank.solution import Eigenpairs, Solution, make_solution

logger = logging.getLogger(__name__)

# Bounds for ridges beyond those given.
RIDGES = {"low": 1e-4, "high": 1e3}

# Up to here the dense solver takes about a minute per ridge on one core.
DENSE_SIZE = 6_000
DENSE_BYTES = 4 * 2**30


def fit(
    features: Sequence[sparse.csr_matrix],
    concepts: Sequence[np.ndarray],
    n_concepts: int,
    rank: int,
    ridges: Iterable[float],
    solver: str = "auto",
    tolerance: float | str = "paper",
    max_iterations: int = iterative.MAX_ITERATIONS,
    cg_iterations: int = iterative.CG_ITERATIONS,
    seed: int = 0,
    threads: int = 1,
    languages: Sequence[str] | None = None,
    ranks: Sequence[int] = (),
    prior: Sequence[sparse.csr_matrix] = (),
    gamma: float = 1.0,
    scaling: float | None = None,
) -> Iterator[Solution]:
    """Fit Cr5 at each ridge, one after the other; data and memory are checked at the call.

    Args:
        features: per language documents x words, float32 or float64. The dense solver computes
            in float64, the iterative one in the type that its tolerance requires.
        concepts: per language the concept number (0..n_concepts - 1) of each row.
        n_concepts: number of concepts K.
        rank: r; reduced if M has fewer eigenvalues that are not numerically zero.
        ridges: each lambda > 0 of Eq. 8, taken value by value, each after the previous solution.
        solver: "dense" (exact), "iterative", or "auto": dense if no language has more than
            6,000 documents (with a prior: all together), there are no more than 6,000 concepts,
            and the matrices take no more than 4 GiB; else iterative.
        tolerance: iterative only, on ||M p - mu p|| of each pair relative to its mu; "paper" is
            0.1. The error of an eigenvalue is of the order of the square; that of the maps may be
            larger at ridges far below 1, or if rows are not normalised. Below 0.001 the solver
            computes in float64.
        max_iterations: iterative only, maximum number of block steps.
        cg_iterations: iterative only, maximum number of steps of each inner solve.
        seed: iterative only, of the random start.
        threads: iterative only; their number changes no result.
        languages: their codes, for messages.
        ranks: further ranks below `rank`; from the same eigenpairs, they cost no more than Eq. 15.
        prior: N_l, per language words x shared features; empty for Cr5.
        gamma: weight of the prior.
        scaling: a of the maps Phi' diag(mu)^a, whose first columns are those of lower ranks; None
            for the maps of Eq. 15.

    Returns:
        Per ridge, in the order of `ridges`, one solution per rank, the largest first.

    Raises:
        UserError: `ranks` or the training data are not usable, or there is not enough memory.
    """
    tolerance = iterative.PAPER if tolerance == "paper" else tolerance
    _check_ranks(rank, ranks, scaling)
    check_prior(prior, features)
    problem = make_problem(features, concepts, n_concepts, languages)
    if prior:
        problem = problem.with_prior(factor(prior, gamma, problem.variances))
    # (I + gamma N N') / (1 + gamma) at lambda is I + gamma N N' at lambda (1 + gamma)
    given: dict[float, float] = {}
    scaled_ridges = _scaled(ridges, 1 + gamma if prior else 1, given)
    if solver == "auto":
        solver = choose_solver(problem)
    rank = min(rank, n_concepts)
    if solver == "dense":
        needed = dense.dense_bytes(problem)
        pairs = dense.eigenpairs(problem, rank, scaled_ridges)
    else:
        needed = iterative.iterative_bytes(problem, rank, iterative.dtype_for(tolerance))
        how = tolerance, max_iterations, seed, Threads(threads), cg_iterations
        pairs = iterative.eigenpairs(problem, rank, scaled_ridges, *how)
    logger.info("Cr5, %s solver: about %.1f GiB beside the features", solver, needed / 2**30)
    memory.check(needed, memory.available_bytes(), f"Cr5, {solver} solver")

    def solution(each: Eigenpairs) -> Solution:
        ridge = given[each.ridge]
        return make_solution(each, problem, needed, ridge, scaling)

    return _solutions(pairs, [rank, *ranks], solution)


def _scaled(ridges: Iterable[float], factor: float, given: dict[float, float]) -> Iterator[float]:
    """Yield each ridge times a factor, lazily; `given` maps it to the original."""
    for ridge in ridges:
        given[ridge * factor] = ridge
        yield ridge * factor


def _solutions(
    found: Iterator[Eigenpairs], ranks: list[int], solution: Callable[[Eigenpairs], Solution]
) -> Iterator[Solution]:
    """Yield for each ridge the solutions of all available ranks; keep nothing for long."""
    for pairs in found:
        there = sorted({min(rank, len(pairs.values)) for rank in ranks}, reverse=True)
        held = [pairs]
        del pairs
        for number in range(len(there)):
            yield solution(_leading(held, there[number:]))


def _leading(held: list[Eigenpairs], ranks: list[int]) -> Eigenpairs:
    """The pairs of the first rank; `held` keeps what the others need."""
    pairs = held.pop().leading(ranks[0])
    if ranks[1:]:
        held.append(pairs)
    return pairs


def choose_solver(problem: Problem) -> str:
    """The solver that "auto" stands for: see `fit`."""
    largest = max(problem.n_concepts, *dense.kernel_sizes(problem))
    small = largest <= DENSE_SIZE and dense.dense_bytes(problem) <= DENSE_BYTES
    return "dense" if small else "iterative"


def _check_ranks(rank: int, ranks: Sequence[int], scaling: float | None) -> None:
    if ranks and scaling is not None:  # which would be overwritten
        raise UserError("Cr5: scaled maps hold those of lower ranks; leave ranks out")
    wrong = [each for each in ranks if not 1 <= each <= rank or each != int(each)]
    if wrong:
        raise UserError(
            f"Cr5: ranks has {wrong[0]}, expected whole numbers from 1 to rank, {rank}; change it "
            "in the options of the system"
        )


def ridges_of(selection: Selection, training: TrainingSet, ridges: Iterable[float]) -> Grid:
    """The grid of ridges, the largest first; validation may extend it."""
    ridges = sorted({*ridges}, reverse=True)
    return Grid(selection, "ridge", ridges, training.extend, **RIDGES)


def listed(value: Any) -> list[Any]:
    """Return the values of a key that may be none, one or several."""
    return list(value) if isinstance(value, tuple) else [] if value is None else [value]


def fits(
    training: TrainingSet, system: Solved, rank: int, ridges: Iterable[float], **more
) -> Iterator[Solution]:
    """Fit at each ridge, see `fit`.

    Args:
        training: what a system sees.
        system: of Cr5's family.
        rank: r.
        ridges: each lambda.
        more: other arguments of `fit`.
    """
    languages = training.languages
    return fit(
        [training.features[x] for x in languages],
        [training.concepts[x] for x in languages],
        training.n_concepts,
        rank,
        ridges,
        **{key: getattr(system, key) for key in Solved.model_fields},
        threads=training.threads,
        seed=training.seed,
        languages=languages,
        **more,
    )


def warnings(solution: Solution, rank: int, others: Collection[int] = ()) -> list[str]:
    """Make the warnings for the report of a fit.

    Args:
        solution: of the fit.
        rank: asked for.
        others: lower ranks asked for.
    """
    said = []
    if not solution.converged:
        said.append("the fit has NOT CONVERGED: raise max_iterations, cg_iterations or tolerance")
    if solution.rank < rank and solution.rank not in others:
        said.append(f"rank {rank} reduced to {solution.rank}: the data have no more")
    return said
