"""Words that an encoder of others finds near, as a prior, as a dictionary's translations are one.

A search needs no encoder then. With e the row of a word, less the mean of its language's words and
of length one, the neighbours of a word in another language are the words y of two training
documents or more with the largest

    s(y) = cos(e, e_y) - h(y) / 2,

where h(y) is the mean cosine of y with its nearest such words of the word's own language, which
corrects hubs (half of CSLS). Their weights are those of a softmax, exp(10 s), of length one
together; the word itself has the weight 1, and a row of N is scaled to length one.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from cr5.base.rows import unit_rows
from cr5.contracts.training import TrainingSet
from cr5.contracts.vocabulary import NO_FALLBACKS
from cr5.search.nearest import mean_top_k, nearest
from cr5.systems.ridge.spelling import Prior

WEIGHTS = (1.0, 3.0, 10.0)  # in the prior, beside that of spelling
NAME = "encoder_words_weight"
N_NEIGHBOURS = 5  # of a word in each other language
N_OF_HUBS = 10  # neighbours by which hubs are known
SHARPNESS = 10.0  # of the softmax
LEAST_DOCUMENTS = 2  # that a neighbour is in


@dataclass(frozen=True)
class EncodedWords:
    """The words of a language that an encoder knows, as it sees them."""

    rows: np.ndarray  # centred, of length one, words x d, float32
    may_be_near: np.ndarray  # numbers of those that are in documents enough


def near_words(training: TrainingSet, rows: Mapping[str, np.ndarray]) -> Prior:
    """Return N_l: words x features, which are the words of the languages that an encoder knows.

    The rows are those of the encoder, words x d, of these languages; words of others have rows of
    zeros.
    """
    encoded = {language: _encoded(training, language, rows[language]) for language in rows}
    N = {}
    for language in training.languages:
        blocks = []
        for other_language in encoded:
            blocks.append(_block(training, encoded, language, other_language))
        N[language] = unit_rows(sparse.hstack(blocks, "csr"))
    return N


def with_fallbacks(training: TrainingSet) -> Prior:
    """Return N_l with rows of zeros for what stands for other words."""
    features = {}
    for language, N in training.near_words.items():
        n_fallbacks = len(training.fallbacks.get(language, NO_FALLBACKS))
        n_columns = N.shape[1]
        of_fallbacks = sparse.csr_matrix((n_fallbacks, n_columns))
        features[language] = sparse.vstack([N, of_fallbacks], "csr")
    return features


def _encoded(training: TrainingSet, language: str, rows: np.ndarray) -> EncodedWords:
    """Return the words of a language, of which rows are given as they come."""
    centred = rows - rows.mean(axis=0, dtype=np.float64)
    n_documents = training.features[language].getnnz(axis=0)
    may_be_near = np.flatnonzero(n_documents >= LEAST_DOCUMENTS)
    return EncodedWords(unit_rows(centred).astype(np.float32), may_be_near)


def _block(
    training: TrainingSet,
    encoded: Mapping[str, EncodedWords],
    language: str,
    other_language: str,
) -> sparse.csr_matrix:
    """Return the columns of N_l that are words of one language."""
    n_words = len(training.words[language])
    if language not in encoded:
        n_other_words = len(training.words[other_language])
        return sparse.csr_matrix((n_words, n_other_words))
    if language == other_language:
        return sparse.identity(n_words, format="csr")
    return _neighbours(encoded[language], encoded[other_language], training.threads)


def _neighbours(words: EncodedWords, other_words: EncodedWords, threads: int) -> sparse.csr_matrix:
    """Return the weights of the nearest words of another language: words x other words."""
    n_words = len(words.rows)
    n_other_words = len(other_words.rows)
    shape = (n_words, n_other_words)
    anchors = words.rows[words.may_be_near]
    other_anchors = other_words.rows[other_words.may_be_near]
    if not len(anchors) or not len(other_anchors):
        return sparse.csr_matrix(shape)
    half_of_hubness = mean_top_k(other_anchors, anchors, N_OF_HUBS, threads) / 2
    scores, places = nearest(words.rows, other_anchors, N_NEIGHBOURS, half_of_hubness, threads)
    highest = scores[:, :1]
    weights = unit_rows(np.exp(SHARPNESS * (scores - highest).astype(np.float64)))
    columns = other_words.may_be_near[places]
    n_neighbours = columns.shape[1]
    indptr = np.arange(n_words + 1) * n_neighbours
    block = sparse.csr_matrix((weights.ravel(), columns.ravel(), indptr), shape)
    block.sort_indices()
    return block
