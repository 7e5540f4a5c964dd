"""Cr5's regression with a prior over words, and the choice among variants of each fit."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from typing import Any

import numpy as np
from scipy import sparse

from cr5.base.rows import Rows
from cr5.fitting.best import Selection, added, best
from cr5.fitting.contract import Fit, TrainingSet
from cr5.fitting.seeds import Seeds
from cr5.models.joined_tables import JoinedTables
from cr5.models.word_tables import WordTables
from cr5.systems.reduced_rank.family import Spelled
from cr5.systems.reduced_rank.solution import Solution
from cr5.systems.reduced_rank.solve import fits, listed, ridges_of, warnings
from cr5.systems.spelling import beginnings
from cr5.systems.spelling.features import translations
from cr5.systems.spelling.scripts import compared

Features = Mapping[str, sparse.csr_matrix]


def fit_with(training: TrainingSet, system: Spelled, prior: Features) -> Fit:
    """Fit every ridge, and keep the ridge, rank and shift that rank validation queries best.

    Ridges go from the largest down, for each the smaller ranks and no shift first: ties go to the
    simpler fit. Then ridges beyond the edge follow if the best is there, and at the best of all
    other weights of the prior, then those of the dictionary. The weight of strings is chosen last.

    Args:
        training: what a system sees.
        system: what is chosen among.
        prior: N_l, per language words x features that all languages share; empty for Cr5's.

    Raises:
        UserError: an option is not usable, or the documents cannot be fitted.
    """
    selection = Selection(training)
    grid = ridges_of(selection, training, system.ridges)
    seeds = training.seeds or Seeds()
    weights = listed(system.dictionary_weights) if seeds.pairs else []
    dictionary = translations(training.words, seeds) if weights else {}
    varied = {"gamma": listed(system.gammas), "dictionary_weight": weights}
    usual = {"gamma": system.gamma, "dictionary_weight": 0.0}
    usual = {name: usual[name] for name, values in varied.items() if values}

    def add(ridges: Iterable[float], chosen: Mapping[str, float]) -> None:
        gamma = chosen.get("gamma", system.gamma)
        joined = _joined(prior, dictionary, chosen.get("dictionary_weight", 0.0) / gamma)
        for fitted in _fits(training, system, gamma, joined, ridges, chosen):
            selection.add(fitted)
            del fitted  # the next one is made now; hold at most two models at a time

    add(grid, usual)
    for name, values in varied.items():
        for value in values:
            leading = {x: selection.leading(x) or usual[x] for x in usual}
            ridge = selection.leading("ridge") or grid.values[0]
            add([ridge], leading | {name: value})
    return _with_strings(training, selection.result(grid.report()), system)


def _joined(prior: Features, dictionary: Features, share: float) -> Features:
    """Features of spelling and of the dictionary, with the latter's weight as a share of gamma."""
    if not share:
        return prior
    scaled = {x: each * np.sqrt(share) for x, each in dictionary.items()}
    return {
        x: sparse.hstack([prior[x], each], "csr") if prior else each for x, each in scaled.items()
    }


def _fits(
    training: TrainingSet,
    system: Spelled,
    gamma: float,
    prior: Features,
    ridges: Iterable[float],
    weights: Mapping[str, float],
) -> Iterator[Fit]:
    """Fit each ridge once; ranks and shifts use the same fit."""
    for solution in _solutions(training, system, gamma, prior, ridges):
        ranks = sorted({min(rank, solution.rank) for rank in system.ranks})
        for rank in ranks:
            for shift in sorted(set(system.shifts)):
                chosen = {"ridge": solution.ridge, "rank": rank, "shift": shift, **weights}
                yield _fit(training, solution, chosen, max(system.ranks))
        del solution  # as large as a model, while the next one is computed


def _solutions(
    training: TrainingSet, system: Spelled, gamma: float, prior: Mapping, ridges: Iterable[float]
) -> Iterator[Solution]:
    return fits(
        training,
        system,
        max(system.ranks),
        ridges,
        prior=[prior[x] for x in training.languages if prior],
        gamma=gamma,
        scaling=system.scaling,
    )


def _fit(training: TrainingSet, solution: Solution, chosen: dict[str, Any], asked: int) -> Fit:
    rank = chosen["rank"]
    parts = (np.ascontiguousarray(table[:, :rank]) for table in solution.maps)
    tables = dict(zip(training.languages, parts, strict=True))
    model = WordTables(
        training.words,
        {x: table.astype(np.float32, copy=False) for x, table in tables.items()},
        training.weights,
        {x: _mean(training.features[x], table) for x, table in tables.items()}
        if chosen["shift"]
        else None,
        training.term_frequency,
        input_norm="l2",
    )
    return Fit(model, solution.facts | chosen | {"warnings": warnings(solution, asked)}, chosen)


def _mean(X: Rows, table: np.ndarray) -> np.ndarray:
    """Mean of the training documents' embeddings, (r,) float64."""
    return (np.asarray(X.mean(axis=0)) @ table).ravel().astype(np.float64)


def _with_strings(training: TrainingSet, fitted: Fit, system: Spelled) -> Fit:
    """Choose beta; the report has its validation next to that of the fit."""
    if not any(system.string_weights):
        return fitted
    words = compared(training.words, system.scripts)
    found = beginnings.beginnings(words, training.features, system.letters)
    beside = {
        "beside": found.tables,
        "beside_weights": found.weights,
        "beside_term_frequency": beginnings.TERM_FREQUENCY,
    }
    plain = {x.name: getattr(fitted.model, x.name) for x in fields(fitted.model)}

    def of(beta: float) -> Fit:
        model = JoinedTables(**plain, **beside, beta=beta) if beta else fitted.model
        return Fit(model, {}, {"string_weight": beta})

    tried = map(of, sorted({*system.string_weights}))
    return added(fitted, best(training, tried), "string_validation")
