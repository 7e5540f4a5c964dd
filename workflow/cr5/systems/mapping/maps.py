"""Maps of both languages into a shared space."""

from dataclasses import dataclass

import numpy as np
from threadpoolctl import threadpool_limits

from cr5.base.rows import unit_rows


@dataclass(frozen=True)
class Affine:
    """x becomes (x - mean) W, scaled to unit length.

    Attributes:
        mean: (d,) float32, of the vocabulary; zeros if it is not centred.
        W: d x r float32.
    """

    mean: np.ndarray
    W: np.ndarray

    @threadpool_limits.wrap(limits=1)
    def __call__(self, rows: np.ndarray) -> np.ndarray:
        """Map n x d float32 to n x r float32, unit rows."""
        return unit_rows(((rows - self.mean) @ self.W).astype(np.float32))


@dataclass(frozen=True)
class TwoMaps:
    """A map for each language; words near each other in the shared space are translations."""

    source: Affine
    target: Affine

    def __call__(self, source: np.ndarray, target: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Map the words of both."""
        return self.source(source), self.target(target)


def linear(W: np.ndarray) -> Affine:
    """Map without a mean: d x r."""
    return Affine(np.zeros(len(W), np.float32), W.astype(np.float32))
