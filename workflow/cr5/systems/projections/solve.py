"""Solve S v = lambda N v for the largest lambda, v'Nv = 1.

- `rows`: works in the space of the rows, as the rest is zero. With ZZ' = U s U' the basis
  Z'U s^-1/2 is orthonormal, and in it the rows are U s^1/2: the same pencil with fewer columns.
- `columns`: both matrices are formed.
- `iterative`: N is formed and factored in place, N = LL', and Lanczos is applied to L^-1 S L'^-1.
  N is too ill-conditioned to be solved by iteration: rows have a squared norm of tens of
  thousands, and gamma is 0.1.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy import linalg

from cr5.base import memory
from cr5.base.errors import UserError
from cr5.systems.algebra import lanczos
from cr5.systems.algebra.cholesky import panel_bytes
from cr5.systems.algebra.lanczos import Eigenpairs, LanczosSettings
from cr5.systems.algebra.orthonormal import fix_signs
from cr5.systems.algebra.threads import Threads
from cr5.systems.projections.pencils import Pencil
from cr5.systems.projections.whitened import Whitened

logger = logging.getLogger(__name__)

SMALL = 4000  # unknowns up to which a dense decomposition takes a minute or so
BLOCK = 64
REMEDY = (
    "use a larger machine, lower max_words or the largest of the dimensions, or take fewer "
    "documents"
)
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


@dataclass(frozen=True)
class SolveSettings:
    """How a pencil is solved.

    Attributes:
        solver: `auto`, `rows`, `columns` or `iterative`.
        tolerance: of the iteration, see `LanczosSettings`.
        max_restarts: of the iteration.
        threads: their number changes no byte.
        models: bytes of the models made from a solution, for the estimate of memory.
    """

    solver: str = "auto"
    tolerance: float = 1e-6
    max_restarts: int = 30
    threads: int = 1
    models: int = 0


def solve(pencil: Pencil, k: int, settings: SolveSettings) -> Solution:
    """Solve for the k largest eigenvalues, or as many as are above zero.

    Raises:
        UserError: there is not enough memory, or gamma is so small that rounding errors make N
            indefinite.
    """
    k = max(min(k, pencil.bound), 0)
    solver = settings.solver if settings.solver != "auto" else choose_solver(pencil)
    needed = check_memory(pencil, k, solver, settings.models)
    logger.info("solver %s: about %.1f GiB beside the rows", solver, needed / 2**30)
    try:
        found = WAYS[solver](pencil, k, settings)
    except np.linalg.LinAlgError as error:
        raise UserError(
            f"gamma {pencil.N.gamma:g} is too small for rows of this length: the noise matrix is "
            f"singular up to rounding ({error}); raise it"
        ) from error
    kept = int((found.values > RANK * max(found.values.max(initial=0), 0)).sum())
    facts = {"solver": solver, **found.facts}
    return Solution(found.values[:kept], fix_signs(found.vectors[:, :kept]), facts)


def choose_solver(pencil: Pencil) -> str:
    """The solver that "auto" stands for: a dense one if the pencil is small, else iteration."""
    n_rows, p = pencil.Z.shape
    if min(n_rows, p) > SMALL:
        return "iterative"
    return "rows" if n_rows < p else "columns"


def unknowns(pencil: Pencil) -> int:
    """Number of unknowns of the iteration: of two blocks, the size of the smaller one."""
    widths = np.diff([*pencil.blocks, pencil.Z.shape[1]])
    return int(widths.min() if len(widths) == 2 else widths.sum())


def needed_bytes(pencil: Pencil, k: int, solver: str) -> int:
    """Estimated bytes of a solver besides the rows, including the vectors that it returns."""
    n_rows, p = pencil.Z.shape
    if solver != "iterative":
        return 8 * (6 * min(n_rows, p) ** 2 if solver == "rows" else 6 * p * p) + 8 * p * k
    ends = [*pencil.blocks[1:], p]
    factors = (
        0
        if pencil.N is None
        else sum(panel_bytes(end - start) for start, end in zip(pencil.blocks, ends, strict=True))
    )
    size = unknowns(pencil)
    basis = lanczos.basis_size(size, k, BLOCK)
    sparse = 5 * 24 * pencil.Z.nnz  # the rows of each form, and their transpose
    return factors + 8 * (size * basis + p * (2 * k + 8 * BLOCK) + 4 * basis**2) + sparse


def check_memory(pencil: Pencil, k: int, solver: str, models: int = 0) -> int:
    """Check that the solution fits into memory; return the bytes needed.

    Args:
        pencil: to be solved.
        k: number of eigenpairs.
        solver: to be used.
        models: bytes of the models made from the solution.

    Raises:
        UserError: there is not enough memory.
    """
    needed = max(needed_bytes(pencil, k, solver), 12 * pencil.Z.shape[1] * k + models)
    what = f"{pencil.Z.shape[1]} columns, {k} dimensions, solver {solver}"
    memory.check(needed, memory.available_bytes(), what, REMEDY)
    return needed


def _by_rows(pencil: Pencil, k: int, settings: SolveSettings) -> Solution:
    Z = pencil.Z
    s, U = np.linalg.eigh((Z @ Z.T).toarray())
    kept = s > max(Z.shape) * np.finfo(float).eps * s.max(initial=0)
    root, U = np.sqrt(s[kept]), U[:, kept]
    values, y = _dense(pencil, U * root, k)
    return Solution(values, Z.T @ (U / root @ y))


def _by_columns(pencil: Pencil, k: int, settings: SolveSettings) -> Solution:
    return Solution(*_dense(pencil, pencil.Z.toarray(), k))


def _dense(pencil: Pencil, rows: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Values and vectors, descending, of the pencil of dense rows (R x q)."""
    q = rows.shape[1]
    wanted = [max(q - k, 0), q - 1]
    if not q or not k:
        return np.zeros(0), np.zeros((q, 0))
    N = None if pencil.N is None else pencil.N.dense(rows)
    values, vectors = linalg.eigh(pencil.S.dense(rows), N, subset_by_index=wanted)
    return values[::-1], vectors[:, ::-1]


