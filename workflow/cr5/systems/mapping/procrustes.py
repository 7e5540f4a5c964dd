"""Orthogonal Procrustes: the rotation that brings paired vectors together."""

import numpy as np


def orthogonal_map(X: np.ndarray, Y: np.ndarray) -> np.ndarray:
    """Minimise ||X W - Y||_F over orthogonal W (Schönemann 1966; Conneau et al. 2018, eq. 2).

    Args:
        X: p x d, source vectors, row i translates to row i of Y.
        Y: p x d, target vectors.

    Returns:
        W, d x d float32: U V' of the singular value decomposition X'Y = U S V'.
    """
    U, _, Vt = np.linalg.svd(X.T.astype(np.float64) @ Y.astype(np.float64))
    return (U @ Vt).astype(np.float32)
