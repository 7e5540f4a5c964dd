"""What the bilingual autoencoder is given and to give back, and the model that it leaves."""

import numpy as np
from scipy import sparse

from cr5.fitting.contract import TrainingSet
from cr5.models.autoencoder import Autoencoder
from cr5.systems.networks.composition import Arrays
from cr5.systems.projections.columns import Columns


def blanked(
    X: sparse.csr_matrix, training: TrainingSet, chosen: Columns
) -> tuple[sparse.csr_matrix, sparse.csr_matrix]:
    """What is given and wanted: all words for all, and those of each language alone for all."""
    given, wanted = [X], [X]
    for x in training.languages:
        own = np.zeros(chosen.n, np.float32)
        own[chosen.numbers[x][chosen.numbers[x] >= 0]] = 1
        part = (X @ sparse.diags(own)).tocsr()
        part.eliminate_zeros()
        known = np.flatnonzero(np.diff(part.indptr))
        given, wanted = [*given, part[known]], [*wanted, X[known]]
    return sparse.vstack(given).tocsr(), sparse.vstack(wanted).tocsr()


def model_of(
    training: TrainingSet, chosen: Columns, parameters: Arrays, n_layers: int
) -> Autoencoder:
    """The encoder's half of the parameters."""
    encoder = [p.copy() for p in parameters[: 2 * n_layers]]
    numbers = [str(level) for level in range(2, n_layers + 1)]
    return Autoencoder(
        words=training.words,
        tables={x: chosen.table(x, encoder[0]) for x in training.languages},
        weights=chosen.weights,
        bias=encoder[1],
        layers=dict(zip(numbers, encoder[2::2], strict=True)),
        biases=dict(zip(numbers, encoder[3::2], strict=True)),
    )
