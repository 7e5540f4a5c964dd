"""Least squares from seed pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from pydantic import NonNegativeFloat

from cr5.systems.mapping.family import Seeded

if TYPE_CHECKING:
    from cr5.fitting.contract import Fit, TrainingSet
    from cr5.systems.mapping.pivot import Mapped
    from cr5.systems.mapping.spaces import Space


class LeastSquares(Seeded):
    """Least squares from seed pairs: the map of Mikolov et al. 2013.

    It may stretch and shrink, unlike a rotation. Vectors have their own lengths, as in the paper.
    """

    title = "Least squares"
    reference = "Mikolov, Le and Sutskever, 2013"

    ridge: NonNegativeFloat = 0.0
    """Of the regression."""

    def fit(self, training: TrainingSet) -> Fit:
        """Fit the map of each pair of languages to its seed pairs; see `fit_seeded`."""
        from cr5.systems.mapping.seeded import fit_seeded

        return fit_seeded(training, self, self.solve, own=True)

    def solve(self, source: Space, target: Space, pairs: np.ndarray) -> Mapped:
        """Map the source space."""
        from cr5.systems.mapping.pivot import Mapped

        X, Y = source.own[pairs[:, 0]], target.own[pairs[:, 1]]
        return Mapped(source.vectors @ linear_map(X, Y, self.ridge))


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
