import numpy as np
import pytest
from scipy import sparse

from cr5 import similarity


def rows(n, d, seed=0):
    return similarity.unit_rows(np.random.default_rng(seed).normal(size=(n, d)).astype(np.float32))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_unit_rows_dense_and_sparse_agree_and_zero_rows_stay(dtype):
    dense = np.array([[3, 4, 0], [0, 0, 0], [1, 2, 2]], dtype)
    expected = [[0.6, 0.8, 0], [0, 0, 0], [1 / 3, 2 / 3, 2 / 3]]
    for found in (
        similarity.unit_rows(dense),
        similarity.unit_rows(sparse.csr_matrix(dense)).toarray(),
    ):
        np.testing.assert_allclose(found, expected, rtol=1e-6)
        assert found.dtype == dtype


@pytest.mark.parametrize("n", [1, 127, 128, 129, 300])
def test_blocks_equal_one_product(n):
    queries, keys = rows(n, 7), rows(5000, 7, 1)
    blocks = list(similarity.over_blocks(queries, keys, lambda start, block: (start, block)))
    assert [start for start, _ in blocks] == list(range(0, n, similarity.ROWS))
    found = np.vstack([block for _, block in blocks])
    np.testing.assert_allclose(found, queries.astype(float) @ keys.astype(float).T, atol=1e-6)


def test_a_cosine_does_not_depend_on_how_many_queries_and_keys_there_are():
    queries, keys = rows(300, 50), rows(6000, 50, 1)
    everything = similarity.cosine_rows(queries, keys, 128)
    fewer = similarity.cosine_rows(queries[:140], keys[:100], 128)
    np.testing.assert_array_equal(fewer, everything[:12, :100])


def test_sparse_and_dense_rows_agree():
    generator = np.random.default_rng(2)
    dense = generator.random((150, 30)) * (generator.random((150, 30)) < 0.2)
    dense = similarity.unit_rows(dense.astype(np.float32))
    queries, keys = sparse.csr_matrix(dense[:140]), sparse.csr_matrix(dense)
    np.testing.assert_allclose(
        similarity.cosine_rows(queries, keys, 128),
        similarity.cosine_rows(dense[:140], dense, 128),
        atol=1e-6,
    )


@pytest.mark.parametrize("k", [1, 10, 50])
def test_mean_top_k_equals_sorting_everything(k):
    queries, keys = rows(200, 8), rows(30, 8, 1)
    cosines = np.sort(queries.astype(float) @ keys.astype(float).T, axis=1)
    expected = cosines[:, -min(k, 30) :].mean(axis=1)
    np.testing.assert_allclose(similarity.mean_top_k(queries, keys, k), expected, atol=1e-6)


def test_threads_change_no_bit():
    queries, keys = rows(700, 40), rows(900, 40, 1)
    one, two = (similarity.mean_top_k(queries, keys, 10, threads) for threads in (1, 3))
    np.testing.assert_array_equal(one, two)


def test_no_queries():
    assert similarity.mean_top_k(rows(3, 4)[:0], rows(5, 4), 10).shape == (0,)
