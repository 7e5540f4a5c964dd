import tracemalloc

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from threadpoolctl import ThreadpoolController, threadpool_info, threadpool_limits

from cr5.base.rows import unit_rows
from cr5.search import kernels
from cr5.search.kernels import similarities
from tests.search.drawn import unit


def test_a_cosine_does_not_depend_on_how_many_queries_and_keys_there_are():
    queries = unit(1100, 100, 0)
    keys = unit(6000, 100, 1)
    cosines = similarities(queries, keys)
    assert_array_equal(similarities(queries[:530], keys[:100]), cosines[:530, :100])
    assert_array_equal(similarities(queries[:1], keys), cosines[:1])


def test_blas_has_one_thread_and_its_libraries_are_looked_for_once(monkeypatch):
    controllers = []

    def new_controller():
        controllers.append(ThreadpoolController())
        return controllers[-1]

    def blas_threads(*_):
        libraries = [library for library in threadpool_info() if library["user_api"] == "blas"]
        return {library["num_threads"] for library in libraries}

    monkeypatch.setattr(kernels, "ThreadpoolController", new_controller)
    kernels._libraries.cache_clear()
    with threadpool_limits(2):
        for _ in range(3):
            assert kernels.by_rows(unit(2, 4, 0), unit(3, 4, 0), blas_threads) == [{1}]
        assert blas_threads() == {2}
    kernels._libraries.cache_clear()
    assert len(controllers) == 1


def test_rounding_stays_small_where_cosines_are_large():
    queries = unit(200, 300, 0)
    keys = unit_rows(queries + 0.3 * unit(200, 300, 1))
    expected = queries.astype(float) @ keys.astype(float).T
    assert np.diagonal(expected).min() > 0.9
    # One sum over all 300 dimensions is off by up to 7e-7 here, and ties are within 1e-6.
    assert_allclose(similarities(queries, keys), expected, rtol=0, atol=2.5e-7)


def sparse_rows(n_rows, n_columns, seed):
    generator = np.random.default_rng(seed)
    density = 10 / (10 + n_columns)
    return sparse.random(n_rows, n_columns, density, "csr", np.float32, generator)


@pytest.mark.parametrize("kind", [sparse.csr_matrix.sorted_indices, unit_rows])
@pytest.mark.parametrize(
    ("n_queries", "n_keys", "n_columns"),
    [(1, 1, 1), (30, 70, 9), (513, 1024, 60), (600, 2100, 4000), (40, 1025, 90000)],
)
def test_sparse_products_are_those_of_scipy_to_the_bit(kind, n_queries, n_keys, n_columns):
    """Which of the two is transposed, and how it is cut, changes no order of summation."""
    queries = kind(sparse_rows(n_queries, n_columns, 0))
    keys = kind(sparse_rows(n_keys, n_columns, 1))
    products = similarities(queries, keys)
    expected = queries @ keys.T.tocsr()
    assert products.dtype == np.float32
    assert_array_equal(products, expected.toarray())


def test_many_blocks_of_many_columns_take_little_memory(monkeypatch):
    monkeypatch.setattr(kernels, "COLUMNS", 10)
    keys = sparse.csr_matrix(sparse.eye_array(400, 1_000_000, dtype=np.float32))
    queries = keys[:5]

    def total(_, scores):
        return scores.sum()

    tracemalloc.start()
    totals = kernels.by_rows(queries, keys, total)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert sum(totals) == 5
    assert peak < 20e6  # a pointer per column is 4 MB; there are 40 blocks


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_matrix])
def test_equal_shares_are_nearest_however_they_are_rounded(kind):
    """Of many such rows rounding makes some divergences less than zero, without a square root."""
    generator = np.random.default_rng(0)
    shares = generator.dirichlet(np.full(50, 0.1), 300).astype(np.float32)
    queries = kind(shares * np.float32(0.9999999))
    keys = kind(shares)
    negative_divergences = similarities(queries, keys, "jensen_shannon")
    assert negative_divergences.argmax(axis=1).tolist() == list(range(300))
    assert_allclose(negative_divergences.diagonal(), 0, atol=1e-12)
    numbers = np.arange(300)
    of_pairs = kernels.pairwise(queries, numbers, keys, numbers, "jensen_shannon")
    assert_allclose(of_pairs, 0, atol=1e-12)
