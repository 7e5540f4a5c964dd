"""Least squares: the linear map that brings paired vectors together."""

import numpy as np
from threadpoolctl import threadpool_limits


@threadpool_limits.wrap(limits=1)
def linear_map(X: np.ndarray, Y: np.ndarray, ridge: float = 0.0) -> np.ndarray:
    """Minimise ||X W - Y||_F^2 + ridge ||W||_F^2 (Mikolov et al. 2013, eq. 3, where ridge is 0).

    Args:
        X: p x d, source vectors, row i translates to row i of Y.
        Y: p x r, target vectors.
        ridge: penalty on large maps, 0 or more.

    Returns:
        W, d x r float32; the smallest if several fit equally well.
    """
    X, Y = X.astype(np.float64), Y.astype(np.float64)
    if ridge:  # the same problem, with a row for each number of W
        d = X.shape[1]
        X = np.vstack([X, np.sqrt(ridge) * np.eye(d)])
        Y = np.vstack([Y, np.zeros((d, Y.shape[1]))])
    return np.linalg.lstsq(X, Y, rcond=None)[0].astype(np.float32)
