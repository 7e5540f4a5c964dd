"""Canonical correlation analysis of seed pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import numpy as np
from pydantic import Field, NonNegativeFloat

from cr5.systems.mapping.family import Seeded

if TYPE_CHECKING:
    from cr5.fitting.contract import Fit, TrainingSet
    from cr5.systems.mapping.pivot import Mapped
    from cr5.systems.mapping.spaces import Space


class WordCca(Seeded):
    """Canonical correlation analysis of seed pairs (Faruqui and Dyer 2014).

    Both languages are projected, so three or more do not meet in one space: see `kind: pairwise`.
    The values of section 3.2 and the authors' code. Centring the vocabulary comes first; the
    projection centres anyway.
    """

    title = "CCA (words)"
    reference = "Faruqui and Dyer, EACL 2014"

    share: Annotated[float, Field(gt=0, le=1)] = 0.5
    """Of the dimensions that is kept, the best correlated ones."""
    ridge: NonNegativeFloat = 0.0
    """Added to the variance of each dimension of the paired vectors."""

    def fit(self, training: TrainingSet) -> Fit:
        """Project each pair of languages to where its seed pairs agree most; see `fit_seeded`."""
        from cr5.systems.mapping.seeded import fit_seeded

        return fit_seeded(training, self, self.solve, both_sides=True)

    def solve(self, source: Space, target: Space, pairs: np.ndarray) -> Mapped:
        """Fit on the pairs, centred by their mean; map vocabularies, each centred by its own.

        The report has the canonical correlations of the dimensions kept, descending.
        """
        from cr5.systems.mapping.maps import canonical_directions
        from cr5.systems.mapping.pivot import Mapped

        X, Y = source.vectors[pairs[:, 0]], target.vectors[pairs[:, 1]]
        A, B, correlations = canonical_directions(X, Y, self.share, self.ridge)
        report = {"correlations": correlations.tolist()}
        return Mapped(_project(source.vectors, A), _project(target.vectors, B), report)


def _project(rows: np.ndarray, W: np.ndarray) -> np.ndarray:
    from cr5.systems.mapping.maps import apply_map

    mean = rows.mean(axis=0, dtype=np.float64).astype(np.float32)
    return apply_map(rows - mean, W.astype(np.float32))
