"""What these systems share: options, models and the choice of dimensions."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from cr5.base.errors import LeftOutError
from cr5.fitting.best import Selection, best
from cr5.fitting.contract import Fit, TrainingSet
from cr5.fitting.grid import Grid
from cr5.models.word_tables import WordTables
from cr5.systems.projections.columns import Columns, ColumnSettings, columns
from cr5.systems.projections.pencils import Pencil
from cr5.systems.projections.solve import Solution, SolveSettings, solve

OPTIONS = {
    # validation chooses; the paper's grid is unknown
    "dimensions": ([50, 100, 200, 500, 1000, 2000], {"ge": 1}, "validated, all from one solution"),
    "skip_words": (50, {"ge": 0}, "most frequent strings that are dropped"),
    "max_words": (20000, {"ge": 1}, "strings kept of the others, the most frequent ones"),
    "weights": (
        "paper",
        ("paper", "given"),
        "log2(1 + count) log2(n / df); or documents as they are, such as rows of a matrix",
    ),
    "unit_rows": (False, "whether rows have length one before they are fitted"),
    "solver": (
        "auto",
        ("auto", "rows", "columns", "iterative"),
        "a matrix of all documents, one of all words, or neither",
    ),
    "tolerance": (
        1e-3,
        {"gt": 0, "lt": 1},
        "of `iterative`: residuals relative to each eigenvalue",
    ),
    "max_restarts": (30, {"ge": 1}, "of `iterative`"),
}

# Bounds for gammas beyond those given.
GAMMAS = {"low": 1e-8, "high": 1e8}


def columns_of(training: TrainingSet, settings: Mapping[str, Any], merged: bool) -> Columns:
    """The columns of a training set by the options `skip_words`, `max_words` and `weights`."""
    kept = settings["skip_words"], settings["max_words"]
    chosen = ColumnSettings(*kept, merged, settings["weights"] == "paper")
    return columns(training.words, training.counts, chosen)


def fit_pencil(
    training: TrainingSet,
    settings: Mapping[str, Any],
    chosen: Columns,
    pencil: Pencil,
    power: float = 0.0,
) -> Fit:
    """Solve for each gamma, once for all dimensions, and keep the fit that validates best.

    Args:
        training: its `validate` scores each fit.
        settings: of the system: dimensions, gammas unless N is I, unit_rows, solver,
            tolerance, max_restarts.
        chosen: columns of the words.
        pencil: without gamma.
        power: of the eigenvalues that scale the dimensions, if N is I.

    Raises:
        LeftOutError: documents are too few, or too similar, so that no dimension is left.
        UserError: there is not enough memory, or gamma is too small.
    """
    if pencil.N is None:
        return best(training, _of_gamma(training, settings, chosen, pencil, {}, power))
    gammas = sorted({float(gamma) for gamma in settings["gammas"]}, reverse=True)
    selection = Selection(training)
    grid = Grid(selection, "gamma", gammas, training.extend, **GAMMAS)
    for gamma in grid:
        scaled = pencil.with_gamma(gamma)
        for fitted in _of_gamma(training, settings, chosen, scaled, {"gamma": gamma}):
            selection.add(fitted)
            del fitted  # hold at most two models at a time
    return selection.result(grid.report())


def _of_gamma(
    training: TrainingSet,
    settings: Mapping[str, Any],
    chosen: Columns,
    pencil: Pencil,
    gamma: dict[str, float],
    power: float = 0.0,
) -> Iterator[Fit]:
    """A fit for each available number of dimensions, ascending."""
    how = _how(training, settings, pencil.bound)
    solution = solved(pencil, max(settings["dimensions"]), how)
    rank = len(solution.values)
    vectors = (solution.vectors * solution.values**power).astype(np.float32)
    facts = {"columns": chosen.n, "rows": pencil.Z.shape[0], **solution.facts}
    asked = sorted(set(settings["dimensions"]))
    for dimension in [each for each in asked if each <= rank] or [rank]:
        model = _model(training, settings, chosen, vectors[:, :dimension])
        report = facts | _facts(solution, asked, dimension)
        yield Fit(model, report, {"dimension": dimension, **gamma})


def solved(pencil: Pencil, dimension: int, how: SolveSettings) -> Solution:
    """Solve for that many dimensions, or as many as there are, at least one.

    Raises:
        LeftOutError: documents are too few, or too similar, so that no dimension is left.
        UserError: see `solve`.
    """
    solution = solve(pencil, dimension, how)
    if not len(solution.values):
        raise LeftOutError(
            f"the {pencil.Z.shape[0]} training documents have nothing in common to project on: "
            "bring more of them, or lower skip_words"
        )
    return solution


def unconverged(solution: Solution, remedy: str) -> list[str]:
    """A warning, if any, with what to do."""
    if solution.facts.get("converged", True):
        return []
    n, of = solution.facts["unconverged"], len(solution.values)
    return [f"{n} of {of} eigenvectors have NOT CONVERGED: {remedy}"]


def _how(training: TrainingSet, settings: Mapping[str, Any], bound: int) -> SolveSettings:
    n_words = sum(len(words) for words in training.words.values())
    tables = 4 * n_words * min(max(settings["dimensions"]), bound)
    return SolveSettings(
        settings["solver"],
        settings["tolerance"],
        settings["max_restarts"],
        training.threads,
        models=2 * tables,  # the best model and the next one
    )


def _model(
    training: TrainingSet, settings: Mapping[str, Any], chosen: Columns, V: np.ndarray
) -> WordTables:
    tables = {x: chosen.table(x, V) for x in training.languages}
    input_norm = "l2" if settings["unit_rows"] else "none"
    return WordTables(
        training.words,
        tables,
        chosen.weights,
        term_frequency=chosen.term_frequency,
        input_norm=input_norm,
    )


def _facts(solution: Solution, asked: list[int], dimension: int) -> dict[str, Any]:
    """Eigenvalues, dimensions that the data lack, and warnings."""
    values = solution.values
    warnings = unconverged(solution, "raise max_restarts or tolerance")
    if dimension not in asked:
        warnings.append(f"dimensions {asked} reduced to {dimension}: the data have no more")
    return {
        "eigenvalues": {"largest": float(values[0]), "smallest": float(values[dimension - 1])},
        "beyond_rank": [each for each in asked if each > len(values)],
        "warnings": warnings,
    }
