"""Maps between two spaces: found from paired vectors, and applied."""

from dataclasses import dataclass

import numpy as np

from cr5.base.rows import unit_rows


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


def apply_map(rows: np.ndarray, W: np.ndarray) -> np.ndarray:
    """Map rows (n x d) and rescale them to unit length: W may be only nearly orthogonal."""
    return unit_rows((rows @ W).astype(np.float32))


@dataclass(frozen=True)
class Whitening:
    """Two symmetric maps, d x d float64; directions outside the span of X become zero.

    Attributes:
        there: Z, with Z'(X'X + ridge I) Z = I.
        back: its (pseudo-)inverse.
    """

    there: np.ndarray
    back: np.ndarray


def whitening(X: np.ndarray, ridge: float = 0.0) -> Whitening:
    """Find (X'X + ridge I)^(-1/2) by the singular values of X, p x d (Artetxe et al. 2018, step 1).

    After it the dimensions of paired vectors are uncorrelated. The singular values of X'X would
    square the error.
    """
    _, s, Vt = np.linalg.svd(X.astype(np.float64), full_matrices=False)
    spanned = s > s.max(initial=0) * max(X.shape) * np.finfo(np.float64).eps
    s, Vt = np.sqrt(s[spanned] ** 2 + ridge), Vt[spanned]
    return Whitening((Vt.T / s) @ Vt, (Vt.T * s) @ Vt)
