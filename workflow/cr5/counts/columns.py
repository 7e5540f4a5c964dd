"""Columns of counts: those of a model's vocabulary among those of all words."""

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
from scipy import sparse

from cr5.contracts.vocabulary import Vocabulary
from cr5.counts.tokens import Tokens, tokenise


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
    columns = vocabulary.columns(counted_words)
    is_known, indices = _known(columns)
    ones = np.ones(len(indices), np.int32)
    entries = (ones, indices, boundaries(is_known))
    shape = (len(columns), len(vocabulary))
    return sparse.csr_matrix(entries, shape)


def _known(columns: Sequence[int | None]) -> tuple[np.ndarray, np.ndarray]:
    """Return which words have a column, and the columns of these, int32."""
    is_known = []
    known_columns = []
    for column in columns:
        is_known.append(column is not None)
        if column is not None:
            known_columns.append(column)
    return np.array(is_known, bool), np.array(known_columns, np.int32)


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
    texts: Iterable[str], language: str, vocabulary: Vocabulary, tokens: Tokens = tokenise
) -> tuple[sparse.csr_matrix, np.ndarray]:
    """Count the words of texts that a vocabulary knows.

    Returns texts x columns, int32, indices sorted; and how many different tokens each text has,
    known or not.
    """
    numbers = []
    columns = []
    n_distinct = []
    for text in texts:
        occurrences = Counter(tokens(text, language))
        numbers += occurrences.values()
        columns += vocabulary.columns(occurrences)
        n_distinct.append(len(occurrences))
    n_texts = len(n_distinct)
    texts_of_words = np.repeat(np.arange(n_texts), n_distinct)
    occurrences_of_words = np.array(numbers, np.int32)
    is_known, known_columns = _known(columns)
    places = (texts_of_words[is_known], known_columns)
    entries = (occurrences_of_words[is_known], places)  # those of one place are added up
    shape = (n_texts, len(vocabulary))
    counts_of_texts = sparse.csr_matrix(entries, shape)
    n_distinct_words = np.array(n_distinct, np.int64)
    return counts_of_texts, n_distinct_words
