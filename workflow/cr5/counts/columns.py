"""Columns of counts: those of a model's vocabulary among those of all words."""

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from scipy import sparse

from cr5.contracts.vocabulary import NO_COLUMN, Vocabulary
from cr5.counts.tokens import tokenise


def boundaries(lengths: Sequence[int] | np.ndarray) -> np.ndarray:
    """Return where parts of some lengths begin, and where the last one ends: `indptr` of rows."""
    ends = np.cumsum(lengths, dtype=np.int64)
    return np.concatenate([[0], ends])


def columns_of(vocabulary: Vocabulary, counted_words: Sequence[str]) -> sparse.csr_matrix:
    """Return which counted words become which columns of a model.

    Counted words x columns, int32: at most a one in each row. KeyError: a word of the model was not
    counted; its fallbacks need not be.
    """
    uncounted = set(vocabulary.words).difference(counted_words)
    if uncounted:
        raise KeyError(min(uncounted))
    columns = np.array(vocabulary.columns(counted_words), np.int32)
    is_known = columns != NO_COLUMN
    indices = columns[is_known]
    ones = np.ones(len(indices), np.int32)
    entries = (ones, indices, boundaries(is_known))
    shape = (len(columns), len(vocabulary))
    return sparse.csr_matrix(entries, shape)


def selected(counts: sparse.csr_matrix, columns: sparse.csr_matrix) -> sparse.csr_matrix:
    """Return texts x columns of a model, see `columns_of`; indices are sorted."""
    if _is_identity(columns):
        return counts  # at the paper's scale a copy takes gigabytes
    counts_of_model = (counts @ columns).tocsr()
    counts_of_model.sort_indices()
    return counts_of_model


def _is_identity(columns: sparse.csr_matrix) -> bool:
    n_rows, n_columns = columns.shape
    if not n_rows == n_columns == columns.nnz:
        return False
    return np.array_equal(columns.indices, np.arange(n_rows))


def widened(counts: sparse.csr_matrix, n_columns: int) -> sparse.csr_matrix:
    """Return counts of the words of a model as counts of all its columns, fallbacks too."""
    n_texts, n_words = counts.shape
    if n_words >= n_columns:
        return counts
    entries = (counts.data, counts.indices, counts.indptr)
    return sparse.csr_matrix(entries, (n_texts, n_columns))


def count_known(
    texts: Iterable[str],
    language: str,
    vocabulary: Vocabulary,
    tokens: Callable[[str, str], list[str]] = tokenise,
) -> sparse.csr_matrix:
    """Count the words of texts that a vocabulary knows: texts x columns, int32, indices sorted.

    The words of a text are let go before those of the next one are made: lists of millions take
    longer than finding their columns.
    """
    columns = []
    n_words = []
    for text in texts:
        words = tokens(text, language)
        columns += vocabulary.columns(words)
        n_words.append(len(words))
    columns_of_words = np.array(columns, np.int32)
    texts_of_words = np.repeat(np.arange(len(n_words)), n_words)
    is_known = columns_of_words != NO_COLUMN
    places = (texts_of_words[is_known], columns_of_words[is_known])
    ones = np.ones(np.count_nonzero(is_known), np.int32)
    shape = (len(n_words), len(vocabulary))
    return sparse.csr_matrix((ones, places), shape)  # those of one place are added up
