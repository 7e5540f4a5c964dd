"""From Ritz vectors to the regression Phi' and the true residuals.

B-orthonormal W with A A'W = B W diag(mu) but for a residual give P = A'W / sqrt(mu), orthonormal.
With what is left, D = A P - B W sqrt(mu), and one linear system for each column, B E = D, follow

    Phi' = B^-1 A P = W sqrt(mu) + E        (Eq. 14)
    M P - P mu      = A'E

Of B E = D at least 0.7 is solved for, and so much that of B Phi' = A P no more than the hundredth
is left that the paper leaves (a tenth of the tolerance, where that is less); both as Jacobi's
preconditioner measures it, for in the plain norm a few frequent words would decide.
"""

import logging
from dataclasses import dataclass

import numpy as np

from cr5.systems.algebra import tall
from cr5.systems.algebra.orthonormal import signs
from cr5.systems.reduced_rank.basis import Basis
from cr5.systems.reduced_rank.operators import CrossProduct, RidgeGram

logger = logging.getLogger(__name__)

LEFT = 0.3  # of D at most: E has to tell the residuals of M
TINY = np.finfo(np.float32).tiny


@dataclass(frozen=True)
class Regression:
    """Of some pairs, by NumPy.

    Attributes:
        vectors: P, concepts x pairs.
        coefficients: Phi', words x pairs.
        residuals: ||M p - mu p|| of each.
        converged: whether the linear systems were solved.
    """

    vectors: np.ndarray
    coefficients: np.ndarray
    residuals: np.ndarray
    converged: bool


def regress(
    basis: Basis, B: RidgeGram, chosen: np.ndarray, inner: float, max_iterations: int
) -> Regression:
    """Finish some Ritz pairs.

    Args:
        basis: that has the pairs.
        B: at the ridge of the basis.
        chosen: their numbers.
        inner: how much of B Phi' = A P may be left.
        max_iterations: steps of conjugate gradients at most.
    """
    device, A = basis.device, CrossProduct(basis.Xhat, basis.Y)
    w, z = basis.ritz_vectors(chosen)
    mu = basis.theta[chosen].astype(w.dtype)
    D, P = basis.residuals(w, z, mu, B.ridge), basis.Y.adjoint(z)
    del z  # it takes memory
    root = device.put(np.sqrt(mu))
    for matrix in (D, P):
        matrix /= root
    w *= root
    left = inner * _norms(A.matmat(P), B) / np.maximum(_norms(D, B), TINY)
    solve = B.solve(D, np.minimum(LEFT, left), max_iterations)
    del D
    logger.info("conjugate gradients: %d steps", solve.iterations)
    w += solve.value
    change = A.adjoint(solve.value)
    residuals = np.sqrt(tall.dots(device, change, change))
    P, Phi = device.get(P), device.get(w)
    flip = signs(P)
    return Regression(P * flip, Phi * flip, residuals, solve.converged)


def _norms(U: np.ndarray, B: RidgeGram) -> np.ndarray:
    """Of columns, as conjugate gradients measure them: rare words count as others do."""
    device = B.device
    return np.sqrt(tall.dots(device, U, tall.divide(device, U, B.diagonal)))
