"""Whitening: the linear map after which the dimensions of paired vectors are uncorrelated."""

from dataclasses import dataclass

import numpy as np


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

    The singular values of X'X would square the error.
    """
    _, s, Vt = np.linalg.svd(X.astype(np.float64), full_matrices=False)
    spanned = s > s.max(initial=0) * max(X.shape) * np.finfo(np.float64).eps
    s, Vt = np.sqrt(s[spanned] ** 2 + ridge), Vt[spanned]
    return Whitening((Vt.T / s) @ Vt, (Vt.T * s) @ Vt)