def _by_iteration(pencil: Pencil, k: int, settings: SolveSettings) -> Solution:
    with Threads(settings.threads) as threads:
        whitened = Whitened(pencil, threads)
        halves = len(whitened.blocks) == 2
        run = _leading_of_halves if halves else _leading
        size = lanczos.basis_size(unknowns(pencil), k, BLOCK)
        how = LanczosSettings(settings.tolerance, BLOCK, size, settings.max_restarts)
        found, values, vectors = run(whitened, k, how, threads)
        whitened.return_from(vectors)
    relative = found.residuals / np.maximum(np.abs(found.values), np.finfo(float).tiny)
    facts = {
        "converged": found.converged,
        "products": found.products,
        "restarts": found.restarts,
        "largest_residual": float(relative.max(initial=0)),
        "unconverged": int((relative > settings.tolerance).sum()),
    }
    return Solution(values, vectors, facts)


Found = tuple[Eigenpairs, np.ndarray, np.ndarray]


def _leading(whitened: Whitened, k: int, how: LanczosSettings, threads: Threads) -> Found:
    """The pairs found, and the values and vectors of the whitened operator."""
    found = lanczos.largest(whitened, whitened.size, k, how, threads)
    return found, found.values, found.vectors.copy()


def _leading_of_halves(whitened: Whitened, k: int, how: LanczosSettings, threads: Threads) -> Found:
    """The same for [0 B; B' 0], by way of BB': half the unknowns, and no negative values."""
    one, other = sorted(whitened.blocks, key=lambda block: block.stop - block.start)

    def operator(V: np.ndarray) -> np.ndarray:
        return whitened.across(whitened.across(V, one, other), other, one)

    found = lanczos.largest(operator, one.stop - one.start, k, how, threads)
    positive = found.values > SQUARES * found.values.max(initial=0)
    values = np.sqrt(np.where(positive, found.values, 0))
    vectors = np.zeros((whitened.size, len(values)))
    vectors[one] = found.vectors
    scale = np.divide(1, values, out=np.zeros_like(values), where=positive)
    vectors[other] = whitened.across(found.vectors, one, other) * scale
    return found, values, vectors / np.sqrt(2)


WAYS: dict[str, Callable[[Pencil, int, SolveSettings], Solution]] = {
    "rows": _by_rows,
    "columns": _by_columns,
    "iterative": _by_iteration,
}
