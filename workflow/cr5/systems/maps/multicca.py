"""MultiCCA: any number of languages in the space of one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from pydantic import NonNegativeFloat

from cr5.systems.maps.canonical import canonical_directions
from cr5.systems.maps.family import Seeded
from cr5.systems.maps.rows import unit
from cr5.systems.maps.spaces import Mapped

if TYPE_CHECKING:
    from cr5.systems.maps.spaces import Space


class Multicca(Seeded):
    """Languages are mapped onto one of them by canonical correlations (Ammar et al. 2016).

    CCA of a language with the pivot projects both to where their seed pairs agree, x A and y B. As
    B has an inverse, x A B^-1 is in the pivot's own space, where all languages meet; so it is
    `word_cca` for any number of languages. All dimensions are kept.
    """

    title = "MultiCCA"
    reference = "Ammar et al., 2016"

    ridge: NonNegativeFloat = 0.0
    """Added to the variance of each dimension of the paired vectors."""

    def solve(self, source: Space, target: Space, X: np.ndarray, Y: np.ndarray) -> Mapped:
        """Fit on the pairs; the mean of the source's words is mapped onto that of the target's.

        A source word x becomes (x - source mean) A B^-1 + target mean.
        """
        A, B = canonical_directions(X, Y, 1.0, self.ridge)
        source_mean = source.vectors.mean(axis=0, dtype=np.float64)
        target_mean = target.vectors.mean(axis=0, dtype=np.float64)
        mapped = (source.vectors - source_mean) @ A @ np.linalg.pinv(B) + target_mean
        return Mapped(unit(mapped.astype(np.float32)))
