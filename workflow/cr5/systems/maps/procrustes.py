"""Procrustes: a rotation from seed pairs, refined."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cr5.systems.maps.family import Seeded
from cr5.systems.maps.refinement import Refined, best_of
from cr5.systems.maps.rotations import orthogonal_map

if TYPE_CHECKING:
    import numpy as np

    from cr5.systems.maps.spaces import Mapped, Space


class Procrustes(Refined, Seeded):
    """Orthogonal Procrustes from seed pairs, and refinement (Conneau et al. 2018).

    The pairs are from a dictionary (Xing et al. 2015), identical strings (Smith et al. 2017) or
    numerals (Artetxe et al. 2017). Many words that are spelled the same (names, numbers, loans) are
    translations, and refinement replaces the others. Without rounds it is Procrustes alone; the
    supervised variant of Conneau et al. is `mutual`, with the vectors' own lengths.
    """

    title = "Procrustes"
    reference = "Xing et al., NAACL 2015; Smith et al., ICLR 2017; Conneau et al., ICLR 2018"
    colour = "#009E73"

    own_lengths: bool = False
    """Whether vectors keep their own lengths, as in Conneau et al."""

    @property
    def keeps_lengths(self) -> bool:
        """Whether vectors keep their own lengths."""
        return self.own_lengths

    def solve(self, source: Space, target: Space, X: np.ndarray, Y: np.ndarray) -> Mapped:
        """Rotate the source space, and refine the rotation."""
        return best_of([orthogonal_map(X, Y)], source, target, self)
