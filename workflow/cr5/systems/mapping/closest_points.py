"""Iterative closest points: a map from nearest neighbours, by trials (Hoshen and Wolf 2018)."""

import numpy as np

from cr5.systems.mapping.csls import both_ways
from cr5.systems.mapping.maps import orthogonal_map
from cr5.systems.mapping.starts import Start

ROWS = 512  # of similarities at a time


def closest_points(
    source: np.ndarray,
    target: np.ndarray,
    generator: np.random.Generator,
    *,
    words: int,
    axes: int,
    trials: int,
    steps: int,
) -> Start:
    """Find a map between spaces by trials of iterative closest points.

    Args:
        source: n x d float32 of their own lengths, most frequent word first.
        target: m x d float32, likewise.
        generator: draws the signs.
        words: number of frequent words of both languages.
        axes: of each space, at most as many as it has.
        trials: of signs.
        steps: of each trial at most.

    Returns:
        The map that the best trial's last neighbours induce. Its report has the `errors` of all
        trials, mean squared distances of a word to its neighbour in both directions; their `steps`;
        and the number of the best one, `best_trial`.
    """
    X, Y = source[:words], target[:words]
    errors, taken, best = [], [], None
    A, B = (principal(space, min(axes, X.shape[1])) for space in (X, Y))
    for _ in range(trials):
        signs = generator.choice(np.array([-1, 1], np.float32), A.shape[1])
        error, done, pairs = descend(A, B, np.diag(signs), steps)
        if best is None or error < min(errors):
            best = pairs
        errors.append(error)
        taken.append(done)
    W = orthogonal_map(X[best[:, 0]], Y[best[:, 1]])
    return Start(W, {"errors": errors, "steps": taken, "best_trial": int(np.argmin(errors))})


def principal(X: np.ndarray, axes: int) -> np.ndarray:
    """Coordinates of rows of X (n x d) on their first principal axes: n x axes float32."""
    centred = X - X.mean(axis=0, dtype=np.float64)
    _, vectors = np.linalg.eigh(centred.T @ centred)
    return (centred @ vectors[:, ::-1][:, :axes]).astype(np.float32)


def descend(
    A: np.ndarray, B: np.ndarray, R: np.ndarray, steps: int
) -> tuple[float, int, np.ndarray]:
    """Rotate A onto its nearest neighbours in B and those of B in A, until they stay the same.

    The map back is the inverse of the rotation, so the cycle terms of the paper's loss vanish.

    Args:
        A: n x k float32.
        B: m x k float32.
        R: k x k float32, orthogonal, the start.
        steps: maximum number of steps.

    Returns:
        The error, the steps taken, and the last pairs: (n + m) x 2 row numbers.
    """
    pairs, error = closest(A @ R, B)
    for step in range(1, steps + 1):
        before = pairs
        R = orthogonal_map(A[pairs[:, 0]], B[pairs[:, 1]])
        pairs, error = closest(A @ R, B)
        if (pairs == before).all():
            return error, step, pairs
    return error, steps, pairs


def closest(A: np.ndarray, B: np.ndarray) -> tuple[np.ndarray, float]:
    """Pair each row of A with the nearest one of B, and vice versa.

    Returns:
        (n + m) x 2 row numbers; and the mean squared distance over both directions.
    """
    pairs = both_ways(nearest(A, B), nearest(B, A))
    # Not from the products, which lose digits if the distance is small.
    difference = A[pairs[:, 0]] - B[pairs[:, 1]]
    squares = np.einsum("ij,ij->i", difference, difference, dtype=np.float64)
    return pairs, float(squares[: len(A)].mean() + squares[len(A) :].mean()) / 2


def nearest(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    """For each row of A, the number of the nearest row of B by Euclidean distance: (n,)."""
    half = np.einsum("ij,ij->i", B, B) / 2
    parts = [A[first : first + ROWS] for first in range(0, len(A), ROWS)]
    return np.concatenate([(part @ B.T - half).argmax(axis=1) for part in parts])
