"""Made-up rows, float32."""

import numpy as np
from scipy import sparse

from cr5.base.rows import normalised


def normal(n_rows, n_columns, seed):
    generator = np.random.default_rng(seed)
    numbers = generator.normal(size=(n_rows, n_columns))
    return numbers.astype(np.float32)


def unit(n_rows, n_columns, seed, norm="l2"):
    """Rows of that norm; those of l1 are shares."""
    if norm == "l2":
        return normalised(normal(n_rows, n_columns, seed), norm)
    generator = np.random.default_rng(seed)
    numbers = generator.random((n_rows, n_columns))
    return normalised(numbers.astype(np.float32), norm)


def thinned(rows, share, seed):
    """Sparse rows that keep some of the numbers."""
    generator = np.random.default_rng(seed)
    is_kept = generator.random(rows.shape) < share
    return sparse.csr_matrix(rows * is_kept)
