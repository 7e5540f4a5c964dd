"""Fits of Cr5's family: the search for the best ridge, and the models that solutions make."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from cr5.base.errors import UserError
from cr5.fitting.choose import AT_EDGE, Selection, added, best, with_second_stage
from cr5.fitting.contract import Fit, TrainingSet
from cr5.fitting.seeds import Seeds
from cr5.models.word_tables import JoinedTables, WordTables
from cr5.systems.algebra.threads import Threads
from cr5.systems.cr5 import spelling
from cr5.systems.cr5.dense import Dense, is_small
from cr5.systems.cr5.iterative import Iterative
from cr5.systems.cr5.problem import Problem, factor
from cr5.systems.cr5.scripts import compared
from cr5.systems.cr5.solution import Solution

if TYPE_CHECKING:
    from cr5.systems.cr5.models import Cr5, Cr5Spelling

# Bounds for ridges beyond those given.
RIDGES = {"low": 1e-4, "high": 1e3}
GAMMA = 1.0  # weight of the prior
LETTERS = 5  # of the beginnings of words that are compared by themselves
SECOND_STAGE = (0, 0.5, 1)  # of `best`

Chosen = Mapping[str, Any]
PriorOf = Callable[[Chosen], tuple[spelling.Prior, float]]  # N_l and gamma
NOTHING: Chosen = {}


def fit_cr5(training: TrainingSet, system: Cr5) -> Fit:
    """Fit Cr5; see `search`."""
    ranks = _ranks(training, system)

    def models(solution: Solution, _: Chosen) -> Iterator[Fit]:
        for rank in sorted({min(x, solution.rank) for x in ranks}, reverse=True):
            chosen = {"ridge": solution.ridge} | ({"rank": rank} if len(ranks) > 1 else {})
            maps = zip(training.languages, solution.maps(rank), strict=True)
            yield Fit(training.model(dict(maps)), solution.report(rank, ranks), chosen)

    return search(training, system, max(ranks), models)


def _ranks(training: TrainingSet, system: Cr5) -> set[int]:
    """The ranks to choose from: also some below the smallest vocabulary, if one may reach it.

    Columns of T (Eq. 15) are orthonormal over the words of all languages together. With as many
    columns as words its rows are too: the languages share nothing, and nothing is found.
    """
    ranks, n_words = {system.rank, *(system.ranks or ())}, min(map(len, training.words.values()))
    if min(max(ranks), training.n_concepts - 1) < n_words:
        return ranks
    below = max(1, n_words - 1)
    return ranks | {below, max(1, below // 2)}


def fit_spelling(training: TrainingSet, system: Cr5Spelling) -> Fit:
    """Fit Cr5 with a prior; see `search`."""
    words, seeds = compared(training.words, system.scripts), training.seeds
    prior = spelling.spelt(words)
    weights = system.dictionary_weights or () if seeds.pairs else ()
    if words is training.words:
        known = seeds if weights else Seeds()
        training, prior = spelling.with_unknown_words(training, prior, known)
    dictionary = spelling.translations(training.words, seeds) if weights else {}
    varied = {}
    if system.gammas:
        varied["gamma"] = [GAMMA, *system.gammas]
    if weights:
        varied["dictionary_weight"] = [0.0, *weights]

    def prior_of(chosen: Chosen) -> tuple[spelling.Prior, float]:
        gamma = chosen.get("gamma", GAMMA)
        share = chosen.get("dictionary_weight", 0.0) / gamma
        return spelling.joined(prior, dictionary, share), gamma

    def models(solution: Solution, chosen: Chosen) -> Iterator[Fit]:
        return _spelling_models(training, system, solution, chosen)

    found = search(training, system, max(system.ranks), models, varied, prior_of)
    return _with_strings(training, system, found) if any(system.string_weights) else found


def _spelling_models(
    training: TrainingSet, system: Cr5Spelling, solution: Solution, chosen: Chosen
) -> Iterator[Fit]:
    """Each rank, without and with the mean of each language's documents."""
    about = solution.report(solution.rank, system.ranks)
    maps = dict(zip(training.languages, solution.scaled_maps(), strict=True))
    for rank in sorted({min(rank, solution.rank) for rank in system.ranks}):
        few = {x: T[:, :rank] for x, T in maps.items()}
        tables = {x: np.ascontiguousarray(T, np.float32) for x, T in few.items()}
        for shift in (False, True):
            means = {
                x: (np.asarray(training.features[x].mean(axis=0)) @ T).ravel().astype(np.float64)
                for x, T in few.items()
                if shift
            }
            given = training.words, tables, training.weights, means or None
            model = WordTables(*given, training.term_frequency, input_norm="l2")
            of_fit = {"ridge": solution.ridge, "rank": rank, "shift": shift, **chosen}
            yield Fit(model, about | of_fit, of_fit)


