"""The network of one language: its words, and its training on text of that language alone.

Stage 1 of Gupta, Banchs and Rosso 2017 (section 4.1): a text is to be nearer to what is most
relevant for it than to a random text.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy import sparse

from cr5.fitting.contract import Fit, TrainingSet
from cr5.models.word_tables import WordTables
from cr5.systems.networks.composition import random_start, word_vectors
from cr5.systems.networks.family import Monolingual
from cr5.systems.networks.relevance import most_relevant
from cr5.systems.networks.starts import autoencoder
from cr5.systems.networks.training import Pairs, hold_out, train
from cr5.systems.projections.columns import Columns, ColumnSettings, columns


def stage1(
    training: TrainingSet, language: str, chosen: Columns, system: Monolingual
) -> tuple[np.ndarray, dict[str, Any]]:
    """Train the network of a language on its texts alone; return its word vectors and a report."""
    pairs = monolingual(training, language, chosen, system)
    if (pairs.queries == pairs.answers).all():  # each is found first anyway
        system = system.model_copy(update={"held_out": 0})
    trains = system.stage1 != "random" and len(pairs.queries)
    epochs = system.stage1_epochs if trains else 0
    return trained(training, language, pairs, epochs, system)


def monolingual(
    training: TrainingSet, language: str, chosen: Columns, system: Monolingual
) -> Pairs:
    """Texts of a language and what is relevant for them: as judged, or else what is most alike."""
    channel = training.channels.get(language) if system.stage1 == "channel" else None
    counts = training.counts[language] if channel is None else channel.documents
    if channel is None or channel.queries is None:
        queries, answers = most_relevant(counts, system.self_matches)
        return Pairs(rows_of(counts, language, chosen), queries, answers, groups=queries)
    relevant, n = channel.relevance.tocoo(), channel.queries.shape[0]
    X = rows_of(sparse.vstack([channel.queries, counts]).tocsr(), language, chosen)
    return Pairs(X, relevant.row.astype(np.int64), n + relevant.col.astype(np.int64))


def words_of(training: TrainingSet, language: str, system: Monolingual) -> Columns:
    """The words of a language that its network has, and their weights."""
    kept = system.skip_words, system.max_words
    how = ColumnSettings(*kept, weighted=system.weights == "paper")
    counts = [training.counts[language]]
    if language in training.channels:
        counts.append(training.channels[language].documents)
    return columns({language: training.words[language]}, {language: sparse.vstack(counts)}, how)


def rows_of(counts: sparse.csr_matrix, language: str, chosen: Columns) -> sparse.csr_matrix:
    """Texts x the words of a network, float32."""
    return chosen.rows(language, counts).astype(np.float32)


def fit_of(
    training: TrainingSet,
    chosen: Mapping[str, Columns],
    vectors: Mapping[str, np.ndarray],
    reports: Mapping[str, dict[str, Any]],
    **facts: Any,
) -> Fit:
    """The fit of one network per language: facts, and each training's report and warnings."""
    warnings = [f"{x}: {said}" for x, one in reports.items() for said in one.pop("warnings", [])]
    return Fit(model_of(training, chosen, vectors), {**facts, **reports, "warnings": warnings})


def model_of(
    training: TrainingSet, chosen: Mapping[str, Columns], vectors: Mapping[str, np.ndarray]
) -> WordTables:
    """The model of one network per language, from the vectors of its words."""
    tables = {x: chosen[x].table(x, V) for x, V in vectors.items()}
    weights = {x: chosen[x].weights[x] for x in vectors}
    [term_frequency] = {each.term_frequency for each in chosen.values()}
    return WordTables(training.words, tables, weights, term_frequency=term_frequency)


def trained(
    training: TrainingSet, language: str, pairs: Pairs, epochs: int, system: Monolingual
) -> tuple[np.ndarray, dict[str, Any]]:
    """Draw and train a network; its random numbers do not depend on the other languages."""
    generator = np.random.default_rng([training.seed, *language.encode()])
    parameters, facts = random_start(generator, pairs.X.shape[1], system.dimension), {}
    if system.start == "autoencoder":
        V, facts = autoencoder(pairs.X, system.dimension, training.threads)
        parameters[0][:, : V.shape[1]] = V
        facts = {"start": facts, "warnings": facts.pop("warnings")}
    held, kept = hold_out(pairs, system.held_out, generator)
    report = facts | train(parameters, held, kept, epochs, system, generator)
    return word_vectors(parameters), report
