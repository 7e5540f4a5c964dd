import numpy as np
import pytest

from cr5.base.rows import unit_rows
from cr5.search import nearest, similarity


def rows(n, d, seed=0):
    return unit_rows(np.random.default_rng(seed).normal(size=(n, d)).astype(np.float32))


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
    found = nearest.Nearest(5, k)
    for first in range(0, 1000, width):
        found.add(scores[:, first : first + width], first)
    expected = order_of_everything(scores, k)
    np.testing.assert_array_equal(found.columns, expected)
    np.testing.assert_array_equal(found.scores, np.take_along_axis(scores, expected, axis=1))


@pytest.mark.parametrize("k", [1, 10, 50])
def test_mean_top_k_equals_sorting_everything(k):
    queries, keys = rows(200, 8), rows(30, 8, 1)
    cosines = np.sort(queries.astype(float) @ keys.astype(float).T, axis=1)
    expected = cosines[:, -min(k, 30) :].mean(axis=1)
    np.testing.assert_allclose(nearest.mean_top_k(queries, keys, k), expected, atol=1e-6)


@pytest.mark.parametrize("k", [1, 10, 50])
@pytest.mark.parametrize("cuts", [[], [3], [10, 24]])
def test_mean_top_k_of_columns_is_that_of_the_columns_put_together(k, cuts):
    cosines = np.random.default_rng(0).normal(size=(30, 130)).astype(np.float32)
    expected = [np.mean(sorted(column.tolist())[-k:]) for column in cosines.T]
    found = nearest.mean_top_k_of_columns(np.split(cosines, cuts), k)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, expected, rtol=1e-6)


@pytest.mark.parametrize("penalised", [False, True])
@pytest.mark.parametrize("k", [1, 4, 50])
def test_of_nearest_equals_sorting_everything(k, penalised):
    queries, keys = rows(600, 8), rows(30, 8, 1)
    penalty = np.linspace(-1, 1, 30, dtype=np.float32) if penalised else None
    scores = queries.astype(float) @ keys.astype(float).T - (penalty if penalised else 0)
    found = nearest.of_nearest(queries, keys, k, lambda found: found.columns, penalty)
    np.testing.assert_array_equal(found, order_of_everything(scores, min(k, 30)))


def test_threads_change_no_bit():
    queries, keys = rows(700, 40), rows(900, 40, 1)
    one, two = (nearest.mean_top_k(queries, keys, 10, threads) for threads in (1, 3))
    np.testing.assert_array_equal(one, two)


def test_no_queries():
    none = nearest.of_nearest(rows(3, 4)[:0], rows(5, 4), 2, lambda found: found.columns)
    assert none.shape == (0, 2)
    assert nearest.mean_top_k(rows(3, 4)[:0], rows(5, 4), 10).shape == (0,)


@pytest.mark.parametrize(("n_rows", "n_columns"), [(1, 8), (16, 50), (64, 7)])
def test_the_shape_of_the_blocks_changes_no_mean(monkeypatch, n_rows, n_columns):
    queries, keys = rows(130, 8), rows(90, 8, 1)
    expected = nearest.mean_top_k(queries, keys, 10)
    monkeypatch.setattr(similarity, "ROWS", n_rows)
    monkeypatch.setattr(similarity, "COLUMNS", n_columns)
    found = nearest.mean_top_k(queries, keys, 10, 2)
    np.testing.assert_allclose(found, expected, rtol=0, atol=3e-7)
