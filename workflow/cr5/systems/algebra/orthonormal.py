"""Orthonormal bases and a fixed choice of signs."""

import numpy as np


def orthonormal(Z: np.ndarray) -> np.ndarray:
    """The left singular vectors of Z (tall, size x columns), largest singular value first."""
    Q, R = np.linalg.qr(Z)
    return Q @ np.linalg.svd(R, full_matrices=False)[0]


def whiten(G: np.ndarray, scale: np.ndarray, threshold: float) -> np.ndarray:
    """Q with Q'GQ = I, for the Gram matrix G of some vectors or of their remainders.

    Args:
        G: symmetric, columns x columns.
        scale: squared lengths of the vectors before anything was subtracted; zero leaves a vector
            out.
        threshold: directions whose squared length relative to `scale` is not above it are left
            out: Q has a column for each of the others.
    """
    d = np.divide(1.0, np.sqrt(scale), out=np.zeros(len(scale)), where=scale > 0)
    values, vectors = np.linalg.eigh(d[:, None] * (G + G.T) / 2 * d)
    kept = values > threshold
    return d[:, None] * vectors[:, kept] / np.sqrt(values[kept])


def fix_signs(vectors: np.ndarray) -> np.ndarray:
    """Flip columns so that the entry of largest magnitude of each is positive."""
    return vectors * signs(vectors)


def signs(vectors: np.ndarray) -> np.ndarray:
    """The sign of the entry of largest magnitude of each column, 1 or -1, in their type."""
    negative = -vectors.min(axis=0) > vectors.max(axis=0)  # without a copy of magnitudes
    return np.where(negative, -1, 1).astype(vectors.dtype)
