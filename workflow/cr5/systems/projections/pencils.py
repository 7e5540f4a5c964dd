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

from collections.abc import Callable, Iterable, Sequence
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
        """Return rows (R x any), each minus the mean of its language."""
        if self.L is None:
            return rows
        return rows - self.L @ (self._averages @ rows)

    def dense(self, rows: np.ndarray) -> np.ndarray:
        """Return the matrix for dense rows (R x p), p x p; exactly symmetric."""
        rows = self.centred(rows)
        matrix = rows.T @ (self.K @ rows) / self.n
        matrix[np.diag_indices_from(matrix)] += self.gamma
        return (matrix + matrix.T) / 2

    def operator(
        self, Z: sparse.csr_matrix, threads: Threads
    ) -> Callable[[np.ndarray], np.ndarray]:
        """Return the matrix for sparse rows (R x p), as a function of p x b.

        Zhat'K Zhat V / n + gamma V, some columns of V at a time.
        """
        Zt = Z.T.tocsr()

        def apply(V: np.ndarray) -> np.ndarray:
            product = np.empty_like(V)
            for start in range(0, V.shape[1], WIDTH):
                columns = slice(start, start + WIDTH)
                part = V[:, columns]
                rows = np.empty((Z.shape[0], part.shape[1]))
                threads.multiply(Z, threads.filled("columns", part), 0, rows)
                # centred on both sides, so Z' need not be
                rows = self.centred(self.K @ self.centred(rows)) / self.n
                shift = -self.gamma * part
                threads.multiply(Zt, threads.filled("rows", rows), shift, product[:, columns])
            return product

        return apply

    def panels(self, Z: sparse.csr_matrix) -> Callable[[int, int], np.ndarray]:
        """Return a function of first and last: these columns of the matrix, rows from `first` on.

        With m the means of each language, (Z - L m)'K(Z - L m) = Z'KZ - E'm - m'E for
        E = L'KZ - L'KL m / 2.
        """
        KZ = (self.K @ Z).T.tocsr()
        if self.L is not None:
            m = (self._averages @ Z).toarray()  # M x p
            E = (KZ @ self.L).T - (self.L.T @ self.K @ self.L) @ m / 2

        def panel(first: int, last: int) -> np.ndarray:
            matrix = (KZ[first:last] @ Z).toarray()[:, first:].T
            if self.L is not None:
                matrix -= E[:, first:].T @ m[:, first:last]
                matrix -= m[:, first:].T @ E[:, first:last]
            matrix /= self.n
            matrix[np.diag_indices(last - first)] += self.gamma
            return matrix

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
    """Return the pencil of CL-LSI, of rows of concepts: S = D'D, N = I."""
    return Pencil(rows, S=Form(_identity(rows.shape[0])), N=None, bound=min(rows.shape))


def opca(documents: Documents, gamma: float = 1.0) -> Pencil:
    """Return the pencil of OPCA, of documents of two languages or more."""
    Z = documents.Z
    n = documents.n_concepts
    L = _languages(documents)
    identity = _identity(Z.shape[0])
    sums = members_of(documents.concept)
    means = sparse.diags(1 / np.bincount(documents.concept)) @ sums
    # deviations from the mean of the concept: C = I - sums' means is a projection, C'C = C
    deviations = (identity - sums.T @ means).tocsr()
    n_documents, n_languages = L.shape
    return Pencil(
        Z,
        S=Form(identity, L, n),
        N=Form(deviations, None, n, gamma),
        bound=min(Z.shape[1], n_documents - n_languages),
    )


def cca(documents: Documents, starts: Sequence[int], gamma: float = 1.0) -> Pencil:
    """Return the pencil of regularised CCA.

    Columns of documents start anew with each language, at its one of `starts`.
    """
    Z = documents.Z
    n = documents.n_concepts
    L = _languages(documents)
    identity = _identity(Z.shape[0])
    sums = members_of(documents.concept)
    # pairs of documents of a concept, without each one's own: what is between languages
    between = (sums.T @ sums - identity).tocsr()
    ends = [*starts[1:], Z.shape[1]]
    widths = np.subtract(ends, starts)
    # S has no diagonal blocks, so as many values as columns of the largest are not above zero
    rank = int(widths.sum() - widths.max())
    blocks = [slice(start, end) for start, end in zip(starts, ends, strict=True)]
    return Pencil(
        Z,
        S=Form(between, L, n),
        N=Form(identity, L, n, gamma),
        bound=min(n - 1, rank),
        blocks=tuple(blocks),
    )


def _languages(documents: Documents) -> sparse.csr_matrix:
    """Return documents x languages: a one for the language of each document."""
    return members_of(documents.language).T.tocsr()


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


@dataclass(frozen=True)
class _Eigenpairs:
    """Values, descending, and vectors; residuals, relative to the values, of an iteration."""

    values: np.ndarray
    vectors: np.ndarray
    residuals: np.ndarray | None = None


