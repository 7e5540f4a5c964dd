"""Self-training: documents that no concept connects are paired by the model, which is fitted again.

The idea is that of pseudo-labels (Scudder 1965; Yarowsky 1995), the pairs those of maps of words
that refine themselves: mutual nearest neighbours by CSLS (Conneau et al. 2018, section 2.2).
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from cr5.base.rows import unit_rows
from cr5.contracts.training import Fit, TrainingSet
from cr5.fitting.choose import Selection, added, without_edges
from cr5.models.encoded_tables import EncodedTables
from cr5.models.word_tables import WordTables
from cr5.search.nearest import mean_top_k, nearest

NEIGHBOURS = 10  # of CSLS
NAME = "self_training"


@dataclass(frozen=True, order=True)
class Document:
    """A training document without a counterpart."""

    language: str
    number: int  # its row


@dataclass(frozen=True, order=True)
class Guess:
    """Two documents of two languages, each the nearest of the other."""

    score: float  # CSLS, halved
    first: Document
    second: Document


def self_trained(
    training: TrainingSet,
    fitted: Fit,
    rounds: int,
    fits: Callable[[TrainingSet], Iterator[Fit]],
) -> Fit:
    """Guess concepts by the last fit and fit again, some rounds; keep the best by validation.

    `fits` yields fits of a training set, one of them with all that was chosen for `fitted`, which
    is one of `known_alone`. Nothing is done where every document has a counterpart. That the last
    round is the best is no warning.
    """
    unpaired = without_counterpart(training)
    if not rounds or sum(map(len, unpaired.values())) < 2:
        return fitted
    selection = Selection(training)
    selection.add(replace(fitted, report={}, chosen={NAME: 0}))
    last = fitted
    n_joined = []
    for number in range(1, rounds + 1):
        guessed = with_guesses(training, guesses(training, unpaired, last.model))
        n_joined.append(training.n_concepts - guessed.n_concepts)
        last = _like(fitted, fits(known_alone(guessed)))
        selection.add(replace(last, report={}, chosen={NAME: number}))
    choice = without_edges(selection.result())
    chosen = added(fitted, choice, f"{NAME}_validation")
    return replace(chosen, report=chosen.report | {"joined": n_joined})


def _like(fitted: Fit, fits: Iterator[Fit]) -> Fit:
    """Return the fit with the same choices: of the same rank, or the next larger, or the largest.

    With more concepts the rank may be larger than what there was before.
    """
    rank = {"rank": _rank(fitted)}
    alike = [fit for fit in fits if fit.chosen | rank == fitted.chosen | rank]
    large_enough = [fit for fit in alike if _rank(fit) >= _rank(fitted)]
    if large_enough:
        return min(large_enough, key=_rank)
    return max(alike, key=_rank)


def _rank(fitted: Fit) -> int:
    """Return the chosen rank, 0 if there was no choice."""
    return fitted.chosen.get("rank", 0)


def without_counterpart(training: TrainingSet) -> dict[str, np.ndarray]:
    """Return the rows of documents whose concept is in no other language, by language."""
    n_languages = np.zeros(training.n_concepts, int)
    for concepts in training.concepts.values():
        n_languages[np.unique(concepts)] += 1
    return {
        language: np.flatnonzero(n_languages[concepts] == 1)
        for language, concepts in training.concepts.items()
    }


def known_alone(training: TrainingSet) -> TrainingSet:
    """Leave out of features and concepts what has no counterpart, of which nothing is learned.

    As concepts of their own such documents harm: 1.9 points of Success@1 on the default pages, half
    of whose concepts were taken apart.
    """
    unpaired = without_counterpart(training)
    n_unpaired = sum(map(len, unpaired.values()))
    n_documents = sum(map(len, training.concepts.values()))
    if n_unpaired in (0, n_documents):
        return training
    features = {}
    concepts = {}
    encoder_rows = {}
    for language, numbers in training.concepts.items():
        has_counterpart = np.ones(len(numbers), bool)
        has_counterpart[unpaired[language]] = False
        features[language] = training.features[language][has_counterpart]
        concepts[language] = numbers[has_counterpart]
        if training.encoder:
            encoder_rows[language] = training.encoder_rows[language][has_counterpart]
    concepts, n_concepts = _numbered(concepts)
    return replace(
        training,
        features=features,
        concepts=concepts,
        n_concepts=n_concepts,
        encoder_rows=encoder_rows,
    )


def guesses(
    training: TrainingSet, unpaired: dict[str, np.ndarray], model: WordTables
) -> list[Guess]:
    """Return the mutual nearest documents of each two languages, the best first.

    Nearest by CSLS of both sides among the documents without a counterpart:

        cos(x, y) - r(x) / 2 - r(y) / 2

    with r the mean cosine of a document with its nearest ones in the other language.
    """
    rows = {}
    for language, numbers in unpaired.items():
        if len(numbers):
            rows[language] = _rows(training, model, language)[numbers]
    all_guesses = []
    for first, second in combinations(sorted(rows), 2):
        pairs = _mutual_nearest(rows[first], rows[second], training.threads)
        for first_index, second_index, score in pairs:
            guess = Guess(
                score,
                Document(first, int(unpaired[first][first_index])),
                Document(second, int(unpaired[second][second_index])),
            )
            all_guesses.append(guess)
    return sorted(all_guesses, reverse=True)


def _mutual_nearest(X: np.ndarray, Y: np.ndarray, threads: int) -> Iterator[tuple[int, int, float]]:
    """Yield the rows of X and Y that are each other's nearest, and half of their CSLS."""
    half_of_x = mean_top_k(X, Y, NEIGHBOURS, threads) / 2
    half_of_y = mean_top_k(Y, X, NEIGHBOURS, threads) / 2
    scores, nearest_to_x = nearest(X, Y, 1, half_of_y, threads)
    _, nearest_to_y = nearest(Y, X, 1, half_of_x, threads)
    counterparts = nearest_to_x[:, 0]
    is_mutual = nearest_to_y[counterparts, 0] == np.arange(len(X))
    csls = scores[:, 0] - half_of_x
    for row in np.flatnonzero(is_mutual):
        yield row, counterparts[row], float(csls[row])


