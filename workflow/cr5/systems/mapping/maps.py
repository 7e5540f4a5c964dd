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


def canonical_directions(
    X: np.ndarray, Y: np.ndarray, share: float, ridge: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Find the canonical directions of both sides, d x r, and their correlations (r,).

    With whitened pairs P and Q and the singular value decomposition P'Q = U S V', the canonical
    directions are the columns of U and V, and S has the correlations.

    Args:
        X: p x d float32, source vectors; p > d, or the fit is perfect and meaningless.
        Y: p x d float32, row i is the translation of row i of X.
        share: of the dimensions that is kept.
        ridge: added to the variances.
    """
    X, Y = (rows - rows.mean(axis=0, dtype=np.float64) for rows in (X, Y))
    # There are p rows, so the ridge applies to the covariance, X'X / p.
    Zx, Zy = (whitening(rows, ridge * len(rows)).there for rows in (X, Y))
    U, s, Vt = np.linalg.svd(Zx @ X.T @ Y @ Zy)
    r = int(np.ceil(share * len(s)))
    return Zx @ U[:, :r], Zy @ Vt[:r].T, s[:r]
