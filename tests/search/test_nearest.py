"""The nearest keys against sorting everything, in float64."""

import itertools

import numpy as np
import pytest
from scipy import sparse

from cr5.base.rows import HybridRows, normalised, unit_rows
from cr5.search import nearest
from cr5.search.nearest import best
from tests.kit.inside import dense


def order_of_everything(scores, k):
    """Descending; of equal scores the column that comes first."""
    columns = np.broadcast_to(np.arange(scores.shape[1]), scores.shape)
    return np.lexsort((columns, -scores), axis=1)[:, :k]


def seen(scores, borders, k):
    """Return what was seen of the columns between the borders, block by block."""
    top = nearest.Nearest(len(scores), k)
    for start, stop in itertools.pairwise(borders):
        top.see(start, scores[:, start:stop].copy())
    return top


@pytest.mark.parametrize("k", [1, 10])
@pytest.mark.parametrize("order", ["random", "ascending", "descending", "ties", "constant"])
def test_the_top_equals_sorting_everything(k, order):
    scores = np.random.default_rng(3).normal(size=(5, 1000)).astype(np.float32)
    if order != "random":
        scores.sort(axis=1)
    if order == "descending":
        scores = scores[:, ::-1]
    if order == "ties":
        scores = np.random.default_rng(4).integers(0, 4, scores.shape).astype(np.float32)
    if order == "constant":
        scores[:] = 0
    expected = order_of_everything(scores, k)
    # Seen at once, in blocks, and by two of which the second sees what follows.
    for borders in ([0, 1000], [0, 3, 400, 999, 1000]):
        top = seen(scores, borders, k)
        np.testing.assert_array_equal(top.columns, expected)
        np.testing.assert_array_equal(top.scores, np.take_along_axis(scores, expected, 1))
    parts = [seen(scores, [0, 300], k), seen(scores, [300, 700, 1000], k)]
    np.testing.assert_array_equal(nearest.merged([parts]).columns, expected)


@pytest.mark.parametrize("n", [1, 7, 100, 1000])
@pytest.mark.parametrize("order", ["random", "ties"])
def test_means_of_columns_equal_sorting_everything(n, order):
    scores = np.random.default_rng(n).normal(size=(n, 70)).astype(np.float32)
    if order == "ties":
        scores = scores.round(1)
    expected = np.sort(scores.astype(float), axis=0)[-10:].mean(axis=0)
    means = nearest.mean_top_k_of_columns(scores, 10)
    np.testing.assert_array_equal(means, expected.astype(np.float32))


@pytest.mark.parametrize("penalised", [False, True])
@pytest.mark.parametrize("k", [1, 4, 50])
def test_the_nearest_of_queries_equal_sorting_everything(k, penalised):
    generator = np.random.default_rng(0)
    queries, keys = (unit_rows(generator.normal(size=(n, 8)).astype("float32")) for n in (600, 30))
    penalty = np.linspace(-1, 1, 30, dtype=np.float32) if penalised else None
    scores = queries.astype(float) @ keys.astype(float).T - (penalty if penalised else 0)
    _, columns = nearest.nearest(queries, keys, k, penalty)
    np.testing.assert_array_equal(columns, order_of_everything(scores, min(k, 30)))


def rows(kind, n, seed, norm="l2"):
    generator = np.random.default_rng(seed)
    wide = generator.normal(size=(n, 12)).astype(np.float32)
    thin = sparse.csr_matrix(wide * (generator.random((n, 12)) < 0.5))
    by_kind = {"dense": wide, "sparse": thin, "joined": HybridRows(wide, thin)}
    return normalised(by_kind[kind], norm)


def full(matrix):
    return np.hstack(dense(matrix)).astype(float)


@pytest.mark.parametrize("kernel", ["product", "l1"])
@pytest.mark.parametrize("kind", ["dense", "sparse", "joined"])
@pytest.mark.parametrize("n", [1, 300])
def test_best_equals_sorting_everything_in_float64(kind, kernel, n):
    """Some keys are excluded; queries alone are as among others."""
    norm = "l1" if kernel == "l1" else "l2"
    queries = rows(kind, n, 1, norm)
    keys = rows(kind, 1300, 2, norm)
    X = full(queries)
    Y = full(keys)
    scores = X @ Y.T if kernel == "product" else -np.abs(X[:, None] - Y[None]).sum(axis=2)
    penalty = np.random.default_rng(3).uniform(size=1300).astype(np.float32)
    excluding = penalty.copy()
    excluding[::2] = np.inf
    for k in (5, 1, 700) if kind == "dense" else (5, 1):
        for subtracted in (0 * penalty, excluding):
            expected = scores - subtracted
            exact, columns = best(queries, keys, k, subtracted, kernel)
            order = order_of_everything(expected, k)
            is_there = np.isfinite(np.take_along_axis(expected, order, 1))
            np.testing.assert_array_equal(np.isfinite(exact), is_there)
            np.testing.assert_array_equal(columns[is_there], order[is_there])
            wanted = np.take_along_axis(expected, order, 1)
            np.testing.assert_allclose(exact, wanted, atol=1e-12, rtol=1e-12)
    alone, columns_alone = best(queries[n - 1 : n], keys, k, excluding, kernel)
    np.testing.assert_array_equal(alone[0], exact[-1])
    np.testing.assert_array_equal(columns_alone[0][is_there[-1]], columns[-1][is_there[-1]])


def test_of_equal_keys_the_first_are_taken():
    queries = rows("dense", 3, 1)
    keys = np.repeat(rows("dense", 50, 2), 40, axis=0)
    nearest_one = (full(queries) @ full(keys).T)[:, ::40].argmax(axis=1)
    expected = nearest_one[:, None] * 40 + np.arange(10)
    np.testing.assert_array_equal(best(queries, keys, 10, np.zeros(2000))[1], expected)
    nothing_in_common = sparse.csr_matrix(np.eye(5, dtype=np.float32)[np.arange(4000) % 4])
    unlike = sparse.csr_matrix(np.eye(5, dtype=np.float32)[4:])
    exact, columns = best(unlike, nothing_in_common, 10, np.zeros(4000))
    assert columns.tolist() == [list(range(10))]
    assert (exact == 0).all()


def test_close_keys_are_told_apart_whatever_float32_says():
    """Scores 3e-9 apart, of which it knows nothing."""
    keys = np.zeros((100, 2), np.float32)
    keys[:, 0] = 1
    keys[:, 1] = 2e-7 * np.random.default_rng(0).permutation(100)
    _, columns = best(np.array([[1, 2**-6]], np.float32), keys, 10, np.zeros(100))
    np.testing.assert_array_equal(columns[0], np.argsort(-keys[:, 1])[:10])
