"""Latent semantic analysis: the first right singular vectors of training documents."""

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import svds

DENSE = 3000  # documents or words: with fewer of either, the Gram matrix is decomposed
NEGLIGIBLE = 1e-6  # a singular value, relative to the largest


def right_singular_vectors(D: sparse.csr_matrix, most: int, seed: int) -> np.ndarray:
    """Return V of the truncated singular value decomposition D = U s V'.

    Args:
        D: documents x p, float64.
        most: maximum number of vectors; fewer if the rank is smaller.
        seed: of the start of the iteration, used for large matrices.

    Returns:
        p x r, float64, orthonormal columns by descending singular value.
    """
    if D.nnz == 0:
        return np.zeros((D.shape[1], 0))
    solve = _dense if min(D.shape) < max(DENSE, 2 * most) else _iterated
    s, V = solve(D, min(most, min(D.shape)), seed)
    return V[:, s > NEGLIGIBLE * s[0]]


def _dense(D: sparse.csr_matrix, most: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    wide = D.shape[0] <= D.shape[1]
    values, Q = np.linalg.eigh((D @ D.T if wide else D.T @ D).toarray())
    s, Q = np.sqrt(np.maximum(values, 0))[::-1][:most], Q[:, ::-1][:, :most]
    return s, (D.T @ Q) / np.maximum(s, NEGLIGIBLE * s[0]) if wide else Q


def _iterated(D: sparse.csr_matrix, most: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    start = np.random.default_rng(seed).normal(size=min(D.shape))
    _, s, Vt = svds(D, most, v0=start)
    return s[::-1], Vt[::-1].T
