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
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy import sparse

from cr5.systems.algebra.incidence import members_of
from cr5.systems.algebra.threads import Threads
from cr5.systems.projections.columns import Documents

WIDTH = 96  # columns in a sparse product


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
