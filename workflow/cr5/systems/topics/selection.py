"""The number of topics, and of iterations, that ranks the validation queries best."""

from __future__ import annotations

import logging
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from cr5.base.errors import UserError
from cr5.contracts.training import Fit, TrainingSet
from cr5.fitting.choose import Selection
from cr5.models.word_tables import WordTables
from cr5.systems.algebra.columns import Columns

if TYPE_CHECKING:
    from cr5.systems.topics.family import Estimator, TopicModel

log = logging.getLogger(__name__)

CHECK_EVERY = 5  # iterations from one validation to the next
PATIENCE = 10  # consecutive validations without a better one, then it ends


def best_topics(
    training: TrainingSet, system: TopicModel, columns: Columns, estimator: Estimator
) -> Fit:
    """Fit each number of topics, and keep the topics that rank validation queries best.

    Every `CHECK_EVERY` iterations after burn-in the topics are validated; after `PATIENCE`
    consecutive checks without improvement, or `max_iterations`, the next number of topics follows.
    """
    dimensions = possible(system, columns)
    facts = facts_of(system, columns, estimator)
    last = system.max_iterations
    checks = [0, *range(estimator.burn_in + CHECK_EVERY, last, CHECK_EVERY), last]
    selection = Selection(training)
    for dimension in dimensions:
        estimator.start(dimension)
        for start, end in pairwise(checks):
            for _ in range(start, end):
                estimator.step()
            log.info("%d topics, %d iterations", dimension, end)
            model = model_of(training, columns, estimator)
            selection.add(Fit(model, facts, {"dimension": dimension, "iterations": end}))
            if selection.checks_without_gain(dimension=dimension) >= PATIENCE:
                break
    return selection.result()


def possible(system: TopicModel, columns: Columns) -> list[int]:
    """Return the numbers of topics that are not above that of the words, ascending."""
    requested = sorted(set(system.dimensions))
    dimensions = [dimension for dimension in requested if dimension <= columns.n]
    if not dimensions:
        raise UserError(
            f"dimensions: {', '.join(map(str, requested))} topics, but there are only "
            f"{columns.n} words that are kept; ask for fewer topics or keep more words"
        )
    return dimensions


def facts_of(system: TopicModel, columns: Columns, estimator: Estimator) -> dict:
    """Return what the report of each fit says of its documents."""
    n_documents, n_columns = estimator.counts.shape
    n_tokens = int(estimator.counts.sum())
    facts = {"documents": n_documents, "columns": n_columns, "tokens": n_tokens}
    if estimator.n_pairs:
        facts["pairs"] = estimator.n_pairs
    facts["warnings"] = [
        f"{dimension} topics were left out: only {columns.n} words"
        for dimension in sorted(set(system.dimensions))
        if dimension > columns.n
    ]
    return facts


def model_of(training: TrainingSet, columns: Columns, estimator: Estimator) -> WordTables:
    """Return the model of one iteration of EM for a new document, from theta0.

        theta_t ~ sum_w n_w p(t|w) + prior,    p(t|w) ~ theta0_t phi_tw

    The paper does not specify theta0: here it is the mean of the training documents, by which more
    is found than by equal shares. So the model is a word table with an offset, and rows of l1 norm
    one. A document without a known word has equal shares of all topics.
    """
    table, theta0 = estimator.means()
    table *= theta0
    table /= table.sum(axis=1, keepdims=True)
    table = table.astype(np.float32)
    tables = {language: columns.table(language, table) for language in training.languages}
    has_column = {
        language: columns.selections[language] @ np.ones(columns.n)
        for language in training.languages
    }
    prior = np.full(table.shape[1], estimator.prior)
    return WordTables(
        training.words,
        tables,
        weights=has_column,
        offsets=dict.fromkeys(training.languages, prior),
        term_frequency="raw",
        norm="l1",
        measures=("l1",),
    )
