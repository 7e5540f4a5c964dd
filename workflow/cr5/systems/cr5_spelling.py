"""Cr5 with a prior over spellings: words that are spelt alike get vectors that are alike.

Cr5's regression (`cr5.systems.reduced_rank`) on log term frequencies, with three changes. The prior
of the word vectors is not I but (I + gamma N N') / (1 + gamma), where N has the spelling of words,
in one language or in two (`cr5.systems.spelling.features`): a word is known by its kin, and a rare
one by more than its few documents. Words of different scripts may be compared by their
sounds, in Latin letters (`cr5.systems.spelling.scripts`). The output is scaled by the eigenvalues,
Phi' diag(mu)^a, in place of Eq. 15, which blows up directions that are hardly there. And the mean
of the language's training documents may be added to a document, where validation says so.

Beside what was learned the beginnings of words may count, as in `strings`: cosine plus beta times
that of beginnings. Where names tell documents apart this finds more than either does; validation
says how much they weigh, 0 included.
"""

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import numpy as np

from cr5.base.rows import Rows
from cr5.fitting.best import best
from cr5.fitting.contract import Fit, TrainingSet
from cr5.models.joined_tables import JoinedTables
from cr5.models.word_tables import WordTables
from cr5.systems.reduced_rank import Solution
from cr5.systems.reduced_rank.training import fits, warnings
from cr5.systems.spelling import beginnings
from cr5.systems.spelling.features import features
from cr5.systems.spelling.scripts import compared

DEFAULTS = {
    "ranks": [100, 300],
    "ridges": [0.03, 0.1, 0.3, 1.0, 3.0],
    "shifts": [False, True],  # whether the mean of the language's documents is added
    "prior": "prefixes",  # or ngrams; none for Cr5's
    "gamma": 1.0,  # weight of the prior
    "scripts": "own",  # or words of other scripts in Latin letters, see spelling.scripts
    "scaling": 1.0,  # a: power of the eigenvalues
    "string_weights": [0.0],  # beta; several are validated after all else
    "letters": 5,  # of the beginnings
    "term_frequency": "log",
    "solver": "auto",
    "tolerance": "paper",
    "max_iterations": 500,
    "device": "cpu",
}
ALLOWED = {
    "ranks": {"ge": 1},
    "ridges": {"gt": 0},
    "shifts": (False, True),
    "prior": ("none", "prefixes", "ngrams"),
    "gamma": {"gt": 0},
    "scripts": ("own", "auto", "latin", "sounds", "consonants"),
    "scaling": {"ge": 0},
    "string_weights": {"ge": 0},
    "letters": {"ge": 1},
    "term_frequency": (None, "raw", "log", "sqrt", "binary"),
    "solver": ("auto", "dense", "iterative"),
    "tolerance": ("paper", {"gt": 0, "lt": 1}),
    "max_iterations": {"ge": 1},
    "device": ("cpu", "cuda"),
}


def fit(training: TrainingSet, options: dict[str, Any]) -> Fit:
    """Fit every ridge, and keep the ridge, rank and shift that rank validation queries best.

    From the largest ridge down, of each the smaller ranks and no shift first: ties go to what is
    plainer. Then the weight of strings, likewise.

    Raises:
        UserError: an option is not usable, or the documents cannot be fitted.
    """
    settings = DEFAULTS | options
    return _with_strings(training, best(training, _fits(training, settings)), settings)


def _fits(training: TrainingSet, settings: dict[str, Any]) -> Iterator[Fit]:
    """Fit each ridge once; ranks and shifts are made of the same fit."""
    for solution in _solutions(training, settings):
        ranks = sorted({min(rank, solution.rank) for rank in settings["ranks"]})
        for rank in ranks:
            for shift in sorted(set(settings["shifts"])):
                yield _fit(training, solution, rank, shift, max(settings["ranks"]))
        del solution  # as large as a model, while the next one is computed


def _solutions(training: TrainingSet, settings: dict[str, Any]) -> Iterator[Solution]:
    kind, languages = settings["prior"], training.languages
    N = {} if kind == "none" else features(compared(training.words, settings["scripts"]), kind)
    ridges = sorted({float(ridge) for ridge in settings["ridges"]}, reverse=True)
    return fits(
        training,
        settings,
        max(settings["ranks"]),
        ridges,
        prior=[N[x] for x in languages if N],
        gamma=settings["gamma"],
        scaling=settings["scaling"],
    )


def _fit(training: TrainingSet, solution: Solution, rank: int, shift: bool, asked: int) -> Fit:
    parts = (np.ascontiguousarray(table[:, :rank]) for table in solution.maps)
    tables = dict(zip(training.languages, parts, strict=True))
    model = WordTables(
        training.words,
        {x: table.astype(np.float32, copy=False) for x, table in tables.items()},
        training.weights,
        {x: _mean(training.features[x], table) for x, table in tables.items()} if shift else None,
        training.term_frequency,
        input_norm="l2",
    )
    chosen = {"ridge": solution.ridge, "rank": rank, "shift": shift}
    return Fit(model, solution.facts | chosen | {"warnings": warnings(solution, asked)}, chosen)


def _mean(X: Rows, table: np.ndarray) -> np.ndarray:
    """Of the training documents' embeddings, (r,) float64."""
    return (np.asarray(X.mean(axis=0)) @ table).ravel().astype(np.float64)


def _with_strings(training: TrainingSet, fitted: Fit, settings: dict[str, Any]) -> Fit:
    """Choose beta; its validation stands beside that of the fit."""
    if not any(settings["string_weights"]):
        return fitted
    words = compared(training.words, settings["scripts"])
    found = beginnings.beginnings(words, training.features, settings["letters"])
    beside = {
        "beside": found.tables,
        "beside_weights": found.weights,
        "beside_term_frequency": beginnings.TERM_FREQUENCY,
    }
    plain = {x.name: getattr(fitted.model, x.name) for x in fields(fitted.model)}

    def of(beta: float) -> Fit:
        model = JoinedTables(**plain, **beside, beta=beta) if beta else fitted.model
        return Fit(model, {}, {"string_weight": beta})

    kept = best(training, map(of, sorted({float(beta) for beta in settings["string_weights"]})))
    report = fitted.report | {"string_weight": kept.report["string_weight"]}
    if "validation" in kept.report:
        report["string_validation"] = kept.report["validation"]
    report["warnings"] = fitted.report["warnings"] + kept.report.get("warnings", [])
    return Fit(kept.model, report, fitted.chosen | kept.chosen)
