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
    differences of the rows' sums from 1 / n, added up, are tolerable, or after so many steps
    (Sinkhorn 1967; Cuturi 2013). To avoid underflow for small epsilon, large scalings are absorbed
    into K as potentials (Schmitzer 2019, section 3.1).
    """
    cost = np.asarray(cost)
    (n, m), epsilon, done = cost.shape, cost.dtype.type(epsilon), 0
    # As in the Hungarian method: each row and each column of K then has an entry of 1.
    f = cost.min(axis=1)
    g = (cost - f[:, None]).min(axis=0)
    K, u, v = _kernel(cost, f, g, epsilon)
    while done < steps and np.abs(u * (K @ v) - 1 / n).sum(dtype=np.float64) > tolerance:
        for _ in range(min(CHECKED, steps - done)):
            u = 1 / (n * (K @ v))
            v = 1 / (m * (u @ K))
            if max(np.abs(np.log(u)).max(), np.abs(np.log(v)).max()) > np.log(LARGEST):
                f, g = f + epsilon * np.log(u), g + epsilon * np.log(v)
                K, u, v = _kernel(cost, f, g, epsilon)
            done += 1
    return u[:, None] * K * v


def _kernel(
    cost: np.ndarray, f: np.ndarray, g: np.ndarray, epsilon: np.floating
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """K = exp((f + g - C) / epsilon) with potentials f and g; and scalings of ones."""
    kernel = f[:, None] - cost
    kernel += g
    kernel /= epsilon
    return np.exp(kernel, out=kernel), np.ones_like(f), np.ones_like(g)
