import numpy as np
import pytest
from scipy import sparse

from cr5.systems.algebra.threads import Threads
from cr5.systems.projections import pencils
from cr5.systems.projections.documents import Documents


def forms(pencil):
    Z = pencil.Z.toarray()
    return pencil.S.dense(Z), None if pencil.N is None else pencil.N.dense(Z)


def mean_of_concepts(written):
    return np.nanmean(written.D, axis=0)  # n x p


def test_opca_is_equations_9_to_11_over_the_documents_that_there_are(
    documents, written, covariance
):
    S, N = forms(pencils.opca(documents, gamma=0.3))
    D, present, n = written.D, written.present, written.n
    expected_S = sum(covariance(D[m][present[m]], n) for m in range(written.M))
    many = present.sum(axis=0) >= 2
    E = D - mean_of_concepts(written)
    apart = [E[m][present[m] & many] for m in range(written.M)]
    expected_N = sum(e.T @ e for e in apart) / n + 0.3 * np.eye(len(N))
    np.testing.assert_allclose(S, expected_S, atol=1e-10)
    np.testing.assert_allclose(N, expected_N, atol=1e-10)


def test_cca_adds_up_all_pairs_over_the_concepts_that_both_have(
    make_documents, write_out, covariance, presence
):
    documents = make_documents(presence, p=9, separate=True)
    written = write_out(documents)
    D, present, n, M = written.D, written.present, written.n, written.M
    S, N = forms(pencils.cca(documents, tuple(range(0, 9 * M, 9)), 2.0))
    blocks = [D[m][:, 9 * m : 9 * m + 9] for m in range(M)]
    centred = [np.nan_to_num(b - np.nanmean(b, axis=0)) for b in blocks]
    for a in range(M):
        for b in range(M):
            here = np.ix_(range(9 * a, 9 * a + 9), range(9 * b, 9 * b + 9))
            cross = centred[a].T @ centred[b] / n
            np.testing.assert_allclose(S[here], 0 if a == b else cross, atol=1e-10)
            within = covariance(blocks[a][present[a]], n) + 2 * np.eye(9) if a == b else 0
            np.testing.assert_allclose(N[here], within, atol=1e-10)


def test_lsi_is_not_centred(make_documents):
    Z = make_documents(np.ones((1, 15), bool)).Z
    (S, N), D = forms(pencils.lsi(Z)), Z.toarray()
    np.testing.assert_allclose(S, D.T @ D, atol=1e-10)
    assert N is None


@pytest.mark.parametrize("kind", ["opca", "cca"])
def test_no_more_values_than_the_bound_are_above_zero(make_documents, presence, kind):
    documents = make_documents(presence, p=9, separate=True)
    pencil = pencils.opca(documents)
    if kind == "cca":
        pencil = pencils.cca(documents, tuple(range(0, 9 * len(presence), 9)))
    values = np.linalg.eigvalsh(forms(pencil)[0])
    assert (values > 1e-9).sum() <= pencil.bound


@pytest.mark.parametrize("form", ["opca S", "opca N", "cca S", "cca N"])
def test_operators_and_panels_of_sparse_rows_are_their_dense_twins(documents, form):
    system, which = form.split()
    opca, cca = pencils.opca(documents, 0.3), pencils.cca(documents, (0,), 2.0)
    form, Z = getattr(opca if system == "opca" else cca, which), documents.Z
    A = form.dense(Z.toarray())
    V = np.random.default_rng(0).normal(size=(len(A), 100))  # more than are taken at a time
    before = V.copy()
    np.testing.assert_allclose(form.operator(Z, Threads(2))(V), A @ V, atol=1e-8)
    np.testing.assert_array_equal(V, before)
    for first, last in ((0, 7), (7, 20), (20, len(A))):
        panel = form.panels(Z)(first, last)
        np.testing.assert_allclose(panel, A[first:, first:last], atol=1e-9)


def test_opca_by_hand():
    """Two concepts, two languages, two columns: (2, 0), (0, 0) and (0, 0), (0, 2)."""
    Z = sparse.csr_matrix([[2.0, 0], [0, 0], [0, 0], [0, 2]])
    documents = Documents(Z, np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]))
    S, N = forms(pencils.opca(documents, 0.5))
    # each language has the mean 1 in its own column, and the variance 1
    np.testing.assert_allclose(S, np.eye(2))
    # differences (2, 0) and (0, -2): N = diag(4, 4) / (2 * 2) + 0.5
    np.testing.assert_allclose(N, 1.5 * np.eye(2))
