"""Words that a dictionary pairs, compared one by one beside what was learned: nothing is fitted."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy import sparse

from cr5.contracts.training import Fit, TrainingSet
from cr5.counts.columns import widened
from cr5.fitting.choose import RERANK, Selection, added
from cr5.models.word_tables import JoinedTables, WordTables
from cr5.systems.ridge.spelling import translations

WEIGHTS = (0.0, 0.25, 0.5, 1.0, 2.0)  # to choose from
NAME = "word_pair_weight"

NO_PAIRS = "word_pairs adds nothing: no section `dictionary` pairs words of the vocabulary"

Tables = Mapping[str, sparse.csr_matrix]


@dataclass(frozen=True)
class Block:
    """What words are worth in a comparison, words x columns, by language, and its weight."""

    tables: Tables
    weight: float


def with_word_pairs(training: TrainingSet, fitted: Fit, second_stage: Sequence[float]) -> Fit:
    """Choose how much paired words count beside a fit, together with weights of a second stage.

    The second stage compares words, too: a weight that is chosen without it found less with it, on
    the default pages 0.3 less by CSLS than no pairs, in place of 0.4 more. The model that is
    returned has no second stage. Without a dictionary there is no choice, which a warning says.
    """
    model = fitted.model
    dictionary = translations(model.words, training.seeds, model.fallbacks)
    if not any(table.nnz for table in dictionary.values()):
        warnings = [*fitted.report.get("warnings", []), NO_PAIRS]
        return replace(fitted, report=fitted.report | {"warnings": warnings})
    beginnings = []
    if isinstance(model, JoinedTables) and model.beta:
        beginnings = [Block(_weighted(model.beside, model.beside_weights), model.beta)]
    pairs = _weighted(dictionary, model.weights)
    selection = Selection(training)
    for weight in WEIGHTS:
        joined = model
        if weight:
            blocks = [*beginnings, Block(pairs, weight)]
            joined = _with_blocks(training, model, blocks)
        for rerank in second_stage:
            candidate = replace(joined, rerank=rerank)
            selection.add(Fit(candidate, {}, {NAME: weight, RERANK: rerank}))
    best_fit = selection.result()
    without_second_stage = replace(best_fit.model, rerank=0.0)
    choice = replace(best_fit, model=without_second_stage, chosen={NAME: best_fit.chosen[NAME]})
    return added(fitted, choice, "word_pair_validation")


def _weighted(features: Tables, weights: Mapping[str, np.ndarray]) -> Tables:
    """Return the features of words, times the weights of the words."""
    tables = {}
    for language, table in features.items():
        tables[language] = (sparse.diags(weights[language]) @ table).tocsr()
    return tables


def _with_blocks(training: TrainingSet, model: WordTables, blocks: Sequence[Block]) -> JoinedTables:
    """Join tables that compare documents.

    A document of counts c is, before its row has length one, with B_i the tables and b_i their
    weights

        z = [sqrt(b_1) sqrt(c) B_1 / m_1, sqrt(b_2) sqrt(c) B_2 / m_2, ...]

    m_i is the mean length of sqrt(c) B_i over training documents, as if each word were there once,
    or 1 if that is 0: so that blocks of weight 1 count alike, and one counts more in a document
    that has more of it.
    """
    scales = []
    for block in blocks:
        mean_length = _mean_length(training, block.tables) or 1.0
        scales.append(math.sqrt(block.weight) / mean_length)
    tables = {}
    weights = {}
    for language in training.languages:
        scaled = [
            block.tables[language] * scale for block, scale in zip(blocks, scales, strict=True)
        ]
        tables[language] = sparse.hstack(scaled, "csr").astype(np.float32)
        n_columns = tables[language].shape[0]
        weights[language] = np.ones(n_columns)
    return model.joined(
        beside=tables,
        beside_weights=weights,
        beside_term_frequency="sqrt",
        beta=sum(block.weight for block in blocks),
    )


def _mean_length(training: TrainingSet, tables: Tables) -> float:
    """Return the mean over languages of the mean length of a training document."""
    means = []
    for language, table in tables.items():
        n_columns = table.shape[0]
        features = widened(training.features[language], n_columns)
        has_word = (features != 0).astype(np.float64)
        squares = (has_word @ table).power(2).sum(axis=1)
        lengths = np.sqrt(np.asarray(squares))
        means.append(lengths.mean())
    return float(np.mean(means))
