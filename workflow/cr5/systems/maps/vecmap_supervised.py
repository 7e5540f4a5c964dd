"""VecMap with a dictionary: whiten, rotate, re-weight, de-whiten."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cr5.systems.maps.canonical import roots
from cr5.systems.maps.family import Seeded
from cr5.systems.maps.spaces import Mapped

if TYPE_CHECKING:
    from cr5.systems.maps.spaces import Space

POWER = 0.5  # p of the re-weighting by s^p, s being how well a dimension agrees (step 3)


class VecmapSupervised(Seeded):
    """Whiten, rotate by seed pairs, re-weight, de-whiten (Artetxe et al. 2018, AAAI).

    Both languages are changed, so three or more do not meet in one space: see `kind: pairwise`.
    The values are those that the authors' code recommends with a dictionary.
    """

    title = "VecMap, supervised"
    reference = "Artetxe, Labaka and Agirre, AAAI 2018"
    both_sides = True

    centre: bool = True
    """Whether the mean of all vectors is subtracted first."""

    def solve(self, source: Space, target: Space, X: np.ndarray, Y: np.ndarray) -> Mapped:
        """Map both spaces: whiten, turn, re-weight, and de-whiten where the weights are.

        With what whitens the pairs, Z_X and Z_Y, and (X Z_X)'(Y Z_Y) = U S V' the maps are

            Z_X U S^p (U' Z_X^-1 U)    and    Z_Y V S^p (V' Z_Y^-1 V)
        """
        X = X.astype(np.float64)
        Y = Y.astype(np.float64)
        whiten_X, undo_X = roots(X)
        whiten_Y, undo_Y = roots(Y)
        U, correlations, Vt = np.linalg.svd(whiten_X @ X.T @ Y @ whiten_Y)
        V = Vt.T
        weights = correlations**POWER
        source_map = whiten_X @ (U * weights) @ (U.T @ undo_X @ U)
        target_map = whiten_Y @ (V * weights) @ (V.T @ undo_Y @ V)
        source_rows = source.mapped(source_map.astype(np.float32))
        target_rows = target.mapped(target_map.astype(np.float32))
        return Mapped(source_rows, target_rows)
