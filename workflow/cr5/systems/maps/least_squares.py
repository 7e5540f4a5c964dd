"""Least squares: the first map of word vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cr5.systems.maps.family import Seeded
from cr5.systems.maps.spaces import Mapped

if TYPE_CHECKING:
    from cr5.systems.maps.spaces import Space


class LeastSquares(Seeded):
    """Least squares from seed pairs: the map of Mikolov et al. 2013.

    It may stretch and shrink, unlike a rotation. Vectors have their own lengths, as in the paper.
    """

    title = "Least squares"
    reference = "Mikolov, Le and Sutskever, 2013"
    keeps_lengths = True

    def solve(self, source: Space, target: Space, X: np.ndarray, Y: np.ndarray) -> Mapped:
        """Minimise ||X W - Y||_F (Eq. 3); the smallest W if several fit equally well."""
        W, _, _, _ = np.linalg.lstsq(X.astype(np.float64), Y.astype(np.float64), rcond=None)
        return Mapped(source.vectors @ W.astype(np.float32))