def with_guesses(training: TrainingSet, best_first: list[Guess]) -> TrainingSet:
    """Let guessed documents share a concept, the best guess first, one of a language at most."""
    members_of: dict[Document, list[Document]] = {}
    for guess in best_first:
        members = members_of.get(guess.first, [guess.first])
        others = members_of.get(guess.second, [guess.second])
        languages = {document.language for document in members}
        if languages.isdisjoint(document.language for document in others):
            for document in members + others:
                members_of[document] = members + others
    concepts = {language: numbers.copy() for language, numbers in training.concepts.items()}
    for document, members in members_of.items():
        stands_for_all = min(members)
        number = training.concepts[stands_for_all.language][stands_for_all.number]
        concepts[document.language][document.number] = number
    concepts, n_concepts = _numbered(concepts)
    return replace(training, concepts=concepts, n_concepts=n_concepts)


def _numbered(concepts: Mapping[str, np.ndarray]) -> tuple[dict[str, np.ndarray], int]:
    """Number concepts from 0 without gaps, in their order; return how many there are, too."""
    distinct = np.unique(np.concatenate(list(concepts.values())))
    numbered = {
        language: np.searchsorted(distinct, numbers) for language, numbers in concepts.items()
    }
    return numbered, len(distinct)


def _rows(training: TrainingSet, model: WordTables, language: str) -> np.ndarray:
    """Return a language's training documents as the model embeds them, float32."""
    rows = training.features[language] @ model.tables[language].astype(np.float64)
    if isinstance(model, EncodedTables):
        rows = rows + training.encoder_rows[language] @ model.encoder_table.astype(np.float64)
    if model.offsets is not None:
        rows = rows + model.offsets[language]
    return unit_rows(rows).astype(np.float32)
