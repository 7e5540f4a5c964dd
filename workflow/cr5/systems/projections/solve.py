"""Solve S v = lambda N v for the largest lambda, v'Nv = 1.

- Small pencils, and those of which half is wanted: both matrices are formed. Where there are fewer
  rows than columns, in the space of the rows, as the rest is zero: with ZZ' = U s U' the basis
  Z'U s^-1/2 is orthonormal, and in it the rows are U s^1/2: the same pencil with fewer columns.
- All others: N is formed and factored in place, N = LL', and Lanczos is applied to L^-1 S L'^-1.
  N is too ill-conditioned to be solved by iteration: rows have a squared norm of tens of
  thousands, and gamma is 0.1.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import linalg

from cr5.base.errors import LeftOutError, UserError
from cr5.systems.algebra.cholesky import Cholesky
from cr5.systems.algebra.krylov import largest
from cr5.systems.algebra.threads import Threads
from cr5.systems.projections.pencils import Pencil

SMALL = 4000  # unknowns up to which a dense decomposition takes a minute or so
TOLERANCE = 1e-3  # of an iteration's residuals, relative to each eigenvalue
RANK = 1e-10  # share of the largest eigenvalue below which one counts as zero

Pairs = tuple[np.ndarray, np.ndarray]  # values, descending, and vectors


@dataclass(frozen=True)
class Solution:
    """Eigenpairs of a pencil by descending value, all above zero, and what the report says of them.

    With values (k,) the vectors are p x k, V'NV = I, the entry of largest magnitude of each
    positive.
    """

    values: np.ndarray
    vectors: np.ndarray
    facts: dict[str, Any]
    warnings: list[str]


def solve(pencil: Pencil, k: int, threads: int = 1) -> Solution:
    """Solve for the k largest eigenvalues, or as many as are above zero, at least one."""
    k, facts, warnings = max(min(k, pencil.bound), 0), {"solver": "dense"}, []
    try:
        if min(pencil.Z.shape) <= SMALL or 2 * k > pencil.Z.shape[1]:
            values, vectors = _dense(pencil, k)
        else:
            values, vectors, residuals = _iterative(pencil, k, Threads(threads))
            facts = {"solver": "iterative", "largest_residual": float(residuals.max(initial=0))}
            if pending := int((residuals > TOLERANCE).sum()):
                warnings = [f"{pending} of {k} eigenvectors have NOT CONVERGED"]
    except np.linalg.LinAlgError as error:
        raise UserError(
            f"gamma {pencil.N.gamma:g} is too small for rows of this length: the noise matrix is "
            f"singular up to rounding ({error}); raise it"
        ) from error
    kept = int((values > RANK * max(values.max(initial=0), 0)).sum())
    if not kept:
        raise LeftOutError(
            f"the {pencil.Z.shape[0]} training documents have nothing in common to project on: "
            "bring more of them, or lower skip_words"
        )
    vectors = vectors[:, :kept]
    vectors = vectors * np.where(-vectors.min(axis=0) > vectors.max(axis=0), -1, 1)
    return Solution(values[:kept], vectors, facts, warnings)


def _dense(pencil: Pencil, k: int) -> Pairs:
    Z = pencil.Z
    if Z.shape[0] >= Z.shape[1]:
        return _decomposed(pencil, Z.toarray(), k)
    s, U = np.linalg.eigh((Z @ Z.T).toarray())
    kept = s > max(Z.shape) * np.finfo(float).eps * s.max(initial=0)
    root, U = np.sqrt(s[kept]), U[:, kept]
    values, y = _decomposed(pencil, U * root, k)
    return values, Z.T @ (U / root @ y)


def _decomposed(pencil: Pencil, rows: np.ndarray, k: int) -> Pairs:
    """Of the pencil of dense rows (R x q)."""
    q = rows.shape[1]
    if not q or not k:
        return np.zeros(0), np.zeros((q, 0))
    N = None if pencil.N is None else pencil.N.dense(rows)
    wanted = [max(q - k, 0), q - 1]
    values, vectors = linalg.eigh(pencil.S.dense(rows), N, subset_by_index=wanted)
    return values[::-1], vectors[:, ::-1]


def _iterative(pencil: Pencil, k: int, threads: Threads) -> tuple[np.ndarray, ...]:
    """Values, vectors and residuals: of L^-1 S L'^-1 for N = LL', block by block; of S if N = I."""
    S, factors = pencil.S.operator(pencil.Z, threads), []
    for block in pencil.blocks if pencil.N else ():
        rows = pencil.Z[:, block].tocsr()
        factors.append((block, Cholesky(rows.shape[1], pencil.N.panels(rows), threads)))

    def returned(V: np.ndarray) -> np.ndarray:
        """Overwrite vectors V of the operator by L'^-1 V, those of the pencil."""
        for block, factor in factors:
            factor.solve_transposed(V[block])
        return V

    def whitened(V: np.ndarray) -> np.ndarray:
        V = S(returned(V.copy()))
        for block, factor in factors:
            factor.solve(V[block])
        return V

    values, vectors, residuals = largest(whitened, pencil.Z.shape[1], k, TOLERANCE, threads)
    return values, returned(vectors), residuals
