"""Solve S v = lambda N v for the largest lambda, v'Nv = 1.

- `dense`: both matrices are formed. Where there are fewer rows than columns, in the space of the
  rows, as the rest is zero: with ZZ' = U s U' the basis Z'U s^-1/2 is orthonormal, and in it the
  rows are U s^1/2: the same pencil with fewer columns.
- `iterative`: N is formed and factored in place, N = LL', and Lanczos is applied to L^-1 S L'^-1.
  N is too ill-conditioned to be solved by iteration: rows have a squared norm of tens of
  thousands, and gamma is 0.1.
"""

import logging
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy import linalg

from cr5.base.errors import UserError
from cr5.systems.algebra.cholesky import Cholesky
from cr5.systems.algebra.krylov import Eigenpairs, largest
from cr5.systems.algebra.threads import Threads
from cr5.systems.projections.pencils import Pencil

logger = logging.getLogger(__name__)

SMALL = 4000  # unknowns up to which a dense decomposition takes a minute or so
TOLERANCE = 1e-6
RANK = 1e-10  # share of the largest eigenvalue below which one counts as zero
SQUARES = 1e-13  # the same for squares, which lose half the digits


@dataclass(frozen=True)
class Solution:
    """Eigenpairs of a pencil by descending value, all above zero.

    Attributes:
        values: (k,).
        vectors: p x k, V'NV = I; the entry of largest magnitude of each is positive.
        facts: for the report.
    """

    values: np.ndarray
    vectors: np.ndarray
    facts: dict[str, Any] = field(default_factory=dict)


def solve(
    pencil: Pencil,
    k: int,
    threads: int = 1,
    solver: str = "auto",
    tolerance: float = TOLERANCE,
) -> Solution:
    """Solve for the k largest eigenvalues, or as many as are above zero.

    Args:
        pencil: to solve.
        k: number of eigenpairs.
        threads: of the iteration; their number changes no byte.
        solver: "dense", "iterative", or "auto": dense if the pencil is small.
        tolerance: of the iteration: residuals relative to each eigenvalue.

    Raises:
        UserError: gamma is so small that rounding errors make N indefinite.
    """
    k = max(min(k, pencil.bound), 0)
    if solver == "auto":
        solver = "iterative" if min(pencil.Z.shape) > SMALL else "dense"
    try:
        if solver == "dense":
            found = _dense(pencil, k)
        else:
            found = _iterated(pencil, k, tolerance, Threads(threads))
    except np.linalg.LinAlgError as error:
        raise UserError(
            f"gamma {pencil.N.gamma:g} is too small for rows of this length: the noise matrix is "
            f"singular up to rounding ({error}); raise it"
        ) from error
    kept = int((found.values > RANK * max(found.values.max(initial=0), 0)).sum())
    vectors = found.vectors[:, :kept]
    vectors = vectors * np.where(-vectors.min(axis=0) > vectors.max(axis=0), -1, 1)
    return Solution(found.values[:kept], vectors, {"solver": solver, **found.facts})


def _dense(pencil: Pencil, k: int) -> Solution:
    Z = pencil.Z
    if Z.shape[0] >= Z.shape[1]:
        return Solution(*_decomposed(pencil, Z.toarray(), k))
    s, U = np.linalg.eigh((Z @ Z.T).toarray())
    kept = s > max(Z.shape) * np.finfo(float).eps * s.max(initial=0)
    root, U = np.sqrt(s[kept]), U[:, kept]
    values, y = _decomposed(pencil, U * root, k)
    return Solution(values, Z.T @ (U / root @ y))


def _decomposed(pencil: Pencil, rows: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Values and vectors, descending, of the pencil of dense rows (R x q)."""
    q = rows.shape[1]
    if not q or not k:
        return np.zeros(0), np.zeros((q, 0))
    N = None if pencil.N is None else pencil.N.dense(rows)
    wanted = [max(q - k, 0), q - 1]
    values, vectors = linalg.eigh(pencil.S.dense(rows), N, subset_by_index=wanted)
    return values[::-1], vectors[:, ::-1]


def _iterated(pencil: Pencil, k: int, tolerance: float, threads: Threads) -> Solution:
    whitened = Whitened(pencil, threads)
    if len(pencil.blocks) == 2:
        found, values, vectors = _leading_of_halves(whitened, k, tolerance)
    else:
        found = largest(whitened, pencil.Z.shape[1], k, tolerance, threads)
        values, vectors = found.values, found.vectors
    whitened.return_from(vectors)
    facts = {
        "converged": found.converged,
        "largest_residual": float(found.residuals.max(initial=0)),
        "unconverged": int((found.residuals > tolerance).sum()),
    }
    return Solution(values, vectors, facts)


class Whitened:
    """L^-1 S L'^-1 for N = LL', factored block by block; S if N = I.

    Args:
        pencil: whose N is formed and factored.
        threads: that share the work.

    Raises:
        numpy.linalg.LinAlgError: N is not positive definite, up to rounding.
    """

    def __init__(self, pencil: Pencil, threads: Threads):
        self.blocks, self.threads, self.factors = pencil.blocks, threads, []
        for block in pencil.blocks if pencil.N else ():
            rows = pencil.Z[:, block].tocsr()
            self.factors.append(Cholesky(rows.shape[1], pencil.N.panels(rows), threads))
        self.S = pencil.S.operator(pencil.Z, threads)

    def __call__(self, V: np.ndarray) -> np.ndarray:
        """The operator times V, p x b."""
        V = V.copy()
        self.return_from(V)
        V = self.S(V)
        for block, factor in zip(self.blocks, self.factors, strict=False):
            factor.solve(V[block])
        return V

    def return_from(self, V: np.ndarray) -> None:
        """Overwrite vectors V of the operator with L'^-1 V, those of the pencil."""
        for block, factor in zip(self.blocks, self.factors, strict=False):
            factor.solve_transposed(V[block])

    def across(self, V: np.ndarray, source: int, target: int) -> np.ndarray:
        """The block of the operator from those columns to these, by number, times V."""
        padded = np.zeros((self.blocks[-1].stop, V.shape[1]))
        padded[self.blocks[source]] = V
        self.factors[source].solve_transposed(padded[self.blocks[source]])
        found = np.ascontiguousarray(self.S(padded)[self.blocks[target]])
        self.factors[target].solve(found)
        return found


def _leading_of_halves(
    whitened: Whitened, k: int, tolerance: float
) -> tuple[Eigenpairs, np.ndarray, np.ndarray]:
    """Pairs of an operator [0 B; B' 0], by way of BB': half the unknowns, no negative values."""
    blocks, across = whitened.blocks, whitened.across
    one = int(np.argmin([block.stop - block.start for block in blocks]))

    def squared(V: np.ndarray) -> np.ndarray:
        return across(across(V, one, 1 - one), 1 - one, one)

    size = blocks[one].stop - blocks[one].start
    found = largest(squared, size, k, tolerance, whitened.threads)
    positive = found.values > SQUARES * found.values.max(initial=0)
    values = np.sqrt(np.where(positive, found.values, 0))
    vectors = np.zeros((blocks[-1].stop, len(values)))
    vectors[blocks[one]] = found.vectors
    scale = np.divide(1, values, out=np.zeros_like(values), where=positive)
    vectors[blocks[1 - one]] = across(found.vectors, one, 1 - one) * scale
    return found, values, vectors / np.sqrt(2)
