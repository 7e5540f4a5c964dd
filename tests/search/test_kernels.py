import tracemalloc

import numpy as np
import pytest
from scipy import sparse
from threadpoolctl import ThreadpoolController, threadpool_info, threadpool_limits

from cr5.base.rows import unit_rows
from cr5.search import kernels


def rows(n, d, seed=0):
    return unit_rows(np.random.default_rng(seed).normal(size=(n, d)).astype(np.float32))


def cosines(queries, keys, kernel="product"):
    """All similarities."""
    return kernels.similarities(queries, keys, kernel)


def test_a_cosine_does_not_depend_on_how_many_queries_and_keys_there_are():
    queries = rows(1100, 100)
    keys = rows(6000, 100, 1)
    everything = cosines(queries, keys)
    fewer = cosines(queries[:530], keys[:100])
    np.testing.assert_array_equal(fewer, everything[:530, :100])
    np.testing.assert_array_equal(cosines(queries[:1], keys), everything[:1])


def test_blas_has_one_thread_and_its_libraries_are_looked_for_once(monkeypatch):
    looked = []
    monkeypatch.setattr(
        kernels, "ThreadpoolController", lambda: looked.append(1) or ThreadpoolController()
    )
    kernels._libraries.cache_clear()

    def numbers(*_):
        return {x["num_threads"] for x in threadpool_info() if x["user_api"] == "blas"}

    with threadpool_limits(2):
        for _ in range(3):
            assert kernels.by_rows(rows(2, 4), rows(3, 4), numbers) == [{1}]
        assert numbers() == {2}
    kernels._libraries.cache_clear()
    assert looked == [1]


def test_rounding_stays_small_where_cosines_are_large():
    queries = rows(200, 300)
    keys = unit_rows(queries + 0.3 * rows(200, 300, 1))
    expected = queries.astype(float) @ keys.astype(float).T
    assert np.diagonal(expected).min() > 0.9
    # One sum over all 300 dimensions is off by up to 7e-7 here, and ties are within 1e-6.
    np.testing.assert_allclose(cosines(queries, keys), expected, rtol=0, atol=2.5e-7)


def bag_rows(n, d, seed, kind):
    rows = sparse.random(n, d, 10 / (10 + d), "csr", np.float32, np.random.default_rng(seed))
    return kind(rows)


@pytest.mark.parametrize("kind", [sparse.csr_matrix.sorted_indices, unit_rows])
@pytest.mark.parametrize(
    ("n", "m", "d"), [(1, 1, 1), (30, 70, 9), (513, 1024, 60), (600, 2100, 4000), (40, 1025, 90000)]
)
def test_sparse_products_are_those_of_scipy_to_the_bit(kind, n, m, d):
    """Which of the two is transposed, and how it is cut, changes no order of summation."""
    queries = bag_rows(n, d, 0, kind)
    keys = bag_rows(m, d, 1, kind)
    products = cosines(queries, keys)
    assert products.dtype == np.float32
    np.testing.assert_array_equal(products, (queries @ keys.T.tocsr()).toarray())


def test_many_blocks_of_many_columns_take_little_memory(monkeypatch):
    monkeypatch.setattr(kernels, "COLUMNS", 10)
    queries, keys = (
        sparse.csr_matrix((np.ones(n, np.float32), (range(n), range(n))), (n, 1_000_000))
        for n in (5, 400)
    )
    tracemalloc.start()
    seen = kernels.by_rows(queries, keys, lambda _, scores: scores.sum())
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert sum(seen) == 5
    assert peak < 20e6  # a pointer per column is 4 MB; there are 40 blocks


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_matrix])
def test_equal_shares_are_nearest_however_they_are_rounded(kind):
    """Of many such rows rounding makes some divergences less than zero, without a square root."""
    shares = np.random.default_rng(0).dirichlet(np.full(50, 0.1), 300).astype(np.float32)
    queries = kind(shares * np.float32(0.9999999))
    keys = kind(shares)
    similarities = cosines(queries, keys, "jensen_shannon")
    assert similarities.argmax(axis=1).tolist() == list(range(300))
    np.testing.assert_allclose(similarities.diagonal(), 0, atol=1e-12)
    numbers = np.arange(300)
    exact = kernels.pairwise(queries, numbers, keys, numbers, "jensen_shannon")
    np.testing.assert_allclose(exact, 0, atol=1e-12)
