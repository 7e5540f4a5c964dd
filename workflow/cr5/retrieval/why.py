"""Which words make two texts near: the summands of their score.

A text is a weighted sum of its words' vectors, so the product of two texts is a sum over pairs of
words, one from each text. A second stage adds the best match of each word.
"""

from typing import NamedTuple

import numpy as np

from cr5.base.errors import UserError
from cr5.contracts.vocabulary import Vocabulary
from cr5.retrieval.arguments import whole_number
from cr5.retrieval.base_embedder import BaseEmbedder, Embedded
from cr5.retrieval.scoring import Scoring
from cr5.search.kernels import products
from cr5.search.word_matches import best_matches

N_PAIRS = 10  # that are shown

Pairs = list[tuple[str, str, float]]
"""Word of the query, word of the candidate, and their part of the score, largest first."""


class Why(NamedTuple):
    """A score and its summands: the pairs, the matches, the correction and the rest add up to it.

    An empty word is what a model adds to every text. Of a model with an encoder, the pair of two
    empty words is all that the encoder has a part in.
    """

    score: float
    pairs: Pairs  # the largest ones
    matches: Pairs  # the largest ones of a second stage, which matches words with words
    correction: float  # of hubs, mostly below 0; 0 for measures without
    rest: float  # pairs and matches that are not listed


def reasons(
    model: BaseEmbedder,
    query: Embedded,
    candidate: Embedded,
    scoring: Scoring,
    correction: float,
    n: int,
) -> Why:
    """Take the score of one query and one candidate apart, to n pairs and n matches.

    UserError: their model does not embed sums over words, or its measure is not a product of such.
    """
    measure = scoring.measure
    n_listed = whole_number("n", n)
    if measure.kernel != "product":
        raise UserError(
            f"{model.place}: texts are compared by {measure.name}, which is not a sum over words"
        )
    fitted = model.model
    vocabulary = fitted.vocabulary(query.language)
    other_vocabulary = fitted.vocabulary(candidate.language)
    query_words, query_rows = fitted.parts(query.counts, query.language, candidate.language)
    candidate_words, candidate_rows = fitted.parts(
        candidate.counts, candidate.language, candidate.language
    )
    table = measure.score(products(query_rows, candidate_rows), np.zeros(1))
    if fitted.reads_both:
        table = _with_one_part_of_encoder(table)
    words = _named(query_words, vocabulary)
    other_words = _named(candidate_words, other_vocabulary)
    pairs = _largest(table, words, other_words, n_listed)
    score = float(table.sum()) + correction
    matches: Pairs = []
    if scoring.has_matches:
        queries = fitted.matched(query.counts, query.language)
        candidates = fitted.matched(candidate.counts, candidate.language)
        query_words, candidate_words, m = best_matches(queries, 0, candidates, 0)
        added = measure.score(fitted.rerank * m, np.zeros(1))
        score += float(added.sum())
        words = _named(query_words, vocabulary)
        other_words = _named(candidate_words, other_vocabulary)
        listed = _largest(added, words, other_words, n_listed)
        matches = [match for match in listed if match[-1]]
    score = float(scoring.bounded(np.asarray(score)))
    rest = score - correction - _sum_of(pairs) - _sum_of(matches)
    return Why(score, pairs, matches, correction, rest)


def _with_one_part_of_encoder(table: np.ndarray) -> np.ndarray:
    """Add up what the encoder has a part in: it is the last row, and the last column."""
    together = table.copy()
    of_words = table[:-1, :-1]
    together[-1] = 0
    together[:, -1] = 0
    together[-1, -1] = table.sum() - of_words.sum()
    return together


def _sum_of(pairs: Pairs) -> float:
    return sum(part for *_, part in pairs)


def _named(numbers: np.ndarray, vocabulary: Vocabulary) -> list[str]:
    """Return words by their numbers; an empty one, -1, is what a model adds to every text."""
    words = [*vocabulary.labels, ""]
    return [words[number] for number in numbers]


def _largest(table: np.ndarray, words: list[str], other_words: list[str], n: int) -> Pairs:
    """Return the n largest numbers of a table with the words of their rows and columns."""
    order = np.argsort(-table, axis=None, kind="stable")[:n]
    pairs = []
    for row, column in zip(*np.unravel_index(order, table.shape), strict=True):
        pairs.append((words[row], other_words[column], float(table[row, column])))
    return pairs
