"""CCA of words: both languages projected to where their seed pairs agree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import numpy as np
from pydantic import Field

from cr5.systems.maps.canonical import canonical_directions
from cr5.systems.maps.family import Seeded
from cr5.systems.maps.rows import apply_map, subtract_mean
from cr5.systems.maps.spaces import Mapped

if TYPE_CHECKING:
    from cr5.systems.maps.spaces import Space


class WordCca(Seeded):
    """Canonical correlation analysis of seed pairs (Faruqui and Dyer 2014).

    Both languages are projected, so three or more do not meet in one space: see `kind: pairwise`.
    The values of section 3.2 and the authors' code. Centring the vocabulary comes first; the
    projection centres anyway.
    """

    title = "CCA (words)"
    reference = "Faruqui and Dyer, EACL 2014"
    both_sides = True

    share: Annotated[float, Field(gt=0, le=1)] = 0.5
    """Of the dimensions that is kept, the best correlated ones."""

    def solve(self, source: Space, target: Space, X: np.ndarray, Y: np.ndarray) -> Mapped:
        """Fit on the pairs, centred by their mean; map vocabularies, each centred by its own."""
        A, B = canonical_directions(X, Y, self.share)
        source_rows = apply_map(subtract_mean(source.vectors), A.astype(np.float32))
        target_rows = apply_map(subtract_mean(target.vectors), B.astype(np.float32))
        return Mapped(source_rows, target_rows)
