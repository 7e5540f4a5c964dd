"""The beginnings of words, by which documents are compared: nothing is fitted."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from cr5.base.languages import folded
from cr5.counts.columns import MORE, SOFT_HYPHEN
from cr5.systems.algebra.incidence import incidence

Words = Mapping[str, Sequence[str]]


def beside(
    words: Words, documents: Mapping[str, sparse.csr_matrix], letters: int
) -> dict[str, Any]:
    """Make tables that compare documents by the beginnings of their words: nothing is fitted.

    z(x) = N(sum over the words of x of sqrt(count) x weight of the word's beginning): the first
    letters of a word without its accents. A beginning's weight is -ln of the share of training
    documents that have it, in the language where it is most frequent: a common word of one language
    is not a name in another. Unlike idf the weight is almost zero if nearly all have it. A
    beginning in no training document counts as if half a document had it, and gets the largest
    weight, so new names are found. (The square root of the summed counts of a beginning found the
    same, within .5 points of P@1, as the sum of square roots.)

    A word shorter than `letters` is its own beginning; beginnings that stand for unknown words
    (`counts.columns`) count as their letters, those of fewer than `letters` not at all. Returns
    fields of `JoinedTables`.
    """
    begins = {x: [_beginning(word, letters) for word in words[x]] for x in sorted(words)}
    strings = pd.Index(sorted({each for found in begins.values() for each in found if each}))
    columns = {x: strings.get_indexer(found) for x, found in begins.items()}
    tables = {x: incidence(each, len(strings)) for x, each in columns.items()}
    shares = []
    for x, table in tables.items():
        having = ((documents[x] != 0).astype(np.float32) @ table).tocsc().getnnz(axis=0)
        shares.append((having + 0.5) / (documents[x].shape[0] + 1))
    weights = -np.log(np.max(shares, axis=0))
    return {
        "beside": tables,
        "beside_weights": {x: weights[each] for x, each in columns.items()},
        "beside_term_frequency": "sqrt",
    }


def _beginning(word: str, letters: int) -> str:
    """First letters of a word; "" if it stands for unknown words and has fewer."""
    known = word.removesuffix(MORE)
    found = folded(known.removesuffix(SOFT_HYPHEN))[:letters]
    return found if known == word or len(found) == letters else ""
