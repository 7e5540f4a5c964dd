"""Self-learning from a few seed pairs, such as numerals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from pydantic import NonNegativeInt, PositiveInt

from cr5.systems.mapping.family import Seeded

if TYPE_CHECKING:
    from cr5.fitting.contract import Fit, TrainingSet
    from cr5.systems.mapping.pivot import Mapped
    from cr5.systems.mapping.spaces import Space

THRESHOLD = 1e-6  # the mean similarity must improve by this much, or the last round is the last


class VecmapSelfLearning(Seeded):
    """Self-learning from a few seed pairs, such as numerals (Artetxe et al. 2017).

    The values of Artetxe et al. 2017 (section 3 and the authors' code).
    """

    title = "VecMap, self-learning"
    reference = "Artetxe, Labaka and Agirre, ACL 2017"
    cost = (1, 24)  # each round searches among all words

    centre: bool = True
    """Whether the mean of all vectors is subtracted first."""
    # It ends even without a limit: a round cannot lower the mean similarity.
    rounds: PositiveInt = 500
    """At most."""
    dictionary_words: PositiveInt | None = None
    """Most frequent words of both languages that enter the dictionary; null: all."""
    neighbours: NonNegativeInt = 0
    """Of CSLS when translations are looked for; 0: the cosine."""

    def fit(self, training: TrainingSet) -> Fit:
        """Rotate each space by its seed pairs, then by those that it finds; see `fit_seeded`."""
        from cr5.systems.mapping.seeded import fit_seeded

        return fit_seeded(training, self, self.solve, least=1)

    def solve(self, source: Space, target: Space, pairs: np.ndarray) -> Mapped:
        """Map the source space by the best of the maps learnt."""
        from cr5.systems.mapping.maps import apply_map
        from cr5.systems.mapping.pivot import Mapped

        W, report = self.learn(source.vectors, target.vectors, pairs)
        return Mapped(apply_map(source.vectors, W), report=report)

    def learn(
        self, source: np.ndarray, target: np.ndarray, pairs: np.ndarray
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Solve Procrustes on the pairs, translate every source word, and repeat with these pairs.

        Args:
            source: n x d float32, unit rows, most frequent word first; centred, as published.
            target: m x d float32, likewise.
            pairs: p x 2 row numbers, source and target: the seeds, used in the first round only.

        Returns:
            The map with the highest mean similarity, d x d float32, orthogonal; and a report:
            `self_learning` has one entry per round (round, pairs that the map was solved on,
            similarity), and `converged` is False if the rounds ran out.
        """
        from cr5.systems.mapping import csls
        from cr5.systems.mapping.maps import apply_map, orthogonal_map

        X, Y = source[: self.dictionary_words], target[: self.dictionary_words]
        S, T = source[pairs[:, 0]], target[pairs[:, 1]]
        history, best, best_W, gain = [], -np.inf, None, np.inf
        while gain >= THRESHOLD and len(history) < self.rounds:
            W = orthogonal_map(S, T)
            mapped = apply_map(X, W)
            forward = csls.translate(mapped, Y, neighbours=self.neighbours)
            similarity = csls.criterion(mapped, Y, forward, len(X))
            history.append({"round": len(history) + 1, "pairs": len(S), "similarity": similarity})
            gain = similarity - best
            if gain > 0:
                best, best_W = similarity, W
            S, T = X, Y[forward]
        return best_W, {"self_learning": history, "converged": bool(gain < THRESHOLD)}
