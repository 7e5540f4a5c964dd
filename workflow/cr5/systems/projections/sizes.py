"""Which solver a pencil gets, and how much memory that takes, estimated before it starts."""

import numpy as np

from cr5.base import memory
from cr5.systems.algebra.cholesky import panel_bytes
from cr5.systems.algebra.lanczos import basis_size
from cr5.systems.projections.pencils import Pencil

SMALL = 4000  # unknowns up to which a dense decomposition takes a minute or so
BLOCK = 64
REMEDY = (
    "use a larger machine, lower max_words or the largest of the dimensions, or take fewer "
    "documents"
)


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
    basis = basis_size(size, k, BLOCK)
    sparse = 5 * 24 * pencil.Z.nnz  # the rows of each form, and their transpose
    return factors + 8 * (size * basis + p * (2 * k + 8 * BLOCK) + 4 * basis**2) + sparse


def check(pencil: Pencil, k: int, solver: str, models: int = 0) -> int:
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
