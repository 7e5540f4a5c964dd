"""Tables to compare documents by the beginnings of their words: nothing is fitted.

z(x) = N(sum over the words of x of sqrt(count) x weight of the word's beginning): the first letters
of a word without its accents. A beginning's weight is -ln of the share of training documents that
have it, in the language where it is most frequent: a common word of one language is not a name in
another. Unlike idf the weight is almost zero if nearly all have it. A beginning in no training
document counts as if half a document had it, and gets the largest weight, so new names are found.
Documents that do not train, above all queries, do not count. (The square root of the summed counts
of a beginning found the same, within .5 points of P@1, as the sum of square roots.)
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from cr5.base.folding import folded
from cr5.counts.columns import MORE
from cr5.counts.tokens import SOFT_HYPHEN

TERM_FREQUENCY = "sqrt"


@dataclass(frozen=True)
class Beginnings:
    """What a model needs to compare documents by beginnings.

    Attributes:
        tables: per language words x beginnings, a one for the beginning of each word.
        weights: per language the weight of each word's beginning.
    """

    tables: Mapping[str, sparse.csr_matrix]
    weights: Mapping[str, np.ndarray]


def beginnings(
    words: Mapping[str, Sequence[str]], documents: Mapping[str, sparse.csr_matrix], letters: int
) -> Beginnings:
    """Count the beginnings of training documents.

    Args:
        words: per language; beginnings that stand for unknown words (`counts.columns`) count as
            their letters, those of fewer than `letters` not at all.
        documents: per language, training documents x words: not zero where one has a word.
        letters: length of a beginning; a shorter word is its own beginning.
    """
    begins = {x: [_beginning(word, letters) for word in words[x]] for x in sorted(words)}
    strings = sorted({each for x in begins for each in begins[x] if each})
    numbers = {string: i for i, string in enumerate(strings)}
    columns = {x: np.array([numbers.get(b, -1) for b in each], int) for x, each in begins.items()}
    tables = {x: _selection(each, len(strings)) for x, each in columns.items()}
    shares = np.max([_shares(documents[x], tables[x]) for x in tables], axis=0)
    return Beginnings(tables, {x: -np.log(shares[each]) for x, each in columns.items()})


def _beginning(word: str, letters: int) -> str:
    """First letters of a word; "" if it stands for unknown words and has fewer."""
    known = word.removesuffix(MORE)
    found = folded(known.removesuffix(SOFT_HYPHEN))[:letters]
    return found if known == word or len(found) == letters else ""


def _selection(columns: np.ndarray, width: int) -> sparse.csr_matrix:
    """A one in the column of each word, if it has any."""
    there = columns >= 0
    indptr = np.cumsum([0, *there])
    ones = np.ones(indptr[-1], np.float32)
    return sparse.csr_matrix((ones, columns[there], indptr), (len(columns), width))


def _shares(documents: sparse.csr_matrix, table: sparse.csr_matrix) -> np.ndarray:
    """(df + 1/2) / (n + 1) of each beginning."""
    df = ((documents != 0).astype(np.float32) @ table).tocsc().getnnz(axis=0)
    return (df + 0.5) / (documents.shape[0] + 1)
