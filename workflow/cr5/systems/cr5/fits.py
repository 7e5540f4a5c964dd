"""Fits of Cr5's family: the search for the best ridge, and the models that solutions make."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from cr5.base.errors import UserError
from cr5.fitting.choose import AT_EDGE, Selection, added, best, with_second_stage
from cr5.fitting.contract import Fit, TrainingSet
from cr5.fitting.seeds import Seeds
from cr5.models.word_tables import JoinedTables, WordTables
from cr5.systems.algebra.threads import Threads
from cr5.systems.cr5 import spelling
from cr5.systems.cr5.dense_solver import Dense, is_small
from cr5.systems.cr5.iterative_solver import Iterative
from cr5.systems.cr5.problem import Problem, Solution, factor

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

    from cr5.systems.cr5.models import Cr5, Cr5Spelling

# Bounds for ridges beyond those given.
RIDGES = {"low": 1e-4, "high": 1e3}
GAMMA = 1.0  # weight of the prior
LETTERS = 5  # of the beginnings of words that are compared by themselves
SECOND_STAGE = (0, 0.5, 1)  # of `best`


def fit_cr5(training: TrainingSet, system: Cr5) -> Fit:
    """Fit every ridge, and keep the ridge and the rank that validate best."""
    ranks, selection = _ranks(training, system), Selection(training)

    def models(solution: Solution) -> Iterator[Fit]:
        for rank in sorted({min(x, solution.rank) for x in ranks}, reverse=True):
            chosen = {"ridge": solution.ridge} | ({"rank": rank} if len(ranks) > 1 else {})
            maps = zip(training.languages, solution.maps(rank), strict=True)
            yield Fit(training.model(dict(maps)), solution.report(rank, ranks), chosen)

    ridges = _ridges(selection, system)
    solutions = _solutions(training, max(ranks), ridges, left=system.tolerance)
    selection.add_each(chain.from_iterable(map(models, solutions)))  # holds one at a time
    return selection.result()


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
    """Fit every ridge with a prior, then at the best one all that may vary, one after the other."""
    words, seeds = spelling.compared(training.words, system.scripts), training.seeds
    prior = spelling.spelt(words)
    weights = system.dictionary_weights or () if seeds.pairs else ()
    if words is training.words:
        known = seeds if weights else Seeds()
        training, prior = spelling.with_unknown_words(training, prior, known)
    dictionary = spelling.translations(training.words, seeds) if weights else {}
    selection, varied = Selection(training), {}
    if system.gammas:
        varied["gamma"] = [GAMMA, *system.gammas]
    if weights:
        varied["dictionary_weight"] = [0.0, *weights]

    def add(ridges: Iterable[float], chosen: Mapping[str, float]) -> None:
        gamma = chosen.get("gamma", GAMMA)
        share = chosen.get("dictionary_weight", 0.0) / gamma
        N = spelling.joined(prior, dictionary, share)
        X = [training.features[x] for x in training.languages]
        F = factor([N[x] for x in training.languages], gamma, X)
        solutions = _solutions(training, max(system.ranks), ridges, F)
        models = partial(_spelling_models, training, system, chosen)
        selection.add_each(chain.from_iterable(map(models, solutions)))

    usual = {name: values[0] for name, values in varied.items()}
    add(_ridges(selection, system), usual)
    for name, values in varied.items():
        for value in values[1:]:
            leading = {x: selection.leading(x) or usual[x] for x in usual}
            add([selection.leading("ridge") or max(system.ridges)], leading | {name: value})
    found = selection.result()
    return _with_strings(training, system, found) if any(system.string_weights) else found


def _spelling_models(
    training: TrainingSet, system: Cr5Spelling, chosen: Mapping[str, float], solution: Solution
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
    words = spelling.compared(training.words, system.scripts)
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


def _ridges(selection: Selection, system: Cr5 | Cr5Spelling) -> Iterator[float]:
    """The ridges of a system, then some beyond the edge while the best is there.

    The largest comes first: its fit is better conditioned and so the cheaper start, and ties go to
    the larger ridge.
    """
    return selection.grid("ridge", sorted({*system.ridges}, reverse=True), **RIDGES)


def _solutions(
    training: TrainingSet,
    rank: int,
    ridges: Iterable[float],
    F: Sequence[csr_matrix] = (),
    left: float | None = None,
) -> Iterator[Solution]:
    """Solve for each ridge, with the factors of a prior or without; `left` as of `Iterative`."""
    X = [training.features[x] for x in training.languages]
    for language, (n, p) in zip(training.languages, (each.shape for each in X), strict=True):
        if not (n and p):
            raise UserError(
                f"Cr5, language {language}: {n} training documents with a vocabulary of {p} words, "
                "expected at least one of each; loosen the filters (bags.unique_words, "
                "bags.min_documents), bring more documents, or leave the language out"
            )
    concepts = [training.concepts[x] for x in training.languages]
    problem = Problem(X, concepts, training.n_concepts, F)
    threads = Threads(training.threads)
    if is_small(problem):
        solver = Dense(problem, rank, threads)
    else:
        solver = Iterative(problem, rank, threads, training.seed, left)
    yield from map(solver.solve, ridges)
