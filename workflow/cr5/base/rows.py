"""Rows of a matrix, dense or sparse: documents or words, a vector each."""

import numpy as np
from scipy import sparse

Rows = np.ndarray | sparse.csr_matrix


def unit_rows(rows: Rows) -> Rows:
    """Scale each row to length one; rows of zeros stay zero. Keeps dtype and sparsity."""
    if sparse.issparse(rows):
        lengths = np.sqrt(np.asarray(rows.multiply(rows).sum(axis=1), np.float64).ravel())
        scale = np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)
        return (sparse.diags(scale) @ rows).astype(rows.dtype).tocsr()
    lengths = np.linalg.norm(rows.astype(np.float64), axis=1)
    scale = np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    return (rows * scale[:, None]).astype(rows.dtype)
