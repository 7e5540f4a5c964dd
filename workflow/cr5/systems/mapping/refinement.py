"""Iterative refinement: translate, build a dictionary, solve Procrustes, and again."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from cr5.systems.mapping import csls
from cr5.systems.mapping.maps import apply_map, orthogonal_map

# The values of Conneau et al. 2018 (section 2.2 and the authors' code). There the first
# `dictionary_words` are translated among all target words, and later ones dropped from the pairs;
# here neither dictionary nor criterion knows them.
OPTIONS = {
    "rounds": (5, {"ge": 0}, "of refinement: a dictionary is built, and a map solved"),
    "dictionary_words": (15_000, {"ge": 1}, "most frequent words that may enter a dictionary"),
    "neighbours": (10, {"ge": 1}, "of CSLS"),
    "criterion_words": (
        10_000,
        {"ge": 1},
        "most frequent words over which the unsupervised criterion is the mean",
    ),
    "mutual": (False, "whether each word of a pair must be the other's best translation"),
}


@dataclass(frozen=True)
class Refinement:
    """The best map and how it came about.

    Attributes:
        W: d x d float32, orthogonal unless the best is a start that is not.
        history: one entry per map tried, round 0 being the start: round, criterion and
            pairs (size of the dictionary it was solved on; None for the start).
        best: the round whose map is W.
    """

    W: np.ndarray
    history: list[dict]
    best: int

    @property
    def criterion(self) -> float:
        """The criterion of the kept map."""
        return self.history[self.best]["criterion"]


def refine(
    source: np.ndarray,
    target: np.ndarray,
    W: np.ndarray,
    options: Mapping[str, Any],
    own: tuple[np.ndarray, np.ndarray] | None = None,
) -> Refinement:
    """Improve a roughly correct map; keep the best by the unsupervised criterion.

    Args:
        source: n x d float32, unit rows, most frequent word first.
        target: m x d float32, likewise.
        W: d x d, the start: from adversarial training, or `orthogonal_map` of a seed dictionary.
        options: see `OPTIONS`.
        own: both with the lengths that count in Procrustes; None for unit length.
    """
    X, Y = own or (source, target)
    source, target = source[: options["dictionary_words"]], target[: options["dictionary_words"]]
    k = options["neighbours"]
    history, best, best_W, pairs = [], 0, W, None
    for step in range(options["rounds"] + 1):
        mapped = apply_map(source, W)
        forward = csls.translate(mapped, target, neighbours=k)
        score = csls.criterion(mapped, target, forward, options["criterion_words"])
        size = None if pairs is None else len(pairs)
        history.append({"round": step, "pairs": size, "criterion": score})
        if score > history[best]["criterion"]:
            best, best_W = step, W
        if step < options["rounds"]:
            pairs = csls.dictionary(mapped, target, forward, mutual=options["mutual"], neighbours=k)
            W = orthogonal_map(X[pairs[:, 0]], Y[pairs[:, 1]])
    return Refinement(best_W.astype(np.float32), history, best)


def score(
    source: np.ndarray, target: np.ndarray, W: np.ndarray, options: Mapping[str, Any]
) -> float:
    """Compute the unsupervised criterion of a map, on the words that refinement uses."""
    source, target = source[: options["dictionary_words"]], target[: options["dictionary_words"]]
    mapped = apply_map(source, W)
    forward = csls.translate(mapped, target, neighbours=options["neighbours"])
    return csls.criterion(mapped, target, forward, options["criterion_words"])
