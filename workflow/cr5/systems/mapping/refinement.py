"""Iterative refinement: translate, build a dictionary, solve Procrustes, and again."""

from dataclasses import dataclass

import numpy as np

from cr5.systems.mapping import csls
from cr5.systems.mapping.family import Refined
from cr5.systems.mapping.maps import apply_map, orthogonal_map


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
    system: Refined,
    own: tuple[np.ndarray, np.ndarray] | None = None,
) -> Refinement:
    """Improve a roughly correct map; keep the best by the unsupervised criterion.

    Args:
        source: n x d float32, unit rows, most frequent word first.
        target: m x d float32, likewise.
        W: d x d, the start: from adversarial training, or `orthogonal_map` of a seed dictionary.
        system: says how often, and with which words.
        own: both with the lengths that count in Procrustes; None for unit length.
    """
    X, Y = own or (source, target)
    source, target = source[: system.dictionary_words], target[: system.dictionary_words]
    k = system.neighbours
    history, best, best_W, pairs = [], 0, W, None
    for step in range(system.rounds + 1):
        mapped = apply_map(source, W)
        forward = csls.translate(mapped, target, neighbours=k)
        score = csls.criterion(mapped, target, forward, system.criterion_words)
        size = None if pairs is None else len(pairs)
        history.append({"round": step, "pairs": size, "criterion": score})
        if score > history[best]["criterion"]:
            best, best_W = step, W
        if step < system.rounds:
            pairs = csls.dictionary(mapped, target, forward, mutual=system.mutual, neighbours=k)
            W = orthogonal_map(X[pairs[:, 0]], Y[pairs[:, 1]])
    return Refinement(best_W.astype(np.float32), history, best)


def score(source: np.ndarray, target: np.ndarray, W: np.ndarray, system: Refined) -> float:
    """Compute the unsupervised criterion of a map, on the words that refinement uses."""
    source, target = source[: system.dictionary_words], target[: system.dictionary_words]
    mapped = apply_map(source, W)
    forward = csls.translate(mapped, target, neighbours=system.neighbours)
    return csls.criterion(mapped, target, forward, system.criterion_words)
