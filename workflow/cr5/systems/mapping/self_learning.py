"""Self-learning: from a few pairs to a map and a dictionary of all words (Artetxe et al. 2017)."""

from dataclasses import dataclass

import numpy as np

from cr5.base.options import settings_class
from cr5.systems.mapping import csls
from cr5.systems.mapping.procrustes import orthogonal_map
from cr5.systems.mapping.refinement import apply_map

# The values of Artetxe et al. 2017 (section 3 and the authors' code).
OPTIONS = {
    "threshold": (
        1e-6,
        {"gt": 0},
        "the mean similarity must improve by this much, or the last round is the last",
    ),
    # It ends even without a limit: a round cannot lower the mean similarity.
    "rounds": (500, {"ge": 1}, "at most"),
    "dictionary_words": (
        None,
        (None, {"ge": 1}),
        "most frequent words of both languages that enter the dictionary; null: all",
    ),
    "neighbours": (0, {"ge": 0}, "of CSLS when translations are looked for; 0: the cosine"),
}
SelfLearningSettings = settings_class("SelfLearningSettings", OPTIONS)


@dataclass(frozen=True)
class SelfLearning:
    """The map with the highest mean similarity, and how it came about.

    Attributes:
        W: d x d float32, orthogonal.
        history: one entry per round: round, pairs that the map was solved on, similarity.
        converged: False if the rounds ran out.
    """

    W: np.ndarray
    history: list[dict]
    converged: bool


def learn(
    source: np.ndarray, target: np.ndarray, pairs: np.ndarray, settings: SelfLearningSettings
) -> SelfLearning:
    """Solve Procrustes on the pairs, translate every source word, and repeat with these pairs.

    Args:
        source: n x d float32, unit rows, most frequent word first; centred, as published.
        target: m x d float32, likewise.
        pairs: p x 2 row numbers, source and target: the seeds, used in the first round only.
        settings: of the rounds.
    """
    X, Y = source[: settings.dictionary_words], target[: settings.dictionary_words]
    S, T = source[pairs[:, 0]], target[pairs[:, 1]]
    history, best, best_W, gain = [], -np.inf, None, np.inf
    while gain >= settings.threshold and len(history) < settings.rounds:
        W = orthogonal_map(S, T)
        mapped = apply_map(X, W)
        forward = csls.translate(mapped, Y, neighbours=settings.neighbours)
        similarity = csls.criterion(mapped, Y, forward, len(X))
        history.append({"round": len(history) + 1, "pairs": len(S), "similarity": similarity})
        gain = similarity - best
        if gain > 0:
            best, best_W = similarity, W
        S, T = X, Y[forward]
    return SelfLearning(best_W, history, gain < settings.threshold)
