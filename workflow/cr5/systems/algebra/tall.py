"""Tall dense matrices, processed in pieces of some rows.

The pieces are those of the device. They are added up in order and in float64, so the number of
threads changes no byte of a result.
"""

from collections.abc import Callable

import numpy as np

from cr5.systems.algebra.device import Device


def inner(device: Device, V: np.ndarray, T: np.ndarray) -> np.ndarray:
    """V'T, as a NumPy array in float64, for V (size x k) and T (size x b)."""
    return add(device, len(V), lambda rows: V[rows].T @ T[rows])


def add(device: Device, size: int, work: Callable[[slice], np.ndarray]) -> np.ndarray:
    """The sum of the results of `work` over the pieces, as a NumPy array in float64."""
    return sum(
        device.get(part).astype(np.float64) for part in device.results(work, device.pieces(size))
    )


def dots(device: Device, U: np.ndarray, V: np.ndarray) -> np.ndarray:
    """Inner products u'v of each pair of columns."""
    return add(device, len(U), lambda rows: np.einsum("ij,ij->j", U[rows], V[rows]))


def divide(device: Device, U: np.ndarray, divisor: np.ndarray) -> np.ndarray:
    """Divide U, in place, by one number for each row, size x 1; return u'u / number.

    The sums are as by `dots`.
    """

    def work(rows: slice) -> np.ndarray:
        quotients = U[rows] / divisor[rows]
        products = np.einsum("ij,ij->j", U[rows], quotients)
        U[rows] = quotients
        return products

    return add(device, len(U), work)


def combine(
    device: Device, V: np.ndarray, S: np.ndarray, out: np.ndarray | None = None
) -> np.ndarray:
    """V S, in the type of V, for a NumPy array S; `out` must not overlap V."""
    S = device.put(S.astype(V.dtype))
    if out is None:
        out = device.empty((V.shape[0], S.shape[1]), V.dtype)

    def work(rows: slice) -> None:
        out[rows] = V[rows] @ S

    device.map(work, device.pieces(len(V)))
    return out


def compress(device: Device, V: np.ndarray, S: np.ndarray) -> None:
    """Overwrite the first columns of V (size x k) by V S, with S k x (at most k)."""
    S = device.put(S.astype(V.dtype))

    def work(rows: slice) -> None:
        V[rows, : S.shape[1]] = V[rows] @ S

    device.map(work, device.pieces(len(V)))
