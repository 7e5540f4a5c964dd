"""Products of tall dense matrices, rows in chunks on threads.

The chunks do not depend on the number of threads and their sums are taken in order, so neither
do the bytes of a result. A chunk stays in cache, and sums over chunks are kept in float64.
"""

from collections.abc import Iterator
from concurrent.futures import Executor

import numpy as np

ROWS = 4096


def inner(pool: Executor, V: np.ndarray, T: np.ndarray) -> np.ndarray:
    """V'T in float64 for V (size x k) and T (size x b)."""
    total = np.zeros((V.shape[1], T.shape[1]))
    for part in pool.map(lambda rows: V[rows].T @ T[rows], _chunks(V)):
        total += part
    return total


def combine(pool: Executor, V: np.ndarray, S: np.ndarray) -> np.ndarray:
    """V S, in the type of V."""
    S = S.astype(V.dtype)
    out = np.empty((V.shape[0], S.shape[1]), V.dtype)

    def work(rows: slice) -> None:
        np.matmul(V[rows], S, out=out[rows])

    list(pool.map(work, _chunks(V)))
    return out


def compress(pool: Executor, V: np.ndarray, S: np.ndarray) -> None:
    """Overwrite the first columns of V (size x k) by V S, with S k x (at most k)."""
    S = S.astype(V.dtype)

    def work(rows: slice) -> None:
        V[rows, : S.shape[1]] = V[rows] @ S

    list(pool.map(work, _chunks(V)))


def _chunks(V: np.ndarray) -> Iterator[slice]:
    return (slice(start, start + ROWS) for start in range(0, V.shape[0], ROWS))
