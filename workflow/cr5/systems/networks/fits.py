"""The stages of XCNN and the one of S2Net: which texts answer which, and where training starts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from cr5.base.errors import LeftOutError
from cr5.base.rows import unit_rows
from cr5.counts.weighting import inverse_document_frequency
from cr5.fitting.contract import Fit, TrainingSet
from cr5.models.word_tables import WordTables
from cr5.systems.algebra.incidence import alike
from cr5.systems.maps.family import choose_pivot
from cr5.systems.networks.training import (
    SPREAD,
    Pairs,
    hold_out,
    random_start,
    train,
    word_vectors,
)
from cr5.systems.projections import pencils
from cr5.systems.projections.columns import Columns, columns_of, of_documents, same_concept
from cr5.systems.projections.pencils import Pencil, solve

if TYPE_CHECKING:
    from cr5.systems.networks.models import Monolingual, MonoXcnn, S2net, Xcnn

GAMMA = 0.1  # of the OPCA that S2Net starts from
BLOCK = 128  # of texts whose scores of all others are held at once

Trained = tuple[np.ndarray, dict[str, Any]]  # vectors of words, and the report


def fit_xcnn(training: TrainingSet, system: Xcnn) -> Fit:
    """Train the pivot's network, then those of the others against it."""
    pivot = choose_pivot(training.languages, system.pivot)
    chosen = {x: words_of(training, x, system) for x in training.languages}
    trained = {pivot: stage1(training, pivot, chosen[pivot], system)}
    fixed = _rows(training.counts[pivot], pivot, chosen[pivot]) @ trained[pivot][0]
    for x in [each for each in training.languages if each != pivot]:
        own, of_pivot = same_concept(training.concepts[x], training.concepts[pivot])
        X = _rows(training.counts[x], x, chosen[x])
        pairs = Pairs(X, own, of_pivot, training.concepts[x][own], fixed)
        if not len(pairs.queries):
            raise LeftOutError(
                f"no training document in {x!r} has a concept of one in {pivot!r}, the pivot: "
                "choose another pivot, or leave out one of the languages"
            )
        trained[x] = _trained(training, x, pairs, system.epochs, system)
    return _fit(training, chosen, trained, pivot)


def fit_alone(training: TrainingSet, system: MonoXcnn) -> Fit:
    """Train the network of each language on its texts alone."""
    chosen = {x: words_of(training, x, system) for x in training.languages}
    trained = {x: stage1(training, x, chosen[x], system) for x in training.languages}
    return _fit(training, chosen, trained)


def fit_s2net(training: TrainingSet, system: S2net) -> Fit:
    """Train one network on all pairs of documents of a concept, in both directions."""
    chosen = columns_of(training, system, system.merged, system.weights == "paper")
    documents = of_documents(training, chosen)
    one, other = same_concept(documents.concept, documents.concept)
    across = documents.language[one] != documents.language[other]
    queries, X = one[across], documents.Z.astype(np.float32)
    if not len(queries):
        raise LeftOutError("no concept has training documents in two languages")
    pairs = Pairs(X, queries, other[across], documents.concept[queries])
    generator = np.random.default_rng(training.seed)
    held, kept = hold_out(pairs, system.held_out, generator)
    if system.start == "random":
        W, facts = random_start(generator, X.shape[1], system.dimension)[0], {}
    else:
        # What is held out would else be found before the first epoch.
        pencil = pencils.opca(documents.without(held.groups), GAMMA)
        W, facts = _projected(pencil, system.dimension, training.threads)
    report = facts | train([W], held, kept, system.epochs, system, generator)
    everywhere = dict.fromkeys(training.languages, chosen)
    return Fit(_model(training, everywhere, dict.fromkeys(everywhere, W)), report)


