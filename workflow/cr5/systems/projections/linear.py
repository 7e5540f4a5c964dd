"""What these systems share: models and the choice of dimensions."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from cr5.base.errors import LeftOutError
from cr5.fitting.choose import Selection, best
from cr5.fitting.contract import Fit, TrainingSet
from cr5.models.word_tables import WordTables
from cr5.systems.projections.columns import Columns, ColumnSettings, columns
from cr5.systems.projections.family import Projected
from cr5.systems.projections.pencils import Pencil
from cr5.systems.projections.solve import Solution, SolveSettings, solve

# Bounds for gammas beyond those given.
GAMMAS = {"low": 1e-8, "high": 1e8}


def columns_of(training: TrainingSet, system: Projected, merged: bool) -> Columns:
    """The columns of a training set, by the system's `skip_words`, `max_words` and `weights`."""
    chosen = ColumnSettings(
        system.skip_words, system.max_words, merged, weighted=system.weights == "paper"
    )
    return columns(training.words, training.counts, chosen)


def fit_pencil(
    training: TrainingSet,
    system: Projected,
    chosen: Columns,
    pencil: Pencil,
    *,
    gammas: Sequence[float] = (),
    power: float = 0.0,
) -> Fit:
    """Solve for each gamma, once for all dimensions, and keep the fit that validates best.

    Args:
        training: its `validate` scores each fit.
        system: says which dimensions, and how to solve.
        chosen: columns of the words.
        pencil: without gamma.
        gammas: unless N is I.
        power: of the eigenvalues that scale the dimensions, if N is I.

    Raises:
        LeftOutError: documents are too few, or too similar, so that no dimension is left.
        UserError: there is not enough memory, or gamma is too small.
    """
    if pencil.N is None:
        return best(training, _of_gamma(training, system, chosen, pencil, {}, power))
    selection = Selection(training)
    for gamma in selection.grid("gamma", sorted(set(gammas), reverse=True), **GAMMAS):
        scaled = pencil.with_gamma(gamma)
        for fitted in _of_gamma(training, system, chosen, scaled, {"gamma": gamma}):
            selection.add(fitted)
            del fitted  # hold at most two models at a time
    return selection.result()


def _of_gamma(
    training: TrainingSet,
    system: Projected,
    chosen: Columns,
    pencil: Pencil,
    gamma: dict[str, float],
    power: float = 0.0,
) -> Iterator[Fit]:
    """A fit for each available number of dimensions, ascending."""
    how = _how(training, system, pencil.bound)
    solution = solved(pencil, max(system.dimensions), how)
    rank = len(solution.values)
    vectors = (solution.vectors * solution.values**power).astype(np.float32)
    facts = {"columns": chosen.n, "rows": pencil.Z.shape[0], **solution.facts}
    asked = sorted(set(system.dimensions))
    for dimension in [each for each in asked if each <= rank] or [rank]:
        model = _model(training, system, chosen, vectors[:, :dimension])
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


def _how(training: TrainingSet, system: Projected, bound: int) -> SolveSettings:
    n_words = sum(len(words) for words in training.words.values())
    tables = 4 * n_words * min(max(system.dimensions), bound)
    return SolveSettings(
        system.solver,
        system.tolerance,
        threads=training.threads,
        models=2 * tables,  # the best model and the next one
    )


def _model(training: TrainingSet, system: Projected, chosen: Columns, V: np.ndarray) -> WordTables:
    tables = {x: chosen.table(x, V) for x in training.languages}
    input_norm = "l2" if system.unit_rows else "none"
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
    warnings = unconverged(solution, "raise tolerance")
    if dimension not in asked:
        warnings.append(f"dimensions {asked} reduced to {dimension}: the data have no more")
    return {
        "eigenvalues": {"largest": float(values[0]), "smallest": float(values[dimension - 1])},
        "beyond_rank": [each for each in asked if each > len(values)],
        "warnings": warnings,
    }
