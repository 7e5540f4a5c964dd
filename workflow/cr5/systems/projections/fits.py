"""Fits of projections: one solution of a pencil, of which validation chooses the dimensions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from cr5.base.errors import LeftOutError
from cr5.base.rows import unit_rows
from cr5.fitting.choose import Selection, best
from cr5.fitting.contract import Fit, TrainingSet
from cr5.models.word_tables import WordTables
from cr5.systems.projections.columns import (
    Columns,
    columns_of,
    members,
    of_concepts,
    of_documents,
)
from cr5.systems.projections.pencils import Pencil, cca, lsi, opca, solve

if TYPE_CHECKING:
    from cr5.systems.projections.models import ClEsa, Projected

# Bounds for gammas beyond those given.
GAMMAS = {"low": 1e-8, "high": 1e8}


def fit(training: TrainingSet, system: Projected) -> Fit:
    """Solve the pencil of a system, for each gamma that it has from the largest down."""
    merged, gammas = getattr(system, "merged", False), getattr(system, "gammas", ())
    chosen = columns_of(training, system, merged, system.weights == "paper")
    pencil = pencil_of(system, training, chosen)
    if not gammas:
        return best(training, _fits(training, system, chosen, pencil))
    selection = Selection(training)
    for gamma in selection.grid("gamma", sorted(set(gammas), reverse=True), **GAMMAS):
        of_gamma = pencil.with_gamma(gamma)
        selection.add_each(_fits(training, system, chosen, of_gamma, gamma=gamma))
    return selection.result()


def pencil_of(system: Projected, training: TrainingSet, columns: Columns) -> Pencil:
    """The pencil of training documents in these columns, with any gamma."""
    if system.pencil in ("opca", "cca"):
        documents = of_documents(training, columns, system.unit_rows)
        return opca(documents) if system.pencil == "opca" else cca(documents, columns.starts)
    Z = of_concepts(training, columns, system.unit_rows)
    return lsi(unit_rows(Z.T.tocsr()).T.tocsr() if system.pencil == "lsi of unit columns" else Z)


def cl_esa(training: TrainingSet, system: ClEsa) -> Fit:
    """Index the training documents by word; left out if no concept has one in every language."""
    index = _index(training)
    n_concepts = next(iter(index.values())).shape[1]
    fits = (
        Fit(
            training.model({x: _strongest(table, keep) for x, table in index.items()}),
            {"concepts": n_concepts},
            {"keep": keep},
        )
        for keep in system.keep
    )
    return best(training, fits)


def _fits(
    training: TrainingSet,
    system: Projected,
    chosen: Columns,
    pencil: Pencil,
    **options: float,
) -> Iterator[Fit]:
    """A fit for each available number of dimensions, ascending, from one solution."""
    asked = sorted(set(system.dimensions))
    solution = solve(pencil, asked[-1], training.threads)
    values = solution.values
    vectors = (solution.vectors * values**system.power).astype(np.float32)
    for dimension in [each for each in asked if each <= len(values)] or [len(values)]:
        few = f"dimensions {asked} reduced to {dimension}: the data have no more"
        report = {
            "columns": chosen.n,
            "rows": pencil.Z.shape[0],
            **solution.facts,
            "eigenvalues": {"largest": float(values[0]), "smallest": float(values[dimension - 1])},
            "warnings": solution.warnings + [few] * (dimension not in asked),
        }
        model = WordTables(
            training.words,
            {x: chosen.table(x, vectors[:, :dimension]) for x in training.languages},
            chosen.weights,
            term_frequency=chosen.term_frequency,
            input_norm="l2" if system.unit_rows else "none",
        )
        yield Fit(model, report, {"dimension": dimension, **options})


def _index(training: TrainingSet) -> dict[str, sparse.csr_matrix]:
    """Per language words x concepts of all languages: the unit rows of documents, transposed."""
    rows = {
        x: unit_rows((members(training, x) @ training.features[x]).tocsr())
        for x in training.languages
    }
    shared = np.logical_and.reduce([np.diff(each.indptr) > 0 for each in rows.values()])
    if not shared.any():
        raise LeftOutError(
            f"no concept has a training document in each of {', '.join(training.languages)}: "
            "fit it in a setting of kind pairwise"
        )
    return {x: each[shared].T.tocsr() for x, each in rows.items()}


def _strongest(table: sparse.csr_matrix, keep: int | None) -> sparse.csr_matrix:
    """The `keep` largest entries of each row; of equal ones the first."""
    if keep is None:
        return table
    rows = np.repeat(np.arange(table.shape[0]), np.diff(table.indptr))
    order = np.lexsort((table.indices, -table.data, rows))
    place = np.arange(table.nnz) - table.indptr[rows]  # within the row, from the largest
    kept = order[place < keep]
    return sparse.csr_matrix((table.data[kept], (rows[kept], table.indices[kept])), table.shape)
