"""Columns of counts: those of a model's words among those of all words.

A model may end its list of words with entries for words that no training document has: single
ones, that a dictionary knows, and beginnings of words, such as `compu…`. A word that is not in the
list counts as its own entry, or else as its longest beginning there.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
from scipy import sparse

from cr5.base.languages import folded
from cr5.counts.tokens import Tokens, tokenise

SOFT_HYPHEN = "\u00ad"
# Ends a beginning, and a soft hyphen alone ends a single word: no token has a soft hyphen.
MORE = SOFT_HYPHEN + "\u2026"
LENGTHS = (6, 5, 4)  # letters of beginnings, without accents; the longest first


def beginning(letters: str) -> str:
    """Return the entry in a model's list of words for unknown words that begin so."""
    return letters + MORE


def untrained(word: str) -> str:
    """Return the entry in a model's list of words for a word that no training document has."""
    return word + SOFT_HYPHEN


def is_untrained(word: str) -> bool:
    """Whether an entry of a model's words stands for words that no training document has."""
    return SOFT_HYPHEN in word


def finder(columns: Mapping[str, int]) -> Callable[[str], int | None]:
    """Return a function from a word to its column, that of its beginning, or None."""
    if not is_untrained(next(reversed(columns), "")):
        return columns.get

    def find(word: str) -> int | None:
        if word in columns:
            return columns[word]
        plain = folded(word)
        begins = (beginning(plain[:n]) for n in LENGTHS if n <= len(plain))
        tried = (untrained(word), *begins)
        return next((columns[each] for each in tried if each in columns), None)

    return find


def columns_of(words: Iterable[str], among: Sequence[str]) -> sparse.csr_matrix:
    """Return which counted words become which words of a model, those that did not train last.

    Counted words x words of the model, int32: at most a one in each row. KeyError: a word of the
    model that trained was not counted.
    """
    columns = {word: number for number, word in enumerate(words)}
    missing = columns.keys() - set(among)
    if unknown := sorted(word for word in missing if not is_untrained(word)):
        raise KeyError(unknown[0])
    find = finder(columns)
    found = [find(word) for word in among]
    indptr = np.cumsum([0, *(each is not None for each in found)])
    indices = np.array([each for each in found if each is not None], np.int32)
    ones = np.ones(len(indices), np.int32)
    return sparse.csr_matrix((ones, indices, indptr), (len(found), len(columns)))


def selected(counts: sparse.csr_matrix, columns: sparse.csr_matrix) -> sparse.csr_matrix:
    """Return texts x words of a model, see `columns_of`; indices are sorted."""
    n, m = columns.shape
    if n == m == columns.nnz and np.array_equal(columns.indices, np.arange(n)):
        return counts  # at the paper's scale a copy takes gigabytes
    found = (counts @ columns).tocsr()
    found.sort_indices()
    return found


def widened(counts: sparse.csr_matrix, n: int) -> sparse.csr_matrix:
    """Return counts of the first words of a model, such as those that trained, as counts of all."""
    if counts.shape[1] >= n:
        return counts
    return sparse.csr_matrix((counts.data, counts.indices, counts.indptr), (counts.shape[0], n))


def count_known(
    texts: Iterable[str], language: str, words: Mapping[str, int], tokens: Tokens = tokenise
) -> tuple[sparse.csr_matrix, np.ndarray]:
    """Count the known words of texts; `words` has their columns, those that did not train last.

    Returns texts x words, int32, indices sorted; and how many different tokens each text has, known
    or not.
    """
    indices, data, indptr, n_distinct = [], [], [0], []
    find = finder(words)
    for text in texts:
        found = tokens(text, language)
        columns = map(find, found)
        known = Counter(column for column in columns if column is not None)
        for column in sorted(known):
            indices.append(column)
            data.append(known[column])
        indptr.append(len(indices))
        n_distinct.append(len(set(found)))
    shape = (len(indptr) - 1, len(words))
    counts = sparse.csr_matrix((np.array(data, np.int32), indices, indptr), shape)
    return counts, np.array(n_distinct, np.int64)
