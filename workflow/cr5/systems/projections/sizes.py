"""Which way a pencil is solved, and how much memory that takes, written down before it starts."""

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
    """The solver that "auto" stands for: what is dense and small, or else the iteration."""
    n_rows, p = pencil.Z.shape
    if min(n_rows, p) > SMALL:
        return "iterative"
    return "rows" if n_rows < p else "columns"


def unknowns(pencil: Pencil) -> int:
    """Size of what the iteration works on: of two blocks, the smaller one."""
    widths = np.diff([*pencil.blocks, pencil.Z.shape[1]])
    return int(widths.min() if len(widths) == 2 else widths.sum())


def needed_bytes(pencil: Pencil, k: int, solver: str) -> int:
    """Estimated bytes that a solver takes beside the rows, with the vectors that it returns."""
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
    sparse = 5 * 24 * pencil.Z.nnz  # of each form its rows and their transpose
    return factors + 8 * (size * basis + p * (2 * k + 8 * BLOCK) + 4 * basis**2) + sparse


def check(pencil: Pencil, k: int, solver: str, models: int = 0) -> int:
    """Refuse what cannot fit; the bytes that are needed.

    Args:
        pencil: to be solved.
        k: eigenpairs.
        solver: that is used.
        models: bytes of what is made of the solution.

    Raises:
        UserError: it takes more memory than there is.
    """
    needed = max(needed_bytes(pencil, k, solver), 12 * pencil.Z.shape[1] * k + models)
    what = f"{pencil.Z.shape[1]} columns, {k} dimensions, solver {solver}"
    memory.check(needed, memory.available_bytes(), what, REMEDY)
    return needed
