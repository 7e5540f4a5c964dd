import numpy as np
import pytest
from scipy import sparse

from cr5.base.rows import unit_rows
from cr5.search import similarity


def rows(n, d, seed=0):
    return unit_rows(np.random.default_rng(seed).normal(size=(n, d)).astype(np.float32))


def cosines(queries, keys, threads=1):
    """All of them, put together from the blocks."""

    def use(start, blocks):
        parts = list(blocks)
        assert [first for first, _ in parts] == list(range(0, keys.shape[0], similarity.COLUMNS))
        return start, np.hstack([block for _, block in parts])

    found = similarity.over_blocks(queries, keys, use, threads)
    assert [start for start, _ in found] == list(range(0, queries.shape[0], similarity.ROWS))
    return np.vstack([block for _, block in found])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_unit_rows_dense_and_sparse_agree_and_zero_rows_stay(dtype):
    dense = np.array([[3, 4, 0], [0, 0, 0], [1, 2, 2]], dtype)
    expected = [[0.6, 0.8, 0], [0, 0, 0], [1 / 3, 2 / 3, 2 / 3]]
    for found in (
        unit_rows(dense),
        unit_rows(sparse.csr_matrix(dense)).toarray(),
    ):
        np.testing.assert_allclose(found, expected, rtol=1e-6)
        assert found.dtype == dtype


@pytest.mark.parametrize("n", [1, 511, 512, 513, 1100])
@pytest.mark.parametrize("d", [7, 64, 200])
def test_blocks_equal_one_product(n, d):
    queries, keys = rows(n, d), rows(5000, d, 1)
    expected = queries.astype(float) @ keys.astype(float).T
    np.testing.assert_allclose(cosines(queries, keys), expected, atol=2e-7)


def test_a_cosine_does_not_depend_on_how_many_queries_and_keys_there_are():
    queries, keys = rows(1100, 100), rows(6000, 100, 1)
    everything = cosines(queries, keys)
    fewer = cosines(queries[:530], keys[:100])
    np.testing.assert_array_equal(fewer, everything[:530, :100])


def test_rounding_stays_small_where_cosines_are_large():
    queries = rows(200, 300)
    keys = unit_rows(queries + 0.3 * rows(200, 300, 1))
    expected = queries.astype(float) @ keys.astype(float).T
    assert np.diagonal(expected).min() > 0.9
    # One sum over all 300 dimensions is off by up to 7e-7 here, and ties are within 1e-6.
    np.testing.assert_allclose(cosines(queries, keys), expected, rtol=0, atol=2.5e-7)


def test_no_product_is_larger_than_one_block(monkeypatch):
    shapes = []
    product = similarity._product

    def watched(queries, part):
        shapes.append((len(queries), part.shape[1]))
        return product(queries, part)

    monkeypatch.setattr(similarity, "_product", watched)
    similarity.mean_top_k(rows(600, 4), rows(5000, 4, 1), 10)
    assert shapes == [(similarity.ROWS, similarity.COLUMNS)] * (2 * 5)


def test_sparse_and_dense_rows_agree():
    generator = np.random.default_rng(2)
    dense = generator.random((300, 30)) * (generator.random((300, 30)) < 0.2)
    dense = unit_rows(dense.astype(np.float32))
    queries, keys = sparse.csr_matrix(dense[:280]), sparse.csr_matrix(dense)
    np.testing.assert_allclose(cosines(queries, keys), cosines(dense[:280], dense), atol=1e-6)


def order_of_everything(scores, k):
    """Descending; of equal scores the column that comes first."""
    columns = np.broadcast_to(np.arange(scores.shape[1]), scores.shape)
    return np.lexsort((columns, -scores), axis=1)[:, :k]


@pytest.mark.parametrize("k", [1, 10])
@pytest.mark.parametrize("order", ["random", "ascending", "descending", "ties", "constant"])
@pytest.mark.parametrize("width", [1, 7, 100, 1000])
def test_nearest_equals_sorting_everything(k, order, width):
    scores = np.random.default_rng(3).normal(size=(5, 1000)).astype(np.float32)
    if order != "random":
        scores.sort(axis=1)
    if order == "descending":
        scores = scores[:, ::-1]
    if order == "ties":
        scores = np.random.default_rng(4).integers(0, 4, scores.shape).astype(np.float32)
    if order == "constant":
        scores[:] = 0
    nearest = similarity.Nearest(5, k)
    for first in range(0, 1000, width):
        nearest.add(scores[:, first : first + width], first)
    expected = order_of_everything(scores, k)
    np.testing.assert_array_equal(nearest.columns, expected)
    np.testing.assert_array_equal(nearest.scores, np.take_along_axis(scores, expected, axis=1))


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
