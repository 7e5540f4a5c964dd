"""From texts to bags of the words of a vocabulary."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from cr5.counts.columns import finder
from cr5.counts.tokens import Tokens, tokenise


@dataclass(frozen=True)
class Known:
    """The words of a vocabulary in some texts.

    Attributes:
        counts: texts x words, int32, sorted indices.
        n_tokens: of each text, including those that are not in the vocabulary.
        n_distinct: different tokens of each text, likewise.
    """

    counts: sparse.csr_matrix
    n_tokens: np.ndarray
    n_distinct: np.ndarray


def count(
    texts: Iterable[str], language: str, words: Mapping[str, int], tokens: Tokens = tokenise
) -> Known:
    """Count the known words of texts.

    Args:
        texts: of one language.
        language: determines how texts are split into words.
        words: column of each word of the vocabulary; beginnings of words may stand at its end, see
            `counts.columns`.
        tokens: how texts become words.
    """
    indices, data, indptr, n_tokens, n_distinct = [], [], [0], [], []
    find = finder(words)
    for text in texts:
        found = tokens(text, language)
        columns = map(find, found)
        known = Counter(column for column in columns if column is not None)
        for column in sorted(known):
            indices.append(column)
            data.append(known[column])
        indptr.append(len(indices))
        n_tokens.append(len(found))
        n_distinct.append(len(set(found)))
    shape = (len(indptr) - 1, len(words))
    counts = sparse.csr_matrix((np.array(data, np.int32), indices, indptr), shape)
    return Known(counts, *(np.array(x, np.int64) for x in (n_tokens, n_distinct)))
