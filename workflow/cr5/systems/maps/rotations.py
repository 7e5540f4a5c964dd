"""The rotation that brings paired rows closest to each other (Procrustes)."""

import numpy as np


def orthogonal_map(X: np.ndarray, Y: np.ndarray) -> np.ndarray:
    """Minimise ||X W - Y||_F over orthogonal W (Schönemann 1966; Conneau et al. 2018, eq. 2).

    W is U V' of the singular value decomposition X'Y = U S V', d x d float32.
    """
    products = X.T.astype(np.float64) @ Y.astype(np.float64)
    U, _, Vt = np.linalg.svd(products)
    return (U @ Vt).astype(np.float32)


def map_of_pairs(X: np.ndarray, Y: np.ndarray, pairs: np.ndarray) -> np.ndarray:
    """As `orthogonal_map`, by the rows of X and of Y that are paired, p x 2."""
    return orthogonal_map(X[pairs[:, 0]], Y[pairs[:, 1]])
