"""Rows of an encoder of others as further features of the regression, beside words.

With X_l the words of the documents of a language, F_l the factor of the prior of these words and
U_l the rows of the encoder, the features are [X_l, U_l] and their prior has the factor

    blockdiag(F_l, sqrt(w) I),

so that with w = share / (1 + gamma) the kernel is

    (X X' + gamma X N N' X' + share U U') / (1 + gamma).

The columns of U mean the same in all languages, and have the same map.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from scipy import sparse

from cr5.contracts.training import TrainingSet

SHARES = (2.4, 0.6, 9.6)  # to choose from; of equals the first is kept
NAME = "encoder_share"


def with_encoder_columns(training: TrainingSet) -> TrainingSet:
    """Let the columns of the encoder follow those of words and fallbacks in `features`."""
    features = {}
    for language, X in training.features.items():
        U = sparse.csr_matrix(training.encoder_rows[language])
        features[language] = sparse.hstack([X, U], "csr")
    return replace(training, features=features)


def with_encoder_prior(
    F: Sequence[sparse.csr_matrix], training: TrainingSet, weight: float
) -> list[sparse.csr_matrix]:
    """Let the unknowns of the encoder follow those of words; the weight is w above."""
    of_encoder = sparse.identity(_width(training)) * np.sqrt(weight)
    return [sparse.block_diag([of_words, of_encoder], "csr") for of_words in F]


def divided(
    training: TrainingSet, tables: Mapping[str, np.ndarray]
) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Return the tables of words, by language, and that of the encoder, which all have."""
    of_words = {}
    for language, table in tables.items():
        n_words = len(table) - _width(training)
        of_words[language] = table[:n_words]
        of_encoder = table[n_words:]
    return of_words, of_encoder


def _width(training: TrainingSet) -> int:
    """Return how many numbers a row of the encoder has."""
    rows = training.encoder_rows[training.languages[0]]
    return rows.shape[1]
