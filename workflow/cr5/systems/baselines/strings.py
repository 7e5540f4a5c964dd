"""Strings that several languages have as words."""

import numpy as np
import pandas as pd
from scipy import sparse

from cr5.contracts.training import TrainingSet
from cr5.systems.algebra.columns import Columns
from cr5.systems.algebra.incidence import incidence

Tables = dict[str, dict[str, sparse.csr_matrix]]
"""By source and target language: words x words of the target, or x latent dimensions."""


def all_strings(training: TrainingSet) -> Columns:
    """Return a column for every string, in alphabetical order."""
    strings = pd.Index(sorted(set().union(*training.words.values())))
    selections = {
        language: incidence(strings.get_indexer(words), len(strings))
        for language, words in training.words.items()
    }
    return Columns(selections, np.ones(len(strings)))


def same_strings(training: TrainingSet) -> Tables:
    """Return tables that translate each word to the same string of the other language, by a one."""
    selections = all_strings(training).selections
    tables = {}
    for source in training.languages:
        tables[source] = {
            target: (selections[source] @ selections[target].T).tocsr()
            for target in training.languages
        }
    return tables
