"""Entries for words that no training document has, behind the words of a model."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from scipy import sparse

from cr5.counts.columns import widened
from cr5.fitting.contract import TrainingSet
from cr5.fitting.seeds import Seeds
from cr5.systems.spelling.features import unknown


def with_unknown_words(
    training: TrainingSet, prior: Mapping[str, sparse.csr_matrix], seeds: Seeds
) -> tuple[TrainingSet, dict[str, sparse.csr_matrix]]:
    """Let the words end with entries for words that no training document has."""
    entries, rows = unknown(training.words, seeds)
    words = {x: [*each, *entries[x]] for x, each in training.words.items()}
    rare = {x: [max(each)] * len(entries[x]) for x, each in training.weights.items()}
    known_and_not = replace(
        training,
        words=words,
        features={x: widened(each, len(words[x])) for x, each in training.features.items()},
        weights={x: np.append(each, rare[x]) for x, each in training.weights.items()},
    )
    return known_and_not, {x: sparse.vstack([N, rows[x]], "csr") for x, N in prior.items()}
