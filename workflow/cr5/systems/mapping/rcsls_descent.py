"""Subgradient descent of the loss of RCSLS, from the Procrustes map (Joulin et al. 2018)."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from cr5.systems.mapping.maps import orthogonal_map
from cr5.systems.mapping.rcsls_loss import Lexicon, loss


@dataclass(frozen=True)
class Step:
    """An epoch.

    Attributes:
        W: d x d float64, within the constraint.
        loss: of W.
        rate: of the step that was tried.
        accepted: False if the step did not lower the loss, so W is unchanged.
    """

    W: np.ndarray
    loss: float
    rate: float
    accepted: bool


def steps(given: Lexicon, rate: float, constraint: str) -> Iterator[Step]:
    """Descend from the Procrustes map, without end; the loss never rises.

    A step that does not lower the loss is undone, and the next is half as long.
    """
    project = CONSTRAINTS[constraint]
    x, y = given.pairs.T
    W = orthogonal_map(given.X[x], given.Y[y]).astype(np.float64)
    value, gradient = loss(W, given)
    while True:
        tried = project(W - rate * gradient)
        tried_value, tried_gradient = loss(tried, given)
        accepted = tried_value < value
        if accepted:
            W, value, gradient = tried, tried_value, tried_gradient
        yield Step(W, value, rate, accepted)
        rate = rate if accepted else rate / 2


def spectral(W: np.ndarray) -> np.ndarray:
    """Project on the maps that lengthen no vector: the convex hull of the orthogonal ones."""
    U, s, Vt = np.linalg.svd(W)
    return (U * np.minimum(s, 1)) @ Vt


def frobenius(W: np.ndarray) -> np.ndarray:
    """Project on the ball of radius sqrt(d), on which the orthogonal maps lie."""
    return W * min(1.0, np.sqrt(len(W)) / np.linalg.norm(W))


CONSTRAINTS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "spectral": spectral,
    "frobenius": frobenius,
    "none": lambda W: W,
}
