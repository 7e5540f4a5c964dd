"""XCNN (Gupta, Banchs and Rosso 2017): networks that learn to retrieve, first in one language.

Stage 1 trains the network of one language, the pivot, on texts of that language alone: each is to
be nearer to the most relevant other text than to a random one (section 4.1). Stage 2 keeps that
network and trains one for each other language: a document is to be nearer to that of the pivot on
the same concept than to another one (section 4.2, Eq. 9). A word passes through the layers alone,
so the model is a table of word vectors for each language.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy import sparse

from cr5.base.errors import LeftOutError
from cr5.fitting.contract import Fit, TrainingSet
from cr5.models.word_tables import WordTables
from cr5.systems.mapping.pivot import choose_pivot
from cr5.systems.networks.composition import random_start, word_vectors
from cr5.systems.networks.relevance import most_relevant
from cr5.systems.networks.training import OPTIONS as TRAINING
from cr5.systems.networks.training import Pairs, train
from cr5.systems.projections.columns import Columns, ColumnSettings, columns
from cr5.systems.projections.documents import same_concept

TITLE = "XCNN"
REFERENCE = "Gupta, Banchs and Rosso, IP&M 2017"
COST = (1, 8)
NEEDS = ("counts", "channels")
WITHOUT_COUNTS = {"weights": "given"}

OPTIONS = {
    "dimension": (128, {"ge": 1}, "of the network's layers, and of the model"),
    "layers": (1, {"ge": 1}, "that each word passes through; more brought its authors nothing"),
    "skip_words": (0, {"ge": 0}, "most frequent words of each language that are dropped"),
    "max_words": (10000, {"ge": 1}, "words kept of the others in each language"),
    "weights": (
        "given",
        ("given", "paper"),
        "counts as they are, as published; or those of the projections, log2(1 + count) "
        "log2(n / df)",
    ),
    "spread": (0.1, {"gt": 0}, "standard deviation of the words' random start"),
    "pivot": (
        None,
        (None, "{language}"),
        "the language of stage 1, whose network is kept; null: English, or else the first",
    ),
    "stage1": (
        "channel",
        ("channel", "documents", "random"),
        "what trains the pivot's network: its channel, or its documents where it has none; its "
        "documents; nothing, so that it is left as it was drawn",
    ),
    "self_matches": (False, "whether a text is its own answer in stage 1, as published"),
    "stage1_epochs": (20, {"ge": 1}, "of stage 1 at most"),
    "epochs": (50, {"ge": 1}, "of stage 2 at most"),
    **TRAINING,
}


def fit(training: TrainingSet, options: dict[str, Any]) -> Fit:
    """Train the pivot's network, then those of the others against it.

    Raises:
        LeftOutError: a language has no document on a concept of the pivot's.
        UserError: no word is left.
    """
    pivot = choose_pivot(training.languages, options["pivot"])
    chosen = {x: words_of(training, x, options) for x in training.languages}
    rows = {x: rows_of(training.counts[x], x, chosen[x]) for x in training.languages}
    vectors, report = {}, {"pivot": pivot}
    vectors[pivot], report["stage1"] = stage1(training, pivot, chosen[pivot], options)
    fixed = rows[pivot] @ vectors[pivot]
    for x in [each for each in training.languages if each != pivot]:
        pairs = Pairs(rows[x], *same_concept(training, x, pivot), fixed)
        if not len(pairs.queries):
            raise LeftOutError(
                f"no training document in {x!r} has a concept of one in {pivot!r}, the pivot: "
                "choose another pivot, or leave out one of the languages"
            )
        vectors[x], report[x] = _trained(training, x, pairs, options["epochs"], options)
    return Fit(model_of(training, chosen, vectors), report)


def stage1(
    training: TrainingSet, language: str, chosen: Columns, options: Mapping[str, Any]
) -> tuple[np.ndarray, dict[str, Any]]:
    """Train the network of a language on its texts alone; return its word vectors and a report."""
    pairs = monolingual(training, language, chosen, options)
    if options["self_matches"]:  # who is found first tells nothing
        options = {**options, "held_out": 0}
    trains = options["stage1"] != "random" and len(pairs.queries)
    epochs = options["stage1_epochs"] if trains else 0
    return _trained(training, language, pairs, epochs, options)


def monolingual(
    training: TrainingSet, language: str, chosen: Columns, options: Mapping[str, Any]
) -> Pairs:
    """Texts of a language and what is relevant for them: as judged, or else what is most alike."""
    channel = training.channels.get(language) if options["stage1"] == "channel" else None
    counts = training.counts[language] if channel is None else channel.documents
    if channel is None or channel.queries is None:
        found = most_relevant(counts, options["self_matches"])
        return Pairs(rows_of(counts, language, chosen), *found)
    relevant, n = channel.relevance.tocoo(), channel.queries.shape[0]
    X = rows_of(sparse.vstack([channel.queries, counts]).tocsr(), language, chosen)
    return Pairs(X, relevant.row.astype(np.int64), n + relevant.col.astype(np.int64))


def words_of(training: TrainingSet, language: str, options: Mapping[str, Any]) -> Columns:
    """The words of a language that its network has, and their weights."""
    kept = options["skip_words"], options["max_words"]
    how = ColumnSettings(*kept, weighted=options["weights"] == "paper")
    counts = [training.counts[language]]
    if language in training.channels:
        counts.append(training.channels[language].documents)
    return columns({language: training.words[language]}, {language: sparse.vstack(counts)}, how)


def rows_of(counts: sparse.csr_matrix, language: str, chosen: Columns) -> sparse.csr_matrix:
    """Texts x the words of a network, float32."""
    return chosen.rows(language, counts).astype(np.float32)


def model_of(
    training: TrainingSet, chosen: Mapping[str, Columns], vectors: Mapping[str, np.ndarray]
) -> WordTables:
    """The model of one network per language, from the vectors of its words."""
    tables = {x: chosen[x].table(x, V) for x, V in vectors.items()}
    weights = {x: chosen[x].weights[x] for x in vectors}
    [term_frequency] = {each.term_frequency for each in chosen.values()}
    return WordTables(training.words, tables, weights, term_frequency=term_frequency)


def _trained(
    training: TrainingSet, language: str, pairs: Pairs, epochs: int, options: Mapping[str, Any]
) -> tuple[np.ndarray, dict[str, Any]]:
    """Draw and train a network; its random numbers do not depend on the other languages."""
    generator = np.random.default_rng([training.seed, *language.encode()])
    shape = pairs.X.shape[1], options["dimension"], options["layers"]
    parameters = random_start(generator, *shape, options["spread"])
    report = train(parameters, pairs, epochs, options, generator)
    return word_vectors(parameters)[-1], report
