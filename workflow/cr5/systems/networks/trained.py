"""The training of a network of one language, and the model of networks of all languages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from cr5.base.rows import unit_rows
from cr5.contracts.training import Channel, Fit, TrainingSet
from cr5.counts.weighting import inverse_document_frequency
from cr5.models.word_tables import WordTables
from cr5.systems.algebra.columns import Columns, columns_of
from cr5.systems.algebra.incidence import alike
from cr5.systems.networks.composition import SPREAD, random_start, word_vectors
from cr5.systems.networks.pairs import Pairs, hold_out
from cr5.systems.networks.training import train
from cr5.systems.projections import pencils
from cr5.systems.projections.pencils import Pencil, solve

if TYPE_CHECKING:
    from cr5.systems.networks.family import Monolingual

BLOCK = 128  # texts whose cosines with all others are held at once


@dataclass(frozen=True)
class Network:
    """The vectors of the words of a trained network, and what its training reports."""

    vectors: np.ndarray
    report: dict[str, Any]


def train_stage1(
    training: TrainingSet, language: str, columns: Columns, system: Monolingual
) -> Network:
    """Train the network of a language on its texts alone (Gupta et al. 2017, section 4.1).

    A text is to be nearer to what is most relevant for it than to a random text.
    """
    pairs = monolingual(training, language, columns, system)
    if (pairs.queries == pairs.answers).all():  # each is ranked first, whatever the network
        system = system.model_copy(update={"held_out": 0})
    trains = system.stage1 != "random" and len(pairs.queries)
    epochs = system.stage1_epochs if trains else 0
    return train_network(training, language, pairs, epochs, system)


def monolingual(
    training: TrainingSet, language: str, columns: Columns, system: Monolingual
) -> Pairs:
    """Pair texts of a language with what is relevant for them: as judged, or else what is alike."""
    texts = training.counts[language]
    if system.stage1 == "channel" and language in training.channels:
        channel = training.channels[language]
        if channel.queries is not None:
            return _judged(channel, language, columns)
        texts = channel.documents
    queries, answers = most_relevant(texts, system.self_matches)
    return Pairs(text_rows(texts, language, columns), queries, answers, groups=queries)


def _judged(channel: Channel, language: str, columns: Columns) -> Pairs:
    """Pair each query with each document that is relevant for it; documents follow the queries."""
    n_queries = channel.queries.shape[0]
    texts = sparse.vstack([channel.queries, channel.documents]).tocsr()
    relevance = channel.relevance.tocoo()
    queries = relevance.row.astype(np.int64)
    answers = n_queries + relevance.col.astype(np.int64)
    X = text_rows(texts, language, columns)
    return Pairs(X, queries, answers, groups=np.arange(len(queries)))


def most_relevant(counts: sparse.csr_matrix, self_matches: bool) -> tuple[np.ndarray, np.ndarray]:
    """Pair each text with the text that a search for it by tf-idf finds first.

    A search among texts finds the text itself first. With `self_matches` it is its own answer, as
    Gupta et al. 2017 published it; without, the first text with other counts. Of equal texts always
    the first row stands; those without a known word, or an answer, have no pair.
    """
    with_words = np.flatnonzero(np.diff(counts.indptr))
    if self_matches:
        return with_words, with_words
    first_equals = alike(counts.sorted_indices())[with_words]
    distinct, text_numbers = np.unique(first_equals, return_inverse=True)
    idf = sparse.diags(inverse_document_frequency(counts[with_words]))
    nearest, cosines = _nearest(unit_rows(counts[distinct] @ idf))
    has_answer = cosines[text_numbers] > 0
    text_numbers = text_numbers[has_answer]
    return distinct[text_numbers], distinct[nearest[text_numbers]]


def _nearest(rows: sparse.csr_matrix) -> tuple[np.ndarray, np.ndarray]:
    """Return the nearest other row of each row of length one, and its cosine."""
    n_rows = rows.shape[0]
    nearest = np.zeros(n_rows, np.int64)
    cosines = np.zeros(n_rows, rows.dtype)
    columns = rows.T.tocsr()
    for start in range(0, n_rows, BLOCK):
        block = slice(start, start + BLOCK)
        block_cosines = (rows[block] @ columns).toarray()
        np.fill_diagonal(block_cosines[:, start:], 0)  # no row is its own answer
        nearest[block] = block_cosines.argmax(axis=1)
        cosines[block] = block_cosines.max(axis=1)
    return nearest, cosines


def columns_by_language(training: TrainingSet, system: Monolingual) -> dict[str, Columns]:
    """Return the words of each language that its network has, and their weights."""
    columns = {}
    for language in training.languages:
        counts = [training.counts[language]]
        if language in training.channels:
            counts.append(training.channels[language].documents)
        alone = replace(
            training,
            words={language: training.words[language]},
            counts={language: sparse.vstack(counts)},
        )
        columns[language] = columns_of(alone, system, weighted=system.weights == "paper")
    return columns


def text_rows(counts: sparse.csr_matrix, language: str, columns: Columns) -> sparse.csr_matrix:
    """Return texts x the words of a network, float32."""
    return columns.rows(language, counts).astype(np.float32)


def train_network(
    training: TrainingSet, language: str, pairs: Pairs, epochs: int, system: Monolingual
) -> Network:
    """Draw and train a network; its random numbers do not depend on the other languages."""
    generator = np.random.default_rng([training.seed, *language.encode()])
    n_words = pairs.X.shape[1]
    parameters = random_start(generator, n_words, system.dimension, system.layers)
    report: dict[str, Any] = {}
    if system.start == "autoencoder":
        # The best linear one is latent semantic analysis (Baldi and Hornik 1989).
        pencil = pencils.lsi(pairs.X.astype(np.float64))
        start = projected(pencil, system.dimension, training.threads)
        n_dimensions = start.vectors.shape[1]
        parameters[0][:, :n_dimensions] = start.vectors
        report |= start.report
    held_out, training_pairs = hold_out(pairs, system.held_out, generator)
    report |= train(parameters, held_out, training_pairs, epochs, system, generator)
    return Network(word_vectors(parameters), report)


def projected(pencil: Pencil, dimension: int, threads: int) -> Network:
    """Return the solution of a pencil as a network to start from, and what is reported of it.

    The vectors, columns x r float32, are scaled to the spread of a random start.
    """
    solution = solve(pencil, dimension, threads)
    V = solution.vectors
    report = {"start": solution.facts, "warnings": solution.warnings}
    return Network((SPREAD / V.std() * V).astype(np.float32), report)


def fit_of(
    training: TrainingSet,
    columns: Mapping[str, Columns],
    networks: Mapping[str, Network],
    pivot: str | None = None,
) -> Fit:
    """Return the fit of one network per language, with each training's report and warnings."""
    report: dict[str, Any] = {}
    if pivot:
        report["pivot"] = pivot
    warnings = []
    for language, network in networks.items():
        name = "stage1" if language == pivot else language
        facts = dict(network.report)
        warnings += [f"{name}: {warning}" for warning in facts.pop("warnings", [])]
        report[name] = facts
    report["warnings"] = warnings
    vectors = {language: network.vectors for language, network in networks.items()}
    return Fit(model_of(training, columns, vectors), report)


def model_of(
    training: TrainingSet, columns: Mapping[str, Columns], vectors: Mapping[str, np.ndarray]
) -> WordTables:
    """Return the table of the words of each language."""
    tables = {language: columns[language].table(language, V) for language, V in vectors.items()}
    weights = {language: columns[language].weights[language] for language in vectors}
    frequencies = {language_columns.term_frequency for language_columns in columns.values()}
    [term_frequency] = frequencies  # all languages have the same
    return WordTables(training.words, tables, weights, term_frequency=term_frequency)
