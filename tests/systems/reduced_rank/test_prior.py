import numpy as np
import pytest
from scipy import sparse

from cr5.systems.reduced_rank import prior
from cr5.systems.reduced_rank.prior import factor

# by rows: words of two languages; by columns: shared, shared by the same words, of one word, of
# none, shared by the same words to another degree, of one word
N = np.array(
    [
        [0.5, 0.5, 0.0, 0.0, 0.2, 0.0],
        [0.3, 0.3, 0.7, 0.0, 0.3, 0.0],
        [0.0, 0.0, 0.0, 0.0, 0.0, 0.9],
        [0.4, 0.4, 0.0, 0.0, 0.4, 0.6],
        [0.0, 0.0, 0.2, 0.0, 0.0, 0.0],
    ]
)
N[4, 2] = N[2, 5] = 0
GIVEN = [sparse.csr_matrix(N[:2]), sparse.csr_matrix(N[2:])]
VARIANCES = np.array([1.0, 3, 9, 2, 5])


def dense(parts):
    return np.vstack([part.toarray() for part in parts])


@pytest.mark.parametrize("gamma", [0.3, 1.0, 4.0])
@pytest.mark.parametrize(("most", "columns"), [(1, 2), (2, 2), (3, 0)])
def test_the_covariance_is_the_same_with_few_columns(gamma, most, columns, monkeypatch):
    monkeypatch.setattr(prior, "MOST", most)
    F = factor(GIVEN, gamma, VARIANCES)
    assert [part.shape for part in F] == [(2, 5 + columns), (3, 5 + columns)]
    np.testing.assert_allclose(dense(F) @ dense(F).T, np.eye(5) + gamma * N @ N.T, atol=1e-15)
    assert np.sort(dense(F)[[2, 4]])[:, -2:].tolist() == [[0, 1], [0, 1]]  # they have no group
    inside = dense(F)[:, :5].T @ np.diag(VARIANCES) @ dense(F)[:, :5]
    np.testing.assert_allclose(inside, np.diag(np.diag(inside)), atol=1e-13)


@pytest.mark.parametrize("most", [1, 4, 22])
def test_random_priors(most, monkeypatch):
    monkeypatch.setattr(prior, "MOST", most)
    for seed in range(20):
        generator = np.random.default_rng(seed)
        parts = [sparse.random_array((p, 30), density=0.1, rng=generator) for p in (12, 1, 9)]
        given = [sparse.csr_matrix((part > 0.5).astype(float)) for part in parts]
        F = dense(factor(given, 0.7, generator.uniform(0, 9, 22)))
        expected = np.eye(22) + 0.7 * dense(given) @ dense(given).T
        np.testing.assert_allclose(F @ F.T, expected, atol=1e-14)
        assert np.count_nonzero(F[:, :22], axis=0).max() <= most


def test_nothing_in_common_needs_no_columns():
    given = [sparse.csr_matrix([[2.0, 0, 0]]), sparse.csr_matrix([[0, 0, 1.0], [0, 0, 0]])]
    F = factor(given, 0.5, np.ones(3))
    np.testing.assert_allclose(dense(F), np.diag(np.sqrt([3, 1.5, 1])))
