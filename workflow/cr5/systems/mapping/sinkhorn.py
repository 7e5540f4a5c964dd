"""Entropic optimal transport: how much mass of each row goes to each column.

Minimise <P, C> - epsilon H(P) over P >= 0 with given row and column sums. The solution is
P = diag(u) K diag(v), K = exp(-C / epsilon), and rows and columns are scaled in turn until the
sums are right (Sinkhorn 1967; Cuturi 2013). To avoid underflow for small epsilon, large scalings
are absorbed into K as potentials (Schmitzer 2019, section 3.1).
"""

from dataclasses import dataclass

import numpy as np

CHECKED = 10  # steps between two checks of the sums
LARGEST = 1e4  # scaling that is absorbed into the kernel; both together still fit float32


@dataclass(frozen=True)
class Transport:
    """A plan and how it came about.

    Attributes:
        plan: n x m, of the dtype of the cost; columns sum to 1 / m, rows up to `error` to 1 / n.
        converged: whether the error is within the tolerance.
        steps: of scaling rows and columns.
        error: sum of the absolute differences of the rows' sums from 1 / n.
    """

    plan: np.ndarray
    converged: bool
    steps: int
    error: float


def sinkhorn(
    cost: np.ndarray, epsilon: float, *, tolerance: float = 1e-3, steps: int = 1_000
) -> Transport:
    """Transport equal masses 1 / n on n rows to equal masses 1 / m on m columns.

    Args:
        cost: n x m floats, C.
        epsilon: weight of the entropy, in units of the cost, above 0; a smaller one is nearer to
            an assignment and takes more steps.
        tolerance: stop at an `error` up to this.
        steps: maximum number of steps; then the current plan is returned.
    """
    scaling = _Scaling(np.asarray(cost), epsilon)
    error, done = scaling.error(), 0
    while error > tolerance and done < steps:
        for _ in range(min(CHECKED, steps - done)):
            scaling.step()
            done += 1
        error = scaling.error()
    return Transport(scaling.plan(), bool(error <= tolerance), done, error)


class _Scaling:
    """u, v and the kernel K = exp((f + g - C) / epsilon) with potentials f and g."""

    def __init__(self, cost: np.ndarray, epsilon: float):
        self.cost, self.epsilon = cost, cost.dtype.type(epsilon)
        # As in the Hungarian method: each row and each column of K then has an entry of 1.
        self.f = cost.min(axis=1)
        self.g = (cost - self.f[:, None]).min(axis=0)
        self._absorb(np.ones(len(cost), cost.dtype), np.ones(cost.shape[1], cost.dtype))

    def _absorb(self, u: np.ndarray, v: np.ndarray) -> None:
        self.f = self.f + self.epsilon * np.log(u)
        self.g = self.g + self.epsilon * np.log(v)
        kernel = self.f[:, None] - self.cost
        kernel += self.g
        kernel /= self.epsilon
        self.K = np.exp(kernel, out=kernel)
        self.u, self.v = np.ones_like(u), np.ones_like(v)

    def step(self) -> None:
        n, m = self.K.shape
        u = 1 / (n * (self.K @ self.v))
        v = 1 / (m * (u @ self.K))
        if max(np.abs(np.log(u)).max(), np.abs(np.log(v)).max()) > np.log(LARGEST):
            self._absorb(u, v)
        else:
            self.u, self.v = u, v

    def error(self) -> float:
        sums = self.u * (self.K @ self.v)
        return float(np.abs(sums - 1 / len(sums)).sum(dtype=np.float64))

    def plan(self) -> np.ndarray:
        return self.u[:, None] * self.K * self.v
