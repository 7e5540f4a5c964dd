"""No translation at all: tf-idf cosine on strings that languages share.

Names, numbers written as words and loans are spelled the same in many languages. What this
baseline finds owes nothing to any model. Every distinct string is one dimension, so the word
table is a sparse selection matrix.
"""

from collections import Counter
from itertools import chain

import numpy as np
from scipy import sparse

from cr5.fitting.contract import Fit, TrainingSet

DEFAULTS = {}


def fit(training: TrainingSet, options: dict) -> Fit:
    """Give every string its own dimension.

    Args:
        training: only its vocabularies are used.
        options: none.
    """
    strings = sorted(set().union(*training.words.values()))
    numbers = {string: i for i, string in enumerate(strings)}
    tables = {}
    for language, words in training.words.items():
        columns = np.array([numbers[word] for word in words], np.int64)
        indptr = np.arange(len(words) + 1)
        ones = np.ones(len(words), np.float32)
        tables[language] = sparse.csr_matrix((ones, columns, indptr), (len(words), len(strings)))
    return Fit(training.model(tables), {"strings": len(strings), "shared": _shared(training)})


def _shared(training: TrainingSet) -> int:
    """Number of strings in more than one vocabulary."""
    counts = Counter(chain.from_iterable(training.words.values()))
    return sum(count > 1 for count in counts.values())
