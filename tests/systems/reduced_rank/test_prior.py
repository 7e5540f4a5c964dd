import numpy as np
import pytest
from scipy import sparse

from cr5.systems.reduced_rank.prior import condensed

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


def covariance(own, shared, n):
    S = np.vstack([part.toarray() for part in shared]) if shared else np.zeros((n, 0))
    return np.diag(np.concatenate(own) ** 2) + S @ S.T


@pytest.mark.parametrize("gamma", [0.3, 1.0, 4.0])
def test_the_covariance_is_the_same_in_fewer_columns(gamma):
    given = [sparse.csr_matrix(N[:2]), sparse.csr_matrix(N[2:])]
    own, shared = condensed(given, gamma)
    assert [part.shape for part in shared] == [(2, 2), (3, 2)]
    assert [len(part) for part in own] == [2, 3]
    expected = np.eye(5) + gamma * N @ N.T
    np.testing.assert_allclose(covariance(own, shared, 5), expected, atol=1e-15)
    assert np.concatenate(own)[[0, 2, 4]].tolist() == [1, 1, 1]


def test_random_priors():
    for seed in range(20):
        generator = np.random.default_rng(seed)
        parts = [sparse.random_array((p, 30), density=0.1, rng=generator) for p in (12, 1, 9)]
        given = [sparse.csr_matrix((part > 0.5).astype(float)) for part in parts]
        own, shared = condensed(given, 0.7)
        dense = np.vstack([part.toarray() for part in given])
        found = covariance(own, shared, 22)
        np.testing.assert_allclose(found, np.eye(22) + 0.7 * dense @ dense.T, atol=1e-14)


def test_nothing_in_common_needs_no_columns():
    given = [sparse.csr_matrix([[2.0, 0, 0]]), sparse.csr_matrix([[0, 0, 1.0], [0, 0, 0]])]
    own, shared = condensed(given, 0.5)
    assert shared == []
    assert np.concatenate(own) == pytest.approx(np.sqrt([3, 1.5, 1]))
