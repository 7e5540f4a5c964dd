"""VecMap from a few pairs: translate by the map, and learn the map of the translations."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from pydantic import PositiveInt

from cr5.systems.maps.family import Seeded
from cr5.systems.maps.rotations import orthogonal_map
from cr5.systems.maps.spaces import Mapped
from cr5.systems.maps.translation import translate, unsupervised_criterion

if TYPE_CHECKING:
    from cr5.systems.maps.spaces import Space

THRESHOLD = 1e-6  # by which the mean similarity must improve, or the last round is the last


class VecmapSelfLearning(Seeded):
    """Self-learning from a few seed pairs, such as numerals (Artetxe et al. 2017).

    The values of Artetxe et al. 2017 (section 3 and the authors' code).
    """

    title = "VecMap, self-learning"
    reference = "Artetxe, Labaka and Agirre, ACL 2017"
    cost = (1, 24)  # each round searches among all words
    min_pairs = 1

    centre: bool = True
    """Whether the mean of all vectors is subtracted first."""
    # It ends even without a limit: a round cannot lower the mean similarity.
    rounds: PositiveInt = 500
    """At most."""

    def solve(self, source: Space, target: Space, X: np.ndarray, Y: np.ndarray) -> Mapped:
        """Map the source space by the best of the maps learnt.

        Reports the rounds taken; `converged` is False if they ran out.
        """
        best_similarity = -np.inf
        best_map = None
        gain = np.inf
        n_rounds = 0
        while gain >= THRESHOLD and n_rounds < self.rounds:
            W = orthogonal_map(X, Y)
            mapped = source.mapped(W)
            translations = translate(mapped, target.vectors, neighbours=0)
            similarity = unsupervised_criterion(mapped, target.vectors, translations, len(mapped))
            gain = similarity - best_similarity
            n_rounds += 1
            if gain > 0:
                best_similarity = similarity
                best_map = W
            X = source.vectors
            Y = target.vectors[translations]
        report = {"rounds": n_rounds, "converged": bool(gain < THRESHOLD)}
        return Mapped(source.mapped(best_map), report=report)
