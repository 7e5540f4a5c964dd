"""Whiten, rotate by seed pairs, re-weight, de-whiten."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cr5.systems.mapping.family import Seeded

if TYPE_CHECKING:
    from cr5.fitting.contract import Fit, TrainingSet
    from cr5.systems.mapping.maps import Whitening
    from cr5.systems.mapping.pivot import Mapped
    from cr5.systems.mapping.spaces import Space

POWER = 0.5  # p of the re-weighting by s^p, s being how well a dimension agrees (step 3)


class VecmapSupervised(Seeded):
    """Whiten, rotate by seed pairs, re-weight, de-whiten (Artetxe et al. 2018, AAAI).

    Both languages are changed, so three or more do not meet in one space: see `kind: pairwise`.
    The values are those that the authors' code recommends with a dictionary.
    """

    title = "VecMap, supervised"
    reference = "Artetxe, Labaka and Agirre, AAAI 2018"

    centre: bool = True
    """Whether the mean of all vectors is subtracted first."""

    def fit(self, training: TrainingSet) -> Fit:
        """Map both languages of each pair by its seed pairs; see `fit_seeded`."""
        from cr5.systems.mapping.seeded import fit_seeded

        return fit_seeded(training, self, self.solve, both_sides=True)

    def solve(self, source: Space, target: Space, pairs: np.ndarray) -> Mapped:
        """Map both spaces.

        The report has the singular values by which dimensions are weighted, descending.
        """
        from cr5.systems.mapping.maps import apply_map, whitening
        from cr5.systems.mapping.pivot import Mapped

        x, y = source.vectors[pairs[:, 0]], target.vectors[pairs[:, 1]]
        X, Y = (rows.astype(np.float64) for rows in (x, y))
        of_X, of_Y = whitening(X), whitening(Y)
        U, s, Vt = np.linalg.svd(of_X.there @ X.T @ Y @ of_Y.there)
        A, B = _steps(of_X, U, s**POWER), _steps(of_Y, Vt.T, s**POWER)
        rows = apply_map(source.vectors, A), apply_map(target.vectors, B)
        return Mapped(*rows, {"weights": s.tolist()})


def _steps(own: Whitening, turn: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Whiten, turn and re-weight; de-whiten in the turned space, where the weights are."""
    found = own.there @ (turn * weights) @ (turn.T @ own.back @ turn)
    return found.astype(np.float32)