def _with_strings(training: TrainingSet, system: Cr5Spelling, fitted: Fit) -> Fit:
    """Choose beta; the report has its validation next to that of the fit."""
    words = compared(training.words, system.scripts)
    beside = spelling.beside(words, training.features, LETTERS)
    plain = {x.name: getattr(fitted.model, x.name) for x in fields(fitted.model)}

    def of(beta: float) -> Fit:
        model = JoinedTables(**plain, **beside, beta=beta) if beta else fitted.model
        return Fit(model, {}, {"string_weight": beta})

    tried = map(of, sorted({*system.string_weights}))
    return added(fitted, best(training, tried), "string_validation")


def fit_best(training: TrainingSet, choices: Cr5Spelling) -> Fit:
    """Fit with these choices, and choose a second stage; grids that nobody can extend warn not."""
    fitted = with_second_stage(training, fit_spelling(training, choices), SECOND_STAGE)
    warnings = [x for x in fitted.report.get("warnings", []) if not x.endswith(AT_EDGE)]
    return replace(fitted, report=fitted.report | {"warnings": warnings})


def search(
    training: TrainingSet,
    system: Cr5 | Cr5Spelling,
    rank: int,
    models: Callable[[Solution, Chosen], Iterator[Fit]],
    varied: Mapping[str, Sequence[float]] = NOTHING,
    prior: PriorOf | None = None,
) -> Fit:
    """Fit every ridge, and keep what ranks the validation queries best.

    The largest ridge comes first: its fit is better conditioned and so the cheaper start, and ties
    go to the larger ridge. Then ridges beyond the edge follow if the best is there, and at the best
    of all the other values of what is varied, one after the other. With a single fit nothing is
    validated.

    Args:
        training: what a system sees.
        system: with its ridges.
        rank: the largest.
        models: makes the models to choose among from a solution, by what was chosen so far.
        varied: names, and values of which the first is usual.
        prior: over words.

    Raises:
        UserError: the documents cannot be fitted.
    """
    languages = training.languages
    for language in languages:
        n, p = training.features[language].shape
        if not (n and p):
            raise UserError(
                f"Cr5, language {language}: {n} training documents with a vocabulary of {p} words, "
                "expected at least one of each; loosen the filters (bags.unique_words, "
                "bags.min_documents), bring more documents, or leave the language out"
            )
    selection = Selection(training)
    ridges = sorted({*system.ridges}, reverse=True)

    def add(ridges: Iterable[float], chosen: Chosen) -> None:
        X, F = [training.features[x] for x in languages], ()
        if prior:
            N, gamma = prior(chosen)
            F = factor([N[x] for x in languages], gamma, X)
        problem = Problem(X, [training.concepts[x] for x in languages], training.n_concepts, F)
        threads = Threads(training.threads)
        if is_small(problem):
            solver = Dense(problem, rank, threads)
        else:
            solver = Iterative(problem, rank, threads, training.seed)
        for ridge in ridges:
            for fitted in models(solver.solve(ridge), chosen):
                selection.add(fitted)
                del fitted  # the next one is made now; hold at most two models at a time

    usual = {name: values[0] for name, values in varied.items()}
    add(selection.grid("ridge", ridges, **RIDGES), usual)
    for name, values in varied.items():
        for value in values[1:]:
            leading = {x: selection.leading(x) or usual[x] for x in usual}
            add([selection.leading("ridge") or ridges[0]], leading | {name: value})
    return selection.result()
