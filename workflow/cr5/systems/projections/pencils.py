"""The three pencils S v = lambda N v of Platt, Toutanova, Yih 2010 (Eq. 7).

With n concepts in M languages, documents that may be missing, and Z all documents, one per row:

- OPCA (Eq. 9-11): S sums over languages the covariance of their documents, each language centred
  by its own mean. N sums over concepts the deviations of their documents from the concept's mean.
  A concept with one document has none, and counts in S alone. For M = 2 and E = D_1 - D_2,
  N = E'E / (2 n) + gamma I.
- CCA (Eq. 12, 13): S has the covariances between languages, N those within, + gamma I. It is
  fitted on separate columns, so N is block-diagonal. For more than two languages S has all pairs.
- CL-LSI (Eq. 1-3): S = D'D for the rows D of concepts, not centred, and N = I.

All of these are forms Zhat'K Zhat / n + gamma I in the rows of Z, or in these minus the mean of
their language, with a sparse K. So neither a covariance nor a difference of documents is formed.

They are solved for the largest lambda, v'Nv = 1:

- Small pencils, and those of which half is wanted: both matrices are formed. Where there are fewer
  rows than columns, in the space of the rows, as the rest is zero: with ZZ' = U s U' the basis
  Z'U s^-1/2 is orthonormal, and in it the rows are U s^1/2: the same pencil with fewer columns.
- All others: N is formed and factored in place, N = LL', and Lanczos is applied to L^-1 S L'^-1.
  N is too ill-conditioned to be solved by iteration: rows have a squared norm of tens of
  thousands, and gamma is 0.1.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from scipy import linalg, sparse

from cr5.base.errors import LeftOutError, UserError
from cr5.systems.algebra.cholesky import Cholesky
from cr5.systems.algebra.columns import Documents
from cr5.systems.algebra.incidence import members_of
from cr5.systems.algebra.krylov import largest
from cr5.systems.algebra.threads import Threads

WIDTH = 96  # columns in a sparse product
SMALL = 4000  # unknowns up to which a dense decomposition takes a minute or so
TOLERANCE = 1e-3  # of an iteration's residuals, relative to each eigenvalue
RANK = 1e-10  # share of the largest eigenvalue below which one counts as zero

Pairs = tuple[np.ndarray, np.ndarray]  # values, descending, and vectors


@dataclass(frozen=True)
class Form:
    """The form of the module docstring, before rows are given: K is R x R, symmetric.

    L (R x M) has a one for the language of each row; without it rows are not centred.
    """

    K: sparse.csr_matrix
    L: sparse.csr_matrix | None = None
    n: float = 1.0
    gamma: float = 0.0

    def centred(self, rows: np.ndarray) -> np.ndarray:
        """Rows (R x any), each minus the mean of its language."""
        return rows if self.L is None else rows - self.L @ (self._averages @ rows)

    def dense(self, rows: np.ndarray) -> np.ndarray:
        """The matrix for dense rows (R x p), p x p; exactly symmetric."""
        rows = self.centred(rows)
        out = rows.T @ (self.K @ rows) / self.n
        out[np.diag_indices_from(out)] += self.gamma
        return (out + out.T) / 2

    def operator(
        self, Z: sparse.csr_matrix, threads: Threads
    ) -> Callable[[np.ndarray], np.ndarray]:
        """The matrix for sparse rows (R x p), as a function of p x b."""
        Zt = Z.T.tocsr()

        def apply(V: np.ndarray) -> np.ndarray:
            out = np.empty_like(V)
            for start in range(0, V.shape[1], WIDTH):
                part = V[:, start : start + WIDTH]
                rows = np.empty((Z.shape[0], part.shape[1]))
                threads.multiply(Z, threads.filled("columns", part), 0, rows)
                rows = self.centred(self.K @ self.centred(rows)) / self.n
                found = out[:, start : start + WIDTH]
                threads.multiply(Zt, threads.filled("rows", rows), -self.gamma * part, found)
            return out

        return apply

    def panels(self, Z: sparse.csr_matrix) -> Callable[[int, int], np.ndarray]:
        """Columns first..last of the matrix, rows from `first` on, as a function of both."""
        KZ = (self.K @ Z).T.tocsr()
        if self.L is not None:
            means = (self._averages @ Z).toarray()  # M x p
            # (Z - L m)'K(Z - L m) = Z'KZ - m'E - E'm
            E = (KZ @ self.L).T - (self.L.T @ self.K @ self.L) @ means / 2

        def panel(first: int, last: int) -> np.ndarray:
            out = (KZ[first:last] @ Z).toarray()[:, first:].T
            if self.L is not None:
                out -= E[:, first:].T @ means[:, first:last]
                out -= means[:, first:].T @ E[:, first:last]
            out /= self.n
            out[np.diag_indices(last - first)] += self.gamma
            return out

        return panel

    @cached_property
    def _averages(self) -> sparse.csr_matrix:
        """Languages x rows: computes the mean of each language."""
        sizes = np.asarray(self.L.sum(axis=0)).ravel()
        return (sparse.diags(1 / sizes) @ self.L.T).tocsr()


@dataclass(frozen=True)
class Pencil:
    """Two forms of the same rows Z, R x p: of signal S, and of noise N, None for I.

    At most `bound` eigenvalues are above zero. N has blocks of some columns on its diagonal.
    """

    Z: sparse.csr_matrix
    S: Form
    N: Form | None
    bound: int
    blocks: tuple[slice, ...] = (slice(None),)

    def with_gamma(self, gamma: float) -> "Pencil":
        """Return the pencil with another gamma."""
        return replace(self, N=replace(self.N, gamma=gamma))


def lsi(rows: sparse.csr_matrix) -> Pencil:
    """The pencil of CL-LSI, of rows of concepts."""
    return Pencil(rows, Form(_identity(rows.shape[0])), None, min(rows.shape))


def opca(documents: Documents, gamma: float = 1.0) -> Pencil:
    """The pencil of OPCA, of documents of two languages or more."""
    Z, n, one = documents.Z, documents.n_concepts, _identity(len(documents.concept))
    sums, L = members_of(documents.concept), members_of(documents.language).T.tocsr()
    means = sparse.diags(1 / np.bincount(documents.concept)) @ sums
    S, N = Form(one, L, n), Form((one - sums.T @ means).tocsr(), None, n, gamma)
    return Pencil(Z, S, N, min(Z.shape[1], L.shape[0] - L.shape[1]))


def cca(documents: Documents, starts: Sequence[int], gamma: float = 1.0) -> Pencil:
    """The pencil of regularised CCA, of documents in columns that start anew with each language."""
    Z, n, one = documents.Z, documents.n_concepts, _identity(len(documents.concept))
    sums, L = members_of(documents.concept), members_of(documents.language).T.tocsr()
    # pairs of documents of a concept, without each one's own: what is between languages
    S, N = Form((sums.T @ sums - one).tocsr(), L, n), Form(one, L, n, gamma)
    ends = [*starts[1:], Z.shape[1]]
    widths = np.subtract(ends, starts)
    # S has no diagonal blocks, so as many values as columns of the largest are not above zero
    bound = min(n - 1, int(widths.sum() - widths.max()))
    return Pencil(Z, S, N, bound, tuple(map(slice, starts, ends)))


def _identity(size: int) -> sparse.csr_matrix:
    return sparse.identity(size, format="csr")


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
