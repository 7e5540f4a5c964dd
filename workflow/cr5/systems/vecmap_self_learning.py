"""Self-learning from a few seed pairs, such as numerals (Artetxe et al. 2017)."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from cr5.fitting.contract import Fit, TrainingSet
from cr5.systems.mapping import csls
from cr5.systems.mapping.maps import apply_map, orthogonal_map
from cr5.systems.mapping.pivot import Mapped
from cr5.systems.mapping.seeded import OPTIONS as SEEDED
from cr5.systems.mapping.seeded import fit_seeded
from cr5.systems.mapping.spaces import Space

TITLE = "VecMap, self-learning"
REFERENCE = "Artetxe, Labaka and Agirre, ACL 2017"
COST = (1, 24)  # each round searches among all words
NEEDS = ("vectors", "seeds")

# The values of Artetxe et al. 2017 (section 3 and the authors' code).
OPTIONS = {
    **SEEDED,
    "centre": (True, "whether the mean of all vectors is subtracted first"),
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


def fit(training: TrainingSet, options: dict) -> Fit:
    """Rotate each space by its seed pairs, then by the pairs that it finds; see `fit_seeded`."""
    return fit_seeded(training, options, solve, least=1)


def solve(source: Space, target: Space, pairs: np.ndarray, options: Mapping[str, Any]) -> Mapped:
    """Map the source space by the best of the maps learnt."""
    W, report = learn(source.vectors, target.vectors, pairs, options)
    return Mapped(apply_map(source.vectors, W), report=report)


def learn(
    source: np.ndarray, target: np.ndarray, pairs: np.ndarray, options: Mapping[str, Any]
) -> tuple[np.ndarray, dict[str, Any]]:
    """Solve Procrustes on the pairs, translate every source word, and repeat with these pairs.

    Args:
        source: n x d float32, unit rows, most frequent word first; centred, as published.
        target: m x d float32, likewise.
        pairs: p x 2 row numbers, source and target: the seeds, used in the first round only.
        options: see `OPTIONS`.

    Returns:
        The map with the highest mean similarity, d x d float32, orthogonal; and a report:
        `self_learning` has one entry per round (round, pairs that the map was solved on,
        similarity), and `converged` is False if the rounds ran out.
    """
    X, Y = source[: options["dictionary_words"]], target[: options["dictionary_words"]]
    S, T = source[pairs[:, 0]], target[pairs[:, 1]]
    history, best, best_W, gain = [], -np.inf, None, np.inf
    while gain >= options["threshold"] and len(history) < options["rounds"]:
        W = orthogonal_map(S, T)
        mapped = apply_map(X, W)
        forward = csls.translate(mapped, Y, neighbours=options["neighbours"])
        similarity = csls.criterion(mapped, Y, forward, len(X))
        history.append({"round": len(history) + 1, "pairs": len(S), "similarity": similarity})
        gain = similarity - best
        if gain > 0:
            best, best_W = similarity, W
        S, T = X, Y[forward]
    return best_W, {"self_learning": history, "converged": bool(gain < options["threshold"])}
