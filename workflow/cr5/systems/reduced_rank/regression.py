"""From Ritz vectors to the regression Phi' and the true residuals.

B-orthonormal W with A A'W = B W diag(mu) up to a residual give P = A'W / sqrt(mu), orthonormal.
From the remainder D = A P - B W sqrt(mu), and one linear system per column, B E = D, follow

    Phi' = B^-1 A P = W sqrt(mu) + E        (Eq. 14)
    M P - P mu      = A'E

B E = D is solved until a share of D is left, in the norm of Jacobi's preconditioner, because in
the plain norm a few frequent words would decide. As D is about `tolerance` times A P (measured),
that share of the tolerance is what B Phi' = A P is solved to; the paper solves it to 0.01. The
residuals of M are underestimated thereby, by 5 % at 8 million nonzeros (measured).
"""

import logging
from dataclasses import dataclass

import numpy as np

from cr5.systems.algebra.orthonormal import signs
from cr5.systems.reduced_rank.basis import Basis
from cr5.systems.reduced_rank.operators import RidgeGram

logger = logging.getLogger(__name__)

LEFT = 0.4  # maximum remaining share of what deflation, which tells nothing of residuals, leaves


@dataclass(frozen=True)
class Regression:
    """The regression of some pairs.

    Attributes:
        vectors: P, concepts x pairs, a NumPy array; the entry of largest magnitude in each column
            is positive.
        residuals: ||M p - mu p|| of each.
        converged: whether the linear systems were solved.
    """

    vectors: np.ndarray
    residuals: np.ndarray
    converged: bool


def regress(basis: Basis, B: RidgeGram, chosen: slice, max_iterations: int) -> Regression:
    """Replace some Ritz vectors by their regression Phi'.

    Phi' is B^-1 A A'w but for a factor, hence nearer to the eigenvector than w: should a residual
    turn out too large, the iteration continues from there.

    Args:
        basis: just restarted, so that its columns are Ritz vectors; is modified, and has to be
            measured before it is used again.
        B: at the ridge of the basis.
        chosen: the columns.
        max_iterations: maximum number of steps of conjugate gradients.
    """
    threads, Y = basis.threads, basis.Y
    w, z = (matrix[:, chosen] for matrix in basis.columns())
    mu = basis.theta[chosen].astype(w.dtype)
    P = Y.adjoint(z)
    flips = signs(P)
    root = flips * np.sqrt(mu)
    P /= root
    D = w.copy()
    basis.residuals(D, z.copy(), mu, B.ridge)
    D /= root
    solve = B.solve(D, lambda deflated: LEFT * deflated, max_iterations)
    del D
    logger.info("conjugate gradients: %d steps", solve.iterations)
    change = basis.Xhat.matmat(solve.value)
    for matrix, added in ((w, solve.value), (z, change)):
        matrix *= root
        matrix += added
    change = Y.adjoint(change)
    residuals = np.sqrt(threads.dots(change, change))
    return Regression(P, residuals, solve.converged)
