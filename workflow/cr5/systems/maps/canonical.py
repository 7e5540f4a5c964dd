"""Whitening and canonical correlations of paired word vectors."""

import numpy as np


def roots(X: np.ndarray, ridge: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """Return what whitens the rows of X (p x d), Z, and its (pseudo-)inverse; both are symmetric.

        Z'(X'X + ridge I) Z = I        (Artetxe et al. 2018, AAAI, step 1)

    By the singular values of X: those of X'X would square the error. With Z the dimensions of
    paired vectors are uncorrelated; directions outside the span of X become zero.
    """
    _, s, Vt = np.linalg.svd(X.astype(np.float64), full_matrices=False)
    spanned = s > s.max(initial=0) * max(X.shape) * np.finfo(np.float64).eps
    s = np.sqrt(s[spanned] ** 2 + ridge)
    Vt = Vt[spanned]
    whiten = (Vt.T / s) @ Vt
    undo = (Vt.T * s) @ Vt
    return whiten, undo


def canonical_directions(
    X: np.ndarray, Y: np.ndarray, share: float, ridge: float = 0.0
) -> tuple[np.ndarray, np.ndarray]:
    """Return the best canonical directions of pairs X and Y, d x r, by falling correlation.

    With whitened pairs P = X Z_X and Q = Y Z_Y and the singular value decomposition P'Q = U S V',
    they are the first columns of Z_X U and of Z_Y V, and S has the correlations.
    """
    X = X - X.mean(axis=0, dtype=np.float64)
    Y = Y - Y.mean(axis=0, dtype=np.float64)
    # There are p rows, so the ridge applies to the covariance, X'X / p.
    whiten_X, _ = roots(X, ridge * len(X))
    whiten_Y, _ = roots(Y, ridge * len(Y))
    PtQ = whiten_X @ X.T @ Y @ whiten_Y
    U, correlations, Vt = np.linalg.svd(PtQ)
    r = int(np.ceil(share * len(correlations)))
    return whiten_X @ U[:, :r], whiten_Y @ Vt[:r].T
