"""The beginnings of words, by which documents are compared: nothing is fitted."""

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from cr5.base.languages import folded
from cr5.contracts.vocabulary import NO_FALLBACKS, Fallbacks
from cr5.systems.algebra.incidence import incidence

Words = Mapping[str, Sequence[str]]


def beside(
    words: Words,
    documents: Mapping[str, sparse.csr_matrix],
    letters: int,
    fallbacks: Mapping[str, Fallbacks],
) -> dict[str, Any]:
    """Make tables that compare documents by the beginnings of their words: nothing is fitted.

    z(x) = N(sum over the words of x of sqrt(count) x weight of the word's beginning): the first
    letters of a word without its accents. A beginning's weight is -ln of the share of training
    documents that have it, in the language where it is most frequent: a common word of one language
    is not a name in another. Unlike idf the weight is almost zero if nearly all have it. A
    beginning in no training document counts as if half a document had it, and gets the largest
    weight, so new names are found. (The square root of the summed counts of a beginning found the
    same, within .5 points of P@1, as the sum of square roots.)

    A word shorter than `letters` is its own beginning. Fallbacks that are beginnings count as their
    letters, those of fewer than `letters` not at all. Returns fields of `JoinedTables`.
    """
    beginnings = {}
    for language in sorted(words):
        of_language = fallbacks.get(language, NO_FALLBACKS)
        whole_words = (*words[language], *of_language.words)
        beginnings[language] = [folded(word)[:letters] for word in whole_words]
        for beginning in of_language.beginnings:
            first_letters = folded(beginning)[:letters]
            beginnings[language].append(first_letters if len(first_letters) == letters else "")
    distinct = set(chain.from_iterable(beginnings.values()))
    distinct.discard("")
    strings = pd.Index(sorted(distinct))
    columns = {}
    tables = {}
    shares = []
    for language, beginnings_of_words in beginnings.items():
        columns[language] = strings.get_indexer(beginnings_of_words)
        tables[language] = incidence(columns[language], len(strings))
        shares.append(_shares(documents[language], tables[language]))
    weights = -np.log(np.max(shares, axis=0))
    return {
        "beside": tables,
        "beside_weights": {language: weights[columns[language]] for language in columns},
        "beside_term_frequency": "sqrt",
    }


def _shares(documents: sparse.csr_matrix, table: sparse.csr_matrix) -> np.ndarray:
    """Return the share of documents that have each beginning, half a document if none has."""
    has_word = (documents != 0).astype(np.float32)
    n_documents = (has_word @ table).tocsc().getnnz(axis=0)
    return (n_documents + 0.5) / (documents.shape[0] + 1)
