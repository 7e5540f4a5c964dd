"""Closest points: rotate onto nearest neighbours, from many guesses of signs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import numpy as np
from pydantic import Field, PositiveInt

from cr5.systems.maps.family import Started
from cr5.systems.maps.rotations import map_of_pairs
from cr5.systems.maps.spaces import Space, random_generators
from cr5.systems.maps.translation import both_ways

SIGNS = np.array([-1, 1], np.float32)
POINTS_STEPS = 50  # of neighbours and rotation at most
ROWS = 512  # of similarities at a time


class Icp(Started):
    """Word mapping without a dictionary: iterative closest points (Hoshen and Wolf 2018).

    The principal axes of two similar spaces are alike, up to their signs and the order of those
    with nearly equal variance. Each trial starts with its own signs and alternates between nearest
    neighbours and the rotation that they induce. Few of many trials succeed; their distances
    between words and neighbours are much smaller than those of all others, so the error identifies
    them. The best trial is refined. Each start draws its own signs for all of its trials; the
    unsupervised criterion chooses.
    """

    title = "Closest points"
    reference = "Hoshen and Wolf, EMNLP 2018"
    cost = (1, 24)
    keeps_lengths = True

    # Tried on 50-dimensional spaces of 5 to 8 thousand words. Hoshen and Wolf 2018 (sections 3 and
    # 4) take 5,000 words, 50 of 300 axes and 500 trials.
    icp_words: Annotated[int, Field(ge=2)] = 1_500
    """Most frequent words of both languages."""
    axes: PositiveInt = 25
    """Principal axes kept, at most as many as the vectors have dimensions."""
    trials: PositiveInt = 100
    """Of signs; the one of the least error is kept."""

    def begin(self, source: Space, target: Space, seed: int) -> Iterator[np.ndarray]:
        """Find the map that the last neighbours of the best trial induce, for each start."""
        X, Y = source.full_vectors[: self.icp_words], target.full_vectors[: self.icp_words]
        A, B = (principal(space, min(self.axes, X.shape[1])) for space in (X, Y))
        for generator in random_generators(seed, source, target, self.starts):
            signs = (generator.choice(SIGNS, A.shape[1]) for _ in range(self.trials))
            trials = (descend(A, B, np.diag(each), POINTS_STEPS) for each in signs)
            _, pairs = min(trials, key=lambda trial: trial[0])
            yield map_of_pairs(X, Y, pairs)


def principal(X: np.ndarray, axes: int) -> np.ndarray:
    """Coordinates of the rows of X on their first principal axes: n x axes."""
    about_mean = X - X.mean(axis=0, dtype=np.float64)
    _, vectors = np.linalg.eigh(about_mean.T @ about_mean)
    return (about_mean @ vectors[:, ::-1][:, :axes]).astype(np.float32)


def descend(A: np.ndarray, B: np.ndarray, R: np.ndarray, steps: int) -> tuple[float, np.ndarray]:
    """Rotate A, from R on, onto its nearest neighbours in B and those of B in A.

    Until they stay the same; returns the error and the last pairs. The map back is the inverse of
    the rotation, so the cycle terms of the paper's loss vanish.
    """
    pairs, error = closest(A @ R, B)
    for _ in range(steps):
        before = pairs
        R = map_of_pairs(A, B, pairs)
        pairs, error = closest(A @ R, B)
        if (pairs == before).all():
            break
    return error, pairs


def closest(A: np.ndarray, B: np.ndarray) -> tuple[np.ndarray, float]:
    """Pair each row with the nearest one of the other side; with the mean squared distance."""
    pairs = both_ways(_nearest(A, B), _nearest(B, A))
    # Not from the products, which lose digits if the distance is small.
    difference = A[pairs[:, 0]] - B[pairs[:, 1]]
    squares = np.einsum("ij,ij->i", difference, difference, dtype=np.float64)
    return pairs, float(squares[: len(A)].mean() + squares[len(A) :].mean()) / 2


def _nearest(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    half = np.einsum("ij,ij->i", B, B) / 2
    parts = [A[first : first + ROWS] for first in range(0, len(A), ROWS)]
    return np.concatenate([(part @ B.T - half).argmax(axis=1) for part in parts])
