"""From a training set to the topics that rank its validation queries best.

Documents are counts in shared columns, those of a pair in adjacent rows.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from cr5.base.errors import LeftOutError, UserError
from cr5.fitting.choose import Selection
from cr5.fitting.contract import Fit, TrainingSet
from cr5.models.word_tables import WordTables
from cr5.systems.projections.columns import Columns, columns_of
from cr5.systems.projections.documents import members

if TYPE_CHECKING:
    from cr5.systems.topics.em import Em
    from cr5.systems.topics.gibbs import Gibbs
    from cr5.systems.topics.models import TopicModel

log = logging.getLogger(__name__)

CHECK_EVERY = 5  # iterations from one validation to the next
PATIENCE = 10  # consecutive validations without a better one, then it ends
APART = 0.1  # of an l1 distance of at most 2: a larger mean means that pairs are coupled too little
LOOSE = (
    "the topics of a pair's documents still differ by {:.2f} of 2, on average: sigma couples them "
    "too little; sigma: exact makes them equal"
)


def fit(training: TrainingSet, system: TopicModel) -> Fit:
    """Fit each number of topics, and keep the topics that rank validation queries best.

    Every `CHECK_EVERY` iterations after burn-in the topics are validated; after `PATIENCE`
    consecutive checks without improvement, or `max_iterations`, the next number of topics follows.
    """
    chosen = columns_of(training, system, system.merged)
    estimator, asked = system.estimator(training, chosen), sorted(set(system.dimensions))
    few = [f"{n} topics were left out: only {chosen.n} words" for n in asked if n > chosen.n]
    if len(few) == len(asked):
        raise UserError(
            f"dimensions: {', '.join(map(str, asked))} topics, but there are only {chosen.n} words "
            "that are kept; ask for fewer topics or keep more words"
        )
    corpus = estimator.corpus
    n, p = corpus.counts.shape
    facts = {"documents": n, "columns": p, "tokens": int(corpus.tokens.sum())}
    facts |= {"pairs": corpus.n_pairs} if corpus.n_pairs else {}
    selection, last = Selection(training), system.max_iterations
    checks = [0, *range(estimator.burn_in + CHECK_EVERY, last, CHECK_EVERY), last]
    for dimension in (n for n in asked if n <= chosen.n):
        estimator.start(dimension)
        for start, end in pairwise(checks):
            for _ in range(start, end):
                step = estimator.step()
            log.info("%d topics, %d iterations: %s", dimension, end, step)
            gap = step.get("gap", 0.0)
            report = facts | {"warnings": [*few, LOOSE.format(gap)] if gap > APART else few}
            model = _model(training, chosen, estimator)
            selection.add(Fit(model, report, {"dimension": dimension, "iterations": end}))
            if selection.checks_without_gain(dimension=dimension) >= PATIENCE:
                break
    return selection.result()


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
        {x: (columns.numbers[x] >= 0).astype(np.float64) for x in training.languages},
        dict.fromkeys(training.languages, prior),
        term_frequency="raw",
        norm="l1",
        measures=("l1",),
    )


@dataclass(frozen=True)
class Corpus:
    """Documents x columns with no empty row, and which of them are coupled.

    `by_word` is the transpose with the number of each entry in `counts.data`. Rows 2k and 2k + 1
    for k < n_pairs are a pair; later rows are single.
    """

    counts: sparse.csr_matrix
    by_word: sparse.csr_matrix
    n_pairs: int

    @property
    def tokens(self) -> np.ndarray:
        """Number of tokens of each document: (documents,) float64."""
        return np.asarray(self.counts.sum(axis=1), np.float64).ravel()

    @property
    def frequencies(self) -> np.ndarray:
        """Frequency of each column over all documents: (columns,) float64."""
        return np.asarray(self.counts.sum(axis=0), np.float64).ravel()


def joined(training: TrainingSet, columns: Columns) -> Corpus:
    """One document per concept: the words of all its languages together (section 2.4)."""
    return make_corpus(sum(_by_concept(training, columns)), 0)


def coupled(training: TrainingSet, columns: Columns) -> Corpus:
    """A document per concept and language; both of a concept are a pair (2.5)."""
    if len(training.languages) != 2:
        raise LeftOutError(
            f"CPLSA couples the topics of two languages, not of {', '.join(training.languages)}: "
            "fit it in settings of kind pairwise"
        )
    first, second = _by_concept(training, columns)
    in_both = _has_words(first) & _has_words(second)
    pairs = sparse.vstack([first[in_both], second[in_both]], "csr")
    order = np.arange(pairs.shape[0]).reshape(2, -1).T.ravel()
    alone = sparse.vstack([first[~in_both], second[~in_both]], "csr")
    return make_corpus(sparse.vstack([pairs[order], alone], "csr"), int(in_both.sum()))


def make_corpus(counts: sparse.csr_matrix, n_pairs: int) -> Corpus:
    """Leave out empty rows (none of the first, which are pairs, is) and transpose."""
    counts = sparse.csr_matrix(counts)[_has_words(counts)]
    if not counts.nnz:
        raise LeftOutError("no training document has a word that is kept: there are no topics")
    counts.sort_indices()
    numbers = np.arange(counts.nnz, dtype=np.int64)
    entries = sparse.csr_matrix((numbers, counts.indices, counts.indptr), counts.shape)
    return Corpus(counts, entries.T.tocsr(), n_pairs)


def _by_concept(training: TrainingSet, columns: Columns) -> list[sparse.csr_matrix]:
    """Per language concepts x columns, zeros for concepts without a document."""
    found = []
    for language in training.languages:
        counts = members(training, language) @ training.counts[language]
        merged = (counts @ columns.selection(language)).tocsr()
        merged.eliminate_zeros()
        found.append(merged)
    return found


def _has_words(counts: sparse.csr_matrix) -> np.ndarray:
    return np.diff(counts.indptr) > 0
