"""Optimal transport of equal masses (Cuturi 2013)."""

import numpy as np

CHECKED = 10  # steps of transport between two checks of the sums
LARGEST = 1e4  # scaling that is absorbed into the kernel; both together still fit float32


def sinkhorn(
    cost: np.ndarray, epsilon: float, *, tolerance: float = 1e-3, steps: int = 1_000
) -> np.ndarray:
    """Transport equal masses 1 / n on n rows to equal masses 1 / m on m columns: P, n x m.

    Minimise <P, C> - epsilon H(P) over P >= 0 with given row and column sums. The solution is P =
    diag(u) K diag(v), K = exp(-C / epsilon), and rows and columns are scaled in turn until the
    differences of the row sums from 1 / n, added up, are tolerable, or for that many steps
    (Sinkhorn 1967; Cuturi 2013). To avoid underflow for small epsilon, large scalings are absorbed
    into K as potentials (Schmitzer 2019, section 3.1).
    """
    cost = np.asarray(cost)
    n, m = cost.shape
    epsilon = cost.dtype.type(epsilon)
    # As in the Hungarian method: each row and each column of K then has an entry of 1.
    row_potentials = cost.min(axis=1)
    column_potentials = (cost - row_potentials[:, None]).min(axis=0)
    K = _kernel(cost, row_potentials, column_potentials, epsilon)
    u = np.ones_like(row_potentials)
    v = np.ones_like(column_potentials)
    steps_taken = 0
    while steps_taken < steps and _row_error(K, u, v) > tolerance:
        for _ in range(min(CHECKED, steps - steps_taken)):
            u = 1 / (n * (K @ v))
            v = 1 / (m * (u @ K))
            if max(_largest_logarithm(u), _largest_logarithm(v)) > np.log(LARGEST):
                row_potentials = row_potentials + epsilon * np.log(u)
                column_potentials = column_potentials + epsilon * np.log(v)
                K = _kernel(cost, row_potentials, column_potentials, epsilon)
                u = np.ones_like(row_potentials)
                v = np.ones_like(column_potentials)
            steps_taken += 1
    return u[:, None] * K * v


def _kernel(cost: np.ndarray, f: np.ndarray, g: np.ndarray, epsilon: np.floating) -> np.ndarray:
    """Return K = exp((f + g - C) / epsilon) with potentials f and g."""
    kernel = f[:, None] - cost
    kernel += g
    kernel /= epsilon
    return np.exp(kernel, out=kernel)


def _row_error(K: np.ndarray, u: np.ndarray, v: np.ndarray) -> float:
    """Return the differences of the row sums of diag(u) K diag(v) from 1 / n, added up."""
    row_sums = u * (K @ v)
    return np.abs(row_sums - 1 / len(u)).sum(dtype=np.float64)


def _largest_logarithm(scaling: np.ndarray) -> float:
    return np.abs(np.log(scaling)).max()
