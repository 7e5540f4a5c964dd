"""From a training set to the topics that rank its validation queries best."""

from __future__ import annotations

import logging
from itertools import pairwise
from math import inf
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from cr5.base.errors import LeftOutError, UserError
from cr5.fitting.choose import Selection
from cr5.fitting.contract import Fit, TrainingSet
from cr5.models.word_tables import WordTables
from cr5.systems.projections.columns import Columns, by_concept, columns_of
from cr5.systems.topics.em import Em
from cr5.systems.topics.gibbs import Gibbs

if TYPE_CHECKING:
    from cr5.systems.topics.models import TopicModel

log = logging.getLogger(__name__)

SIGMAS = {"paper": 1.0, "exact": inf}
CHECK_EVERY = 5  # iterations from one validation to the next
PATIENCE = 10  # consecutive validations without a better one, then it ends


def fit(training: TrainingSet, system: TopicModel) -> Fit:
    """Fit each number of topics, and keep the topics that rank validation queries best.

    Every `CHECK_EVERY` iterations after burn-in the topics are validated; after `PATIENCE`
    consecutive checks without improvement, or `max_iterations`, the next number of topics follows.
    """
    chosen = columns_of(training, system, system.merged)
    estimator, asked = estimator_of(system, training, chosen), sorted(set(system.dimensions))
    few = [f"{n} topics were left out: only {chosen.n} words" for n in asked if n > chosen.n]
    if len(few) == len(asked):
        raise UserError(
            f"dimensions: {', '.join(map(str, asked))} topics, but there are only {chosen.n} words "
            "that are kept; ask for fewer topics or keep more words"
        )
    n, p = estimator.counts.shape
    facts = {"documents": n, "columns": p, "tokens": int(estimator.counts.sum())}
    facts |= {"pairs": estimator.n_pairs} if estimator.n_pairs else {}
    selection, last = Selection(training), system.max_iterations
    checks = [0, *range(estimator.burn_in + CHECK_EVERY, last, CHECK_EVERY), last]
    for dimension in (n for n in asked if n <= chosen.n):
        estimator.start(dimension)
        for start, end in pairwise(checks):
            for _ in range(start, end):
                estimator.step()
            log.info("%d topics, %d iterations", dimension, end)
            model, about = _model(training, chosen, estimator), facts | {"warnings": few}
            selection.add(Fit(model, about, {"dimension": dimension, "iterations": end}))
            if selection.checks_without_gain(dimension=dimension) >= PATIENCE:
                break
    return selection.result()


def estimator_of(system: TopicModel, training: TrainingSet, columns: Columns) -> Em | Gibbs:
    """What finds topics of the documents in these columns, of a concept or of a pair."""
    if system.estimator == "gibbs":
        return Gibbs(joined(training, columns), columns.starts, system, training.seed)
    if system.estimator == "coupled":
        sigma = SIGMAS.get(system.sigma, system.sigma)
        em = Em(*coupled(training, columns), sigma, training.threads)
    else:
        em = Em(joined(training, columns), threads=training.threads)
    em.alpha, em.beta = system.alpha, system.beta
    em.seed = training.seed if system.start == "random" else None
    return em


def _model(training: TrainingSet, columns: Columns, estimator: Em | Gibbs) -> WordTables:
    """One iteration of EM for a new document, from theta0: theta ~ sum_w n_w p(t|w) + prior.

    The paper does not specify theta0: here it is the mean of the training documents, by which more
    is found than by equal shares. With p(t|w) ~ theta0_t phi_tw that is a word table with an
    offset, and rows of l1 norm one. A document without a known word has equal shares of all topics.
    """
    table, theta0 = estimator.means()
    table *= theta0
    table /= table.sum(axis=1, keepdims=True)
    table = table.astype(np.float32)
    prior = np.full(table.shape[1], estimator.prior)
    return WordTables(
        training.words,
        {x: columns.table(x, table) for x in training.languages},
        {x: columns.selections[x] @ np.ones(columns.n) for x in training.languages},
        dict.fromkeys(training.languages, prior),
        term_frequency="raw",
        norm="l1",
        measures=("l1",),
    )


def joined(training: TrainingSet, columns: Columns) -> sparse.csr_matrix:
    """One document per concept: the words of all its languages together (section 2.4)."""
    return with_words(sum(by_concept(training, columns)))


def coupled(training: TrainingSet, columns: Columns) -> tuple[sparse.csr_matrix, int]:
    """A document per concept and language, first those of n pairs, in turn; and n (2.5)."""
    if len(training.languages) != 2:
        raise LeftOutError(
            f"CPLSA couples the topics of two languages, not of {', '.join(training.languages)}: "
            "fit it in settings of kind pairwise"
        )
    first, second = by_concept(training, columns)
    in_both = _has_words(first) & _has_words(second)
    pairs = sparse.vstack([first[in_both], second[in_both]], "csr")
    order = np.arange(pairs.shape[0]).reshape(2, -1).T.ravel()
    alone = sparse.vstack([first[~in_both], second[~in_both]], "csr")
    return with_words(sparse.vstack([pairs[order], alone], "csr")), int(in_both.sum())


def with_words(counts: sparse.csr_matrix) -> sparse.csr_matrix:
    """The documents that are not empty."""
    counts = sparse.csr_matrix(counts)[_has_words(counts)]
    if not counts.nnz:
        raise LeftOutError("no training document has a word that is kept: there are no topics")
    counts.sort_indices()
    return counts


def _has_words(counts: sparse.csr_matrix) -> np.ndarray:
    return np.diff(counts.indptr) > 0
