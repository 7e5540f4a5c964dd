"""The training of a network of one language, and the model of networks of all languages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from cr5.base.rows import unit_rows
from cr5.counts.weighting import inverse_document_frequency
from cr5.fitting.contract import Fit, TrainingSet
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

BLOCK = 128  # of texts whose scores of all others are held at once


@dataclass(frozen=True)
class Network:
    """The vectors of the words of a trained network, and what its training reports."""

    vectors: np.ndarray
    report: dict[str, Any]


def stage1(training: TrainingSet, language: str, columns: Columns, system: Monolingual) -> Network:
    """Train the network of a language on its texts alone (Gupta et al. 2017, section 4.1).

    A text is to be nearer to what is most relevant for it than to a random text.
    """
    pairs = monolingual(training, language, columns, system)
    if (pairs.queries == pairs.answers).all():  # each is found first anyway
        system = system.model_copy(update={"held_out": 0})
    trains = system.stage1 != "random" and len(pairs.queries)
    epochs = system.stage1_epochs if trains else 0
    return network(training, language, pairs, epochs, system)


def monolingual(
    training: TrainingSet, language: str, columns: Columns, system: Monolingual
) -> Pairs:
    """Texts of a language and what is relevant for them: as judged, or else what is most alike."""
    channel = training.channels.get(language) if system.stage1 == "channel" else None
    counts = training.counts[language] if channel is None else channel.documents
    if channel is None or channel.queries is None:
        queries, answers = most_relevant(counts, system.self_matches)
        return Pairs(_rows(counts, language, columns), queries, answers, queries)
    relevant, n = channel.relevance.tocoo(), channel.queries.shape[0]
    X = _rows(sparse.vstack([channel.queries, counts]).tocsr(), language, columns)
    queries, answers = relevant.row.astype(np.int64), n + relevant.col.astype(np.int64)
    return Pairs(X, queries, answers, np.arange(len(queries)))


def most_relevant(counts: sparse.csr_matrix, self_matches: bool) -> tuple[np.ndarray, np.ndarray]:
    """Pair each text with the text that a search for it by tf-idf finds first.

    A search among texts finds the text itself first. With `self_matches` it is its own answer, as
    Gupta et al. 2017 published it; without, the first text with other counts. Of equal texts always
    the first row stands; those without a known word, or an answer, have no pair.
    """
    known = np.flatnonzero(np.diff(counts.indptr))
    if self_matches:
        return known, known
    first = alike(counts.sorted_indices())[known]
    distinct, place = np.unique(first, return_inverse=True)
    idf = sparse.diags(inverse_document_frequency(counts[known]))
    rows, nearest, highest = unit_rows(counts[distinct] @ idf), [], []
    columns = rows.T.tocsr()
    for start in range(0, len(distinct), BLOCK):
        scores = (rows[start : start + BLOCK] @ columns).toarray()
        np.fill_diagonal(scores[:, start:], 0)  # none is its own answer
        nearest.extend(scores.argmax(axis=1))
        highest.extend(scores.max(axis=1))
    place = place[np.array(highest)[place] > 0]
    return distinct[place], distinct[np.array(nearest, np.int64)[place]]


def columns_of_language(training: TrainingSet, language: str, system: Monolingual) -> Columns:
    """Return the words of a language that its network has, and their weights."""
    counts = [training.counts[language]]
    if language in training.channels:
        counts.append(training.channels[language].documents)
    alone = replace(
        training,
        words={language: training.words[language]},
        counts={language: sparse.vstack(counts)},
    )
    return columns_of(alone, system, weighted=system.weights == "paper")


def _rows(counts: sparse.csr_matrix, language: str, columns: Columns) -> sparse.csr_matrix:
    """Texts x the words of a network, float32."""
    return columns.rows(language, counts).astype(np.float32)


def network(
    training: TrainingSet, language: str, pairs: Pairs, epochs: int, system: Monolingual
) -> Network:
    """Draw and train a network; its random numbers do not depend on the other languages."""
    generator = np.random.default_rng([training.seed, *language.encode()])
    n_words = pairs.X.shape[1]
    parameters = random_start(generator, n_words, system.dimension, system.layers)
    facts = {}
    if system.start == "autoencoder":
        # The best linear one is latent semantic analysis (Baldi and Hornik 1989).
        pencil = pencils.lsi(pairs.X.astype(np.float64))
        V, facts = projected(pencil, system.dimension, training.threads)
        parameters[0][:, : V.shape[1]] = V
    held_out, kept = hold_out(pairs, system.held_out, generator)
    report = facts | train(parameters, held_out, kept, epochs, system, generator)
    return Network(word_vectors(parameters), report)


def projected(pencil: Pencil, dimension: int, threads: int) -> tuple[np.ndarray, dict[str, Any]]:
    """Return the solution of a pencil, columns x r float32, scaled to the spread of a random start.

    And what is reported of it.
    """
    solution = solve(pencil, dimension, threads)
    V = solution.vectors
    report = {"start": solution.facts, "warnings": solution.warnings}
    return (SPREAD / V.std() * V).astype(np.float32), report


def fit_of(
    training: TrainingSet,
    columns: Mapping[str, Columns],
    networks: Mapping[str, Network],
    pivot: str | None = None,
) -> Fit:
    """Return the fit of one network per language, with each training's report and warnings."""
    report: dict[str, Any] = {"pivot": pivot} if pivot else {}
    warnings = []
    for language, trained in networks.items():
        name = "stage1" if language == pivot else language
        facts = dict(trained.report)
        warnings += [f"{name}: {warning}" for warning in facts.pop("warnings", [])]
        report[name] = facts
    vectors = {language: trained.vectors for language, trained in networks.items()}
    model = model_of(training, columns, vectors)
    return Fit(model, {**report, "warnings": warnings})


def model_of(
    training: TrainingSet, columns: Mapping[str, Columns], vectors: Mapping[str, np.ndarray]
) -> WordTables:
    """Return the table of the words of each language."""
    tables = {language: columns[language].table(language, V) for language, V in vectors.items()}
    weights = {language: columns[language].weights[language] for language in vectors}
    [frequency] = {of_language.term_frequency for of_language in columns.values()}
    return WordTables(training.words, tables, weights, term_frequency=frequency)