def stage1(training: TrainingSet, language: str, chosen: Columns, system: Monolingual) -> Trained:
    """Train the network of a language on its texts alone (Gupta et al. 2017, section 4.1).

    A text is to be nearer to what is most relevant for it than to a random text.
    """
    pairs = monolingual(training, language, chosen, system)
    if (pairs.queries == pairs.answers).all():  # each is found first anyway
        system = system.model_copy(update={"held_out": 0})
    trains = system.stage1 != "random" and len(pairs.queries)
    epochs = system.stage1_epochs if trains else 0
    return _trained(training, language, pairs, epochs, system)


def monolingual(
    training: TrainingSet, language: str, chosen: Columns, system: Monolingual
) -> Pairs:
    """Texts of a language and what is relevant for them: as judged, or else what is most alike."""
    channel = training.channels.get(language) if system.stage1 == "channel" else None
    counts = training.counts[language] if channel is None else channel.documents
    if channel is None or channel.queries is None:
        queries, answers = most_relevant(counts, system.self_matches)
        return Pairs(_rows(counts, language, chosen), queries, answers, queries)
    relevant, n = channel.relevance.tocoo(), channel.queries.shape[0]
    X = _rows(sparse.vstack([channel.queries, counts]).tocsr(), language, chosen)
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


def words_of(training: TrainingSet, language: str, system: Monolingual) -> Columns:
    """The words of a language that its network has, and their weights."""
    counts = [training.counts[language]]
    if language in training.channels:
        counts.append(training.channels[language].documents)
    words, counts = {language: training.words[language]}, {language: sparse.vstack(counts)}
    alone = replace(training, words=words, counts=counts)
    return columns_of(alone, system, weighted=system.weights == "paper")


def _rows(counts: sparse.csr_matrix, language: str, chosen: Columns) -> sparse.csr_matrix:
    """Texts x the words of a network, float32."""
    return chosen.rows(language, counts).astype(np.float32)


def _trained(
    training: TrainingSet, language: str, pairs: Pairs, epochs: int, system: Monolingual
) -> Trained:
    """Draw and train a network; its random numbers do not depend on the other languages."""
    generator = np.random.default_rng([training.seed, *language.encode()])
    sizes = pairs.X.shape[1], system.dimension, system.layers
    parameters, facts = random_start(generator, *sizes), {}
    if system.start == "autoencoder":
        # The best linear one is latent semantic analysis (Baldi and Hornik 1989).
        pencil = pencils.lsi(pairs.X.astype(np.float64))
        V, facts = _projected(pencil, system.dimension, training.threads)
        parameters[0][:, : V.shape[1]] = V
    held, kept = hold_out(pairs, system.held_out, generator)
    report = facts | train(parameters, held, kept, epochs, system, generator)
    return word_vectors(parameters), report


def _projected(pencil: Pencil, dimension: int, threads: int) -> Trained:
    """The solution of a pencil, columns x r float32, scaled to the spread of a random start."""
    solution = solve(pencil, dimension, threads)
    V = solution.vectors
    report = {"start": solution.facts, "warnings": solution.warnings}
    return (SPREAD / V.std() * V).astype(np.float32), report


def _fit(
    training: TrainingSet,
    chosen: Mapping[str, Columns],
    trained: Mapping[str, Trained],
    pivot: str | None = None,
) -> Fit:
    """The fit of one network per language, with each training's report and warnings."""
    reports = {"stage1" if x == pivot else x: report for x, (_, report) in trained.items()}
    warnings = [f"{x}: {said}" for x, one in reports.items() for said in one.pop("warnings", [])]
    facts = {"pivot": pivot} if pivot else {}
    model = _model(training, chosen, {x: V for x, (V, _) in trained.items()})
    return Fit(model, {**facts, **reports, "warnings": warnings})


def _model(
    training: TrainingSet, chosen: Mapping[str, Columns], vectors: Mapping[str, np.ndarray]
) -> WordTables:
    tables = {x: chosen[x].table(x, V) for x, V in vectors.items()}
    weights = {x: chosen[x].weights[x] for x in vectors}
    [term_frequency] = {each.term_frequency for each in chosen.values()}
    return WordTables(training.words, tables, weights, term_frequency=term_frequency)
