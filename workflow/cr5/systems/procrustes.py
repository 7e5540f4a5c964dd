"""Orthogonal Procrustes from seed pairs, and refinement."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cr5.systems.mapping.family import Refined, Seeded

if TYPE_CHECKING:
    import numpy as np

    from cr5.fitting.contract import Fit, TrainingSet
    from cr5.systems.mapping.pivot import Mapped
    from cr5.systems.mapping.spaces import Space


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

    def fit(self, training: TrainingSet) -> Fit:
        """Rotate each space by its seed pairs, and refine the rotation; see `fit_seeded`."""
        from cr5.systems.mapping.seeded import fit_seeded

        return fit_seeded(training, self, self.solve, own=self.own_lengths)

    def solve(self, source: Space, target: Space, pairs: np.ndarray) -> Mapped:
        """Rotate the source space, and refine the rotation."""
        from cr5.systems.mapping.maps import orthogonal_map
        from cr5.systems.mapping.starts import Start, best_of

        W = orthogonal_map(source.own[pairs[:, 0]], target.own[pairs[:, 1]])
        return best_of([Start(W, {})], source, target, self)
