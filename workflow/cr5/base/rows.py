"""Rows of a matrix, dense, sparse or both: one vector per document or word."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from scipy import sparse

from cr5.base.errors import UserError


@dataclass(frozen=True)
class HybridRows:
    """Rows of a dense and a sparse part, side by side: neither is converted."""

    dense: np.ndarray  # n x r
    sparse: sparse.csr_matrix  # n x s

    @property
    def shape(self) -> tuple[int, int]:
        """n, r + s."""
        n, r = self.dense.shape
        _, s = self.sparse.shape
        return n, r + s

    def __getitem__(self, rows: Any) -> "HybridRows":
        """Select rows by a slice or their numbers."""
        return HybridRows(self.dense[rows], self.sparse[rows])

    def astype(self, dtype: type, copy: bool = True) -> "HybridRows":
        """Convert both parts to that type; without a copy those that have it already."""
        return HybridRows(self.dense.astype(dtype, copy=copy), self.sparse.astype(dtype, copy=copy))


Rows = np.ndarray | sparse.csr_matrix | HybridRows

NORMS = ("l2", "l1", "none")
CHUNK = 1024
ROUNDING = 1e-3  # far more than float32 needs, far less than a row that was never scaled


def parts_of(rows: Rows) -> Sequence[np.ndarray | sparse.csr_matrix]:
    """Return the parts side by side: products and sums of differences add up over them."""
    if isinstance(rows, HybridRows):
        return (rows.dense, rows.sparse)
    return (rows,)


def stacked(rows: Sequence[Rows]) -> Rows:
    """Stack rows of one kind vertically; at least one matrix."""
    if len(rows) == 1:
        return rows[0]
    if isinstance(rows[0], HybridRows):
        dense = stacked([part.dense for part in rows])
        sparse_rows = stacked([part.sparse for part in rows])
        return HybridRows(dense, sparse_rows)
    if sparse.issparse(rows[0]):
        return sparse.vstack(rows).tocsr()
    return np.vstack(rows)


def gathered(parts: Iterator[Rows], n: int) -> Rows:
    """Stack parts of n rows as they come, so that memory does not hold dense ones twice."""
    first = next(parts)
    if not isinstance(first, np.ndarray):
        return stacked([first, *parts])
    rows = np.empty((n, first.shape[1]), first.dtype)
    start = 0
    for part in chain([first], parts):
        stop = start + len(part)
        rows[start:stop] = part
        start = stop
    return rows


def unit_rows(rows: Rows) -> Rows:
    """Scale each row to length one; rows of zeros stay zero. Keeps dtype and sparsity."""
    return normalised(rows, "l2")


def normalised(rows: Rows, norm: str) -> Rows:
    """Scale each row to `l2` or `l1` norm one, or leave it alone; rows of zeros stay zero."""
    if norm == "none":
        return rows
    lengths = norms(rows, norm)
    scale = np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    scale[~np.isfinite(lengths)] = np.nan  # zeros would hide that its numbers are too large
    return scaled(rows, scale)


def scaled(rows: Rows, scale: np.ndarray) -> Rows:
    """Multiply each row by its own number, (n,). Keeps dtype and sparsity."""
    if isinstance(rows, HybridRows):
        return HybridRows(scaled(rows.dense, scale), scaled(rows.sparse, scale))
    if sparse.issparse(rows):
        products = sparse.diags(scale) @ rows
        return products.astype(rows.dtype, copy=False).tocsr()
    return (rows * scale[:, None]).astype(rows.dtype, copy=False)


def norms(rows: Rows, norm: str) -> np.ndarray:
    """Return the norm of each row, `l2` or `l1`: (n,) float64."""
    lengths = np.zeros(rows.shape[0])
    for start in range(0, rows.shape[0], CHUNK):
        chunk = rows[start : start + CHUNK].astype(np.float64, copy=False)
        chunk_norms = _l2_norms(chunk) if norm == "l2" else _l1_norms(chunk)
        lengths[start : start + CHUNK] = chunk_norms
    return lengths


def _l2_norms(rows: Rows) -> np.ndarray:
    if isinstance(rows, HybridRows):
        return np.hypot(_l2_norms(rows.dense), _l2_norms(rows.sparse))
    if sparse.issparse(rows):
        return sparse.linalg.norm(rows, 2, axis=1)
    return np.sqrt(np.einsum("ij,ij->i", rows, rows))


def _l1_norms(rows: Rows) -> np.ndarray:
    if isinstance(rows, HybridRows):
        return _l1_norms(rows.dense) + _l1_norms(rows.sparse)
    if sparse.issparse(rows):
        return sparse.linalg.norm(rows, 1, axis=1)
    return abs(rows).sum(axis=1)


def sum_of(rows: Rows) -> Rows:
    """Return the sum of all rows, 1 x d. Keeps sparsity."""
    if isinstance(rows, HybridRows):
        return HybridRows(sum_of(rows.dense), sum_of(rows.sparse))
    if sparse.issparse(rows):
        return sparse.csr_matrix(rows.sum(axis=0))
    return rows.sum(axis=0, keepdims=True)


def check_norm(rows: Rows, norm: str, whose: str) -> None:
    """Reject rows of nan or inf, or whose norm, unless it is `none`, is neither one nor zero."""
    if norm == "none":
        wanted = "finite numbers"
        lengths = norms(rows, "l2")
        is_good = np.isfinite(lengths)
    else:
        wanted = f"rows of {norm} norm 1, or of zeros"
        lengths = norms(rows, norm)
        is_one = np.abs(lengths - 1) < ROUNDING
        is_good = np.isfinite(lengths) & ((lengths == 0) | is_one)
    if not is_good.all():
        row = int(np.argmin(is_good))
        raise UserError(
            f"{whose}: expected {wanted}, but row {row} has norm {lengths[row]:.3g}; the model "
            "does not embed as its measures want: correct the system and fit it again"
        )
