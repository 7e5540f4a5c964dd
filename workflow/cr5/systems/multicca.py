"""Languages mapped onto one of them by canonical correlations."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from pydantic import NonNegativeFloat

from cr5.systems.mapping.family import Seeded

if TYPE_CHECKING:
    from cr5.fitting.contract import Fit, TrainingSet
    from cr5.systems.mapping.pivot import Mapped
    from cr5.systems.mapping.spaces import Space


class MultiCca(Seeded):
    """Languages are mapped onto one of them by canonical correlations (Ammar et al. 2016).

    CCA of a language with the pivot projects both to where their seed pairs agree, x A and y B. As
    B has an inverse, x A B^-1 is in the pivot's own space, where all languages meet; so it is
    `word_cca` for any number of languages. All dimensions are kept.
    """

    title = "MultiCCA"
    reference = "Ammar et al., 2016"

    ridge: NonNegativeFloat = 0.0
    """Added to the variance of each dimension of the paired vectors."""

    def fit(self, training: TrainingSet) -> Fit:
        """Map each language onto the pivot by their seed pairs; see `fit_seeded`."""
        from cr5.systems.mapping.seeded import fit_seeded

        return fit_seeded(training, self, self.solve)

    def solve(self, source: Space, target: Space, pairs: np.ndarray) -> Mapped:
        """Fit on the pairs; the mean of the source's words is mapped onto that of the target's.

        The report has the canonical correlations, descending.
        """
        from cr5.base.rows import unit_rows
        from cr5.systems.mapping.maps import canonical_directions
        from cr5.systems.mapping.pivot import Mapped

        X, Y = source.vectors[pairs[:, 0]], target.vectors[pairs[:, 1]]
        A, B, correlations = canonical_directions(X, Y, 1.0, self.ridge)
        means = [each.vectors.mean(axis=0, dtype=np.float64) for each in (source, target)]
        mapped = (source.vectors - means[0]) @ A @ np.linalg.pinv(B) + means[1]
        return Mapped(
            unit_rows(mapped.astype(np.float32)), None, {"correlations": correlations.tolist()}
        )
