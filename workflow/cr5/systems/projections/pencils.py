"""The three pencils S v = lambda N v of Platt, Toutanova, Yih 2010 (Eq. 7).

With n concepts in M languages, documents that may be missing, and Z all documents, one per row:

- OPCA (Eq. 9-11): S sums over languages the covariance of their documents, each language centred
  by its own mean. N sums over concepts the deviations of their documents from the concept's mean.
  A concept with one document has none, and counts in S alone. For M = 2 and E = D_1 - D_2,
  N = E'E / (2 n) + gamma I.
- CCA (Eq. 12, 13): S has the covariances between languages, N those within, + gamma I. It is
  fitted on separate columns, so N is block-diagonal. For more than two languages S has all pairs.
- CL-LSI (Eq. 1-3): S = D'D for the rows D of concepts, not centred, and N = I.
"""

from dataclasses import dataclass, replace

import numpy as np
from scipy import sparse

from cr5.systems.projections.documents import Documents
from cr5.systems.projections.forms import Form, Term


@dataclass(frozen=True)
class Pencil:
    """Two forms of the same rows.

    Attributes:
        Z: the rows, R x p.
        S: signal.
        N: noise; None for I.
        blocks: first column of each block on the diagonal of N, ascending, 0 first.
        bound: maximum number of eigenvalues above zero.
    """

    Z: sparse.csr_matrix
    S: Form
    N: Form | None
    blocks: tuple[int, ...]
    bound: int

    def with_gamma(self, gamma: float) -> "Pencil":
        """Return the pencil with another gamma."""
        return self if self.N is None else replace(self, N=replace(self.N, gamma=gamma))


def lsi(documents: Documents) -> Pencil:
    """The pencil of CL-LSI, of rows of concepts."""
    Z = documents.Z
    S = Form((Term(1.0, _identity(Z.shape[0])),), _means(documents))
    return Pencil(Z, S, None, (0,), min(Z.shape))


def opca(documents: Documents, gamma: float = 1.0) -> Pencil:
    """The pencil of OPCA.

    Args:
        documents: of two languages or more.
        gamma: above zero.
    """
    n, A = documents.n_concepts, _means(documents)
    noise = [Term(1.0, _identity(len(documents.concept))), Term(-1.0, _rooted_sums(documents))]
    bound = min(documents.Z.shape[1], int((documents.sizes - 1).sum()))
    S, N = Form((_centred(documents),), A, n), Form(noise, A, n, gamma)
    return Pencil(documents.Z, S, N, (0,), bound)


def cca(documents: Documents, blocks: tuple[int, ...], gamma: float = 1.0) -> Pencil:
    """The pencil of regularised CCA.

    Args:
        documents: in separate columns.
        blocks: the first column of each language.
        gamma: above zero.
    """
    n, A, within = documents.n_concepts, _means(documents), _centred(documents)
    sums = _sums(documents)
    # the sums of centred documents, whose Gram matrix also has the covariances within languages
    together = Term(1.0, sums, (sums @ _one_hot(documents)).toarray())
    S, N = Form((together, replace(within, sign=-1.0)), A, n), Form((within,), A, n, gamma)
    widths = np.diff([*blocks, documents.Z.shape[1]])
    # S has no diagonal blocks, so as many values as columns of the largest are not above zero
    bound = min(n - 1, int(widths.sum() - widths.max()))
    return Pencil(documents.Z, S, N, blocks, bound)


def _identity(size: int) -> sparse.csr_matrix:
    return sparse.identity(size, format="csr")


def _one_hot(documents: Documents) -> sparse.csr_matrix:
    """Documents x languages."""
    there = np.arange(len(documents.language)), documents.language
    return sparse.csr_matrix((np.ones(len(documents.language)), there))


def _means(documents: Documents) -> sparse.csr_matrix:
    """Languages x documents: computes the mean of each language."""
    return (sparse.diags(1 / documents.sizes) @ _one_hot(documents).T).tocsr()


def _centred(documents: Documents) -> Term:
    """Documents, each minus the mean of its language."""
    L = _one_hot(documents)
    return Term(1.0, _identity(L.shape[0]), L.toarray())


def _sums(documents: Documents) -> sparse.csr_matrix:
    """Concepts x documents: computes the sum of each concept."""
    there = documents.concept, np.arange(len(documents.concept))
    return sparse.csr_matrix((np.ones(len(documents.concept)), there))


def _rooted_sums(documents: Documents) -> sparse.csr_matrix:
    """Computes sqrt(k) times the mean of the k documents of each concept."""
    sizes = np.bincount(documents.concept)
    return (sparse.diags(1 / np.sqrt(sizes)) @ _sums(documents)).tocsr()