def solve(pencil: Pencil, k: int, threads: int = 1) -> Solution:
    """Solve for the k largest eigenvalues, or as many as are above zero, at least one."""
    k = max(min(k, pencil.bound), 0)
    n_rows, n_columns = pencil.Z.shape
    try:
        if min(n_rows, n_columns) <= SMALL or 2 * k > n_columns:
            pairs = _dense(pencil, k)
        else:
            pairs = _iterative(pencil, k, Threads(threads))
    except np.linalg.LinAlgError as error:
        raise UserError(
            f"gamma {pencil.N.gamma:g} is too small for rows of this length: the noise matrix is "
            f"singular up to rounding ({error}); raise it"
        ) from error
    values = pairs.values
    rank = int((values > RANK * max(values.max(initial=0), 0)).sum())
    if not rank:
        raise LeftOutError(
            f"the {n_rows} training documents have nothing in common to project on: "
            "bring more of them, or lower skip_words"
        )
    vectors = pairs.vectors[:, :rank]
    is_negative = -vectors.min(axis=0) > vectors.max(axis=0)
    vectors = vectors * np.where(is_negative, -1, 1)
    return Solution(values[:rank], vectors, *_told(pairs.residuals))


def available(dimensions: Iterable[int], n: int) -> tuple[list[int], list[str]]:
    """Return the dimensions that are not above n, ascending; or else n itself, and a warning."""
    requested = sorted(set(dimensions))
    possible = [dimension for dimension in requested if dimension <= n]
    if possible:
        return possible, []
    return [n], [f"dimensions {requested} reduced to {n}: the data have no more"]


def _told(residuals: np.ndarray | None) -> tuple[dict[str, Any], list[str]]:
    """Return what the report says of how eigenpairs were found, and its warnings."""
    if residuals is None:
        return {"solver": "dense"}, []
    pending = int((residuals > TOLERANCE).sum())
    warnings = []
    if pending:
        warnings = [f"{pending} of {len(residuals)} eigenvectors have NOT CONVERGED"]
    return {"solver": "iterative", "largest_residual": float(residuals.max(initial=0))}, warnings


def _dense(pencil: Pencil, k: int) -> _Eigenpairs:
    """Solve for the k largest eigenvalues, in the space of the rows where there are fewer.

    With ZZ' = U s U' the basis is Z'U s^-1/2, and in it the rows are U s^1/2.
    """
    Z = pencil.Z
    n_rows, n_columns = Z.shape
    if n_rows >= n_columns:
        return _decomposed(pencil, Z.toarray(), k)
    s, U = np.linalg.eigh((Z @ Z.T).toarray())
    is_positive = s > n_columns * np.finfo(float).eps * s.max(initial=0)
    root = np.sqrt(s[is_positive])
    U = U[:, is_positive]
    pairs = _decomposed(pencil, U * root, k)
    return _Eigenpairs(pairs.values, Z.T @ (U / root @ pairs.vectors))


def _decomposed(pencil: Pencil, rows: np.ndarray, k: int) -> _Eigenpairs:
    """Solve for the k largest eigenvalues of the pencil of dense rows (R x q)."""
    q = rows.shape[1]
    if not q or not k:
        return _Eigenpairs(np.zeros(0), np.zeros((q, 0)))
    N = None if pencil.N is None else pencil.N.dense(rows)
    largest_k = [max(q - k, 0), q - 1]
    values, vectors = linalg.eigh(pencil.S.dense(rows), N, subset_by_index=largest_k)
    return _Eigenpairs(values[::-1], vectors[:, ::-1])


def _iterative(pencil: Pencil, k: int, threads: Threads) -> _Eigenpairs:
    """Solve for the k largest eigenvalues of L^-1 S L'^-1 for N = LL', or of S if N = I.

    N is factored block by block.
    """
    S = pencil.S.operator(pencil.Z, threads)
    factors = []
    if pencil.N is not None:
        for block in pencil.blocks:
            rows = pencil.Z[:, block].tocsr()
            factor = Cholesky(rows.shape[1], pencil.N.panels(rows), threads)
            factors.append((block, factor))

    def to_pencil(V: np.ndarray) -> np.ndarray:
        """Overwrite vectors V of the operator by L'^-1 V, those of the pencil."""
        for block, factor in factors:
            factor.solve_transposed(V[block])
        return V

    def whitened(V: np.ndarray) -> np.ndarray:
        """Return L^-1 S L'^-1 V."""
        V = S(to_pencil(V.copy()))
        for block, factor in factors:
            factor.solve(V[block])
        return V

    values, vectors, residuals = largest(whitened, pencil.Z.shape[1], k, TOLERANCE, threads)
    return _Eigenpairs(values, to_pencil(vectors), residuals)
