"""Quadratic forms in documents: sums and differences of Gram matrices of combinations of rows.

All matrices of Platt et al. are of this kind, so neither a covariance nor a difference of
documents is ever formed: with rows Z and a sparse combination C,

    form(Z) = sum over terms of sign (C Z - J A Z)'(C Z - J A Z) / n + gamma I

where A Z are the means of the languages, and J is how many times each is subtracted.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from cr5.systems.algebra.compiled import add_gram
from cr5.systems.algebra.threads import Threads

WIDTH = 96  # columns in a sparse product


@dataclass(frozen=True)
class Term:
    """A Gram matrix of combinations of rows.

    Attributes:
        sign: 1 or -1.
        C: r x R, the combinations.
        J: r x M, how many times the mean of each language is subtracted; None for never.
    """

    sign: float
    C: sparse.csr_matrix
    J: np.ndarray | None = None


@dataclass(frozen=True)
class Form:
    """The form of the module docstring, before rows are given.

    Attributes:
        terms: to be added up.
        A: M x R, averages the rows of each language.
        n: divisor of the sums.
        gamma: added to the diagonal.
    """

    terms: Sequence[Term]
    A: sparse.csr_matrix
    n: float = 1.0
    gamma: float = 0.0

    def dense(self, Z: np.ndarray) -> np.ndarray:
        """The matrix for dense rows (R x p), p x p; exactly symmetric."""
        out = np.zeros((Z.shape[1], Z.shape[1]))
        for term in self.terms:
            rows = term.C @ Z
            if term.J is not None:
                rows = rows - term.J @ (self.A @ Z)
            out += term.sign / self.n * (rows.T @ rows)
        out[np.diag_indices_from(out)] += self.gamma
        return (out + out.T) / 2


class _Part:
    """A term of sparse rows: X = C Z, its transpose, and what centring subtracts from X'X."""

    def __init__(self, term: Term, form: Form, Z: sparse.csr_matrix):
        self.scale, self.X = term.sign / form.n, (term.C @ Z).tocsr()
        self.X.sort_indices()
        self.Xt, self.J = self.X.T.tocsr(), term.J
        if self.J is not None:
            self.means = (form.A @ Z).toarray()  # M x p
            # (X - J m)'(X - J m) = X'X - K'm - m'K
            self.K = (self.X.T @ self.J).T - self.J.T @ self.J @ self.means / 2

    def multiply(self, V: np.ndarray, out: np.ndarray, threads: Threads) -> None:
        """Add (X - J m)'(X - J m) V, scaled; V has at most `WIDTH` columns, contiguous."""
        nothing = np.zeros(V.shape[1])
        rows = np.empty((self.X.shape[0], V.shape[1]))
        threads.multiply(self.X, V, nothing, rows)
        if self.J is not None:
            rows -= self.J @ (self.means @ V)
        found = np.empty_like(V)
        threads.multiply(self.Xt, rows, nothing, found)
        if self.J is not None:
            found -= self.means.T @ (self.J.T @ rows)
        out += self.scale * found

    def add_panel(self, first: int, out: np.ndarray) -> None:
        """Add the columns of the matrix that are in `out`, rows from `first` on."""
        add_gram(self.Xt, self.X, first, self.scale, out)
        if self.J is not None:
            last = first + out.shape[1]
            m, K = self.means, self.K
            out -= self.scale * (K[:, first:].T @ m[:, first:last])
            out -= self.scale * (m[:, first:].T @ K[:, first:last])


class SparseForm:
    """A form of sparse rows as an operator, and by panels.

    Args:
        form: to apply.
        Z: R x p.
        threads: that share the work.
    """

    def __init__(self, form: Form, Z: sparse.csr_matrix, threads: Threads):
        self.gamma, self.threads, self.size = form.gamma, threads, Z.shape[1]
        self.parts = [_Part(term, form, Z) for term in form.terms]

    def __call__(self, V: np.ndarray) -> np.ndarray:
        """The matrix times V, p x b."""
        out = np.empty_like(V)
        for start in range(0, V.shape[1], WIDTH):
            columns = np.ascontiguousarray(V[:, start : start + WIDTH])
            found = self.gamma * columns
            for part in self.parts:
                part.multiply(columns, found, self.threads)
            out[:, start : start + WIDTH] = found
        return out

    def panel(self, first: int, last: int) -> np.ndarray:
        """Columns first..last of the lower triangle, rows from `first` on, (p - first) x some."""
        out = np.zeros((self.size - first, last - first), order="F")
        for part in self.parts:
            part.add_panel(first, out)
        diagonal = np.arange(last - first)
        out[diagonal, diagonal] += self.gamma
        return out
