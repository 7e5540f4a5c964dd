"""Fits of projections: one solution of a pencil, of which validation chooses the dimensions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from cr5.base.errors import LeftOutError
from cr5.base.rows import norms, unit_rows
from cr5.fitting.choose import Selection, best
from cr5.fitting.contract import Fit, TrainingSet
from cr5.models.word_tables import WordTables
from cr5.systems.projections import pencils
from cr5.systems.projections.columns import Columns, columns_of
from cr5.systems.projections.documents import members, of_concepts, of_documents
from cr5.systems.projections.pencils import Pencil
from cr5.systems.projections.solve import solve

if TYPE_CHECKING:
    from cr5.systems.projections.models import (
        ClEsa,
        ClLsi,
        DocumentCca,
        Opca,
        Projected,
        Sogaard,
    )

# Bounds for gammas beyond those given.
GAMMAS = {"low": 1e-8, "high": 1e8}


def cl_lsi(training: TrainingSet, system: ClLsi) -> Fit:
    """Decompose the documents of concepts."""
    chosen = columns_of(training, system, system.merged, system.weights == "paper")
    pencil = pencils.lsi(of_concepts(training, chosen, system.unit_rows))
    return best(training, _fits(training, system, chosen, pencil))


def sogaard(training: TrainingSet, system: Sogaard) -> Fit:
    """Decompose the documents of concepts, with columns of unit length."""
    chosen = columns_of(training, system, False, system.weights == "paper")
    Z = of_concepts(training, chosen, system.unit_rows)
    lengths = norms(Z.T.tocsr(), "l2")
    scale = np.divide(1, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    pencil = pencils.lsi((Z @ sparse.diags(scale)).tocsr())
    # the eigenvalues of D'D are those of S, squared
    return best(training, _fits(training, system, chosen, pencil, power=0.5))


def opca(training: TrainingSet, system: Opca) -> Fit:
    """Solve the pencil of OPCA for each gamma."""
    chosen = columns_of(training, system, system.merged, system.weights == "paper")
    pencil = pencils.opca(of_documents(training, chosen, system.unit_rows))
    return _of_gammas(training, system, chosen, pencil)


def document_cca(training: TrainingSet, system: DocumentCca) -> Fit:
    """Solve the pencil of CCA for each gamma."""
    chosen = columns_of(training, system, False, system.weights == "paper")
    pencil = pencils.cca(of_documents(training, chosen, system.unit_rows), chosen.starts)
    return _of_gammas(training, system, chosen, pencil)


def cl_esa(training: TrainingSet, system: ClEsa) -> Fit:
    """Index the training documents by word.

    Raises:
        LeftOutError: no concept has a document in every language.
    """
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


def _of_gammas(
    training: TrainingSet, system: Opca | DocumentCca, chosen: Columns, pencil: Pencil
) -> Fit:
    """Solve for each gamma, the largest first, and keep the fit that validates best."""
    selection = Selection(training)
    for gamma in selection.grid("gamma", sorted(set(system.gammas), reverse=True), **GAMMAS):
        for fitted in _fits(training, system, chosen, pencil.with_gamma(gamma), gamma=gamma):
            selection.add(fitted)
            del fitted  # hold at most two models at a time
    return selection.result()


def _fits(
    training: TrainingSet,
    system: Projected,
    chosen: Columns,
    pencil: Pencil,
    power: float = 0.0,
    **options: float,
) -> Iterator[Fit]:
    """A fit for each available number of dimensions, ascending, from one solution.

    Args:
        training: what a system sees.
        system: says which dimensions.
        chosen: columns of the words.
        pencil: to solve.
        power: of the eigenvalues that scale the dimensions.
        options: chosen values that they share.
    """
    asked = sorted(set(system.dimensions))
    solution = solve(pencil, asked[-1], training.threads)
    values = solution.values
    vectors = (solution.vectors * values**power).astype(np.float32)
    for dimension in [each for each in asked if each <= len(values)] or [len(values)]:
        few = f"dimensions {asked} reduced to {dimension}: the data have no more"
        report = {
            "columns": chosen.n,
            "rows": pencil.Z.shape[0],
            **solution.facts,
            "eigenvalues": {"largest": float(values[0]), "smallest": float(values[dimension - 1])},
            "beyond_rank": [each for each in asked if each > len(values)],
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
