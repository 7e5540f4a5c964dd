"""Texts to bags of the words that a vocabulary has."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from cr5.counts.tokens import tokenise


@dataclass(frozen=True)
class Known:
    """What of some texts a vocabulary knows.

    Attributes:
        counts: texts x words, int32, sorted indices.
        n_tokens: of each text, those included that the vocabulary has not.
    """

    counts: sparse.csr_matrix
    n_tokens: np.ndarray


def count(texts: Iterable[str], language: str, words: Mapping[str, int]) -> Known:
    """Count the known words of texts.

    Args:
        texts: of one language.
        language: decides how words are found.
        words: column of each word of the vocabulary.
    """
    indices, data, indptr, n_tokens = [], [], [0], []
    for text in texts:
        tokens = tokenise(text, language)
        known = Counter(words[token] for token in tokens if token in words)
        for column in sorted(known):
            indices.append(column)
            data.append(known[column])
        indptr.append(len(indices))
        n_tokens.append(len(tokens))
    shape = (len(indptr) - 1, len(words))
    counts = sparse.csr_matrix((np.array(data, np.int32), indices, indptr), shape)
    return Known(counts, np.array(n_tokens, np.int64))
