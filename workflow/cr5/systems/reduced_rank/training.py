"""Fits of a training set by the options that all systems with this solver share."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from cr5.fitting.best import Selection
from cr5.fitting.contract import TrainingSet
from cr5.fitting.grid import Grid
from cr5.systems.reduced_rank.solution import Solution
from cr5.systems.reduced_rank.solve import fit

OPTIONS = {
    "solver": (
        "auto",
        ("auto", "dense", "iterative"),
        "`dense` holds a matrix of all documents; `iterative` is for large corpora",
    ),
    "tolerance": (
        "paper",
        ("paper", {"gt": 0, "lt": 1}),
        "of `iterative`: residuals ||M p - mu p|| relative to mu; `paper` is 0.1",
    ),
    "max_iterations": (500, {"ge": 1}, "of `iterative`"),
    "device": ("cpu", ("cpu", "cuda"), "`cuda` is a GPU, by way of CuPy"),
}


# Bounds for ridges beyond those given.
RIDGES = {"low": 1e-4, "high": 1e3}


def ridges_of(selection: Selection, training: TrainingSet, options: Mapping[str, Any]) -> Grid:
    """The grid of an option `ridges`, the largest first; validation may extend it."""
    ridges = sorted({float(ridge) for ridge in options["ridges"]}, reverse=True)
    return Grid(selection, "ridge", ridges, training.extend, **RIDGES)


def fits(
    training: TrainingSet, settings: Mapping[str, Any], rank: int, ridges: Iterable[float], **more
) -> Iterator[Solution]:
    """Fit at each ridge, see `fit`.

    Args:
        training: what a system sees.
        settings: solver, tolerance, max_iterations, device.
        rank: r.
        ridges: iterated twice.
        more: other arguments of `fit`.
    """
    return fit(
        features=[training.features[language] for language in training.languages],
        concepts=[training.concepts[language] for language in training.languages],
        n_concepts=training.n_concepts,
        rank=rank,
        ridges=ridges,
        solver=settings["solver"],
        tolerance=settings["tolerance"],
        max_iterations=settings["max_iterations"],
        threads=training.threads,
        seed=training.seed,
        device=settings["device"],
        languages=training.languages,
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
        said.append("the fit has NOT CONVERGED: raise max_iterations or tolerance")
    if solution.rank < rank and solution.rank not in others:
        said.append(f"rank {rank} reduced to {solution.rank}: the data have no more")
    return said
