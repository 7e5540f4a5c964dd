"""From Ritz vectors to the regression Phi' and the true residuals.

B-orthonormal W with A A'W = B W diag(mu) up to a residual give P = A'W / sqrt(mu), orthonormal.
From the remainder D = A P - B W sqrt(mu), and one linear system per column, B E = D, follow

    Phi' = B^-1 A P = W sqrt(mu) + E        (Eq. 14)
    M P - P mu      = A'E

B E = D is solved to a residual of at most 0.3, and B Phi' = A P to the paper's 0.01 (or a tenth of
the tolerance, if that is smaller); both in the norm of Jacobi's preconditioner, because in the
plain norm a few frequent words would decide.
"""

import logging
from dataclasses import dataclass

import numpy as np

from cr5.systems.algebra import tall
from cr5.systems.algebra.orthonormal import signs
from cr5.systems.reduced_rank.basis import Basis
from cr5.systems.reduced_rank.operators import CrossProduct, RidgeGram

logger = logging.getLogger(__name__)

LEFT = 0.3  # maximum remaining share of D: E has to give the residuals of M
TINY = np.finfo(np.float32).tiny


@dataclass(frozen=True)
class Regression:
    """The regression of some pairs, as NumPy arrays.

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
        basis: contains the pairs.
        B: at the ridge of the basis.
        chosen: their numbers.
        inner: allowed residual of B Phi' = A P.
        max_iterations: maximum number of steps of conjugate gradients.
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
    """Norms of columns, as in conjugate gradients: rare words count as much as others."""
    device = B.device
    return np.sqrt(tall.dots(device, U, tall.divide(device, U, B.diagonal)))
