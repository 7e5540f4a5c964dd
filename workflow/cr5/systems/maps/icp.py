"""Closest points: rotate onto nearest neighbours, from many guesses of signs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from operator import attrgetter
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
        X = source.full_vectors[: self.icp_words]
        Y = target.full_vectors[: self.icp_words]
        n_axes = min(self.axes, X.shape[1])
        A = principal_coordinates(X, n_axes)
        B = principal_coordinates(Y, n_axes)
        for generator in random_generators(seed, source, target, self.starts):
            signs = [generator.choice(SIGNS, A.shape[1]) for _ in range(self.trials)]
            matches = (descend(A, B, np.diag(of_axes), POINTS_STEPS) for of_axes in signs)
            best_match = min(matches, key=attrgetter("error"))  # the first of equal ones
            yield map_of_pairs(X, Y, best_match.pairs)


@dataclass(frozen=True)
class Match:
    """Rows of either side, each with the nearest row of the other."""

    pairs: np.ndarray  # (n + m) x 2
    error: float  # mean squared distance


def principal_coordinates(X: np.ndarray, n_axes: int) -> np.ndarray:
    """Return the coordinates of the rows of X on their first principal axes: n x n_axes."""
    centred = X - X.mean(axis=0, dtype=np.float64)
    _, axes = np.linalg.eigh(centred.T @ centred)  # by ascending variance
    first_axes = axes[:, ::-1][:, :n_axes]
    return (centred @ first_axes).astype(np.float32)


def descend(A: np.ndarray, B: np.ndarray, R: np.ndarray, steps: int) -> Match:
    """Rotate A, from R on, onto its nearest neighbours in B and those of B in A.

    Until they stay the same; returns the last match. The map back is the inverse of the rotation,
    so the cycle terms of the paper's loss vanish.
    """
    match = closest(A @ R, B)
    for _ in range(steps):
        pairs_before = match.pairs
        R = map_of_pairs(A, B, pairs_before)
        match = closest(A @ R, B)
        if (match.pairs == pairs_before).all():
            break
    return match


def closest(A: np.ndarray, B: np.ndarray) -> Match:
    """Pair each row with the nearest one of the other side."""
    pairs = both_ways(_nearest(A, B), _nearest(B, A))
    # Not from the products, which lose digits if the distance is small.
    differences = A[pairs[:, 0]] - B[pairs[:, 1]]
    squares = np.einsum("ij,ij->i", differences, differences, dtype=np.float64)
    forward_error = squares[: len(A)].mean()
    backward_error = squares[len(A) :].mean()
    return Match(pairs, float(forward_error + backward_error) / 2)


def _nearest(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    """Return the number of the row b of B that is nearest to each row a of A.

    |a - b|^2 = |a|^2 - 2 (ab' - |b|^2 / 2): it is the one with the largest ab' - |b|^2 / 2.
    """
    half_squares = np.einsum("ij,ij->i", B, B) / 2
    numbers = []
    for first in range(0, len(A), ROWS):
        part = A[first : first + ROWS]
        numbers.append((part @ B.T - half_squares).argmax(axis=1))
    return np.concatenate(numbers)
