"""Orthonormal bases and a fixed choice of signs."""

import numpy as np


def orthonormal(Z: np.ndarray, threshold: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """Factor Z = Q R with orthonormal columns in Q, in descending order of singular values.

    Q holds the left singular vectors of Z (tall, size x columns), less those whose singular
    value is not above `threshold`; R has as many rows as Q has columns and is not triangular.
    """
    Q, R = np.linalg.qr(Z)
    left, singular, right = np.linalg.svd(R, full_matrices=False)
    kept = singular > threshold
    return Q @ left[:, kept], singular[kept, None] * right[kept]


def fix_signs(vectors: np.ndarray) -> np.ndarray:
    """Flip columns so that the entry of largest magnitude of each is positive."""
    largest = vectors[np.argmax(np.abs(vectors), axis=0), np.arange(vectors.shape[1])]
    return vectors * np.where(largest < 0, -1.0, 1.0)
