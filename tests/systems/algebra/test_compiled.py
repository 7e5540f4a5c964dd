import numpy as np
import pytest
from scipy import sparse

from cr5.systems.algebra import compiled
from cr5.systems.algebra.threads import Threads


@pytest.fixture(params=[np.float32, np.float64])
def dtype(request):
    return request.param


@pytest.fixture(name="X")
def make_matrix(dtype):
    """Rows of 0 to 11 entries, so that blocks of entries have every remainder."""
    generator = np.random.default_rng(4)
    counts = np.arange(24) % 12
    columns = [generator.choice(13, count, replace=False) for count in counts]
    data = generator.standard_normal(counts.sum()).astype(dtype)
    ends = np.concatenate([[0], np.cumsum(counts)])
    return sparse.csr_matrix((data, np.concatenate(columns), ends), shape=(24, 13))


@pytest.mark.parametrize("width", [1, 5, 32, 64, 75])
def test_products_equal_the_dense_ones(X, dtype, width):
    generator = np.random.default_rng(5)
    U, Z = (generator.standard_normal((size, width)).astype(dtype) for size in (13, 24))
    shift = generator.standard_normal(width).astype(dtype)
    out = np.full((24, width + 2), np.nan, dtype)
    compiled.multiply(X, slice(3, 20), compiled.block(U), shift, out[:, 1:-1])
    accuracy = 50 * np.finfo(dtype).eps
    np.testing.assert_allclose(out[3:20, 1:-1], (X.toarray() @ U - shift)[3:20], atol=accuracy)
    assert np.isnan(out[:3]).all() and np.isnan(out[20:]).all()
    assert np.isnan(out[:, [0, -1]]).all()
    added = compiled.block(np.ones((13, width), dtype))
    compiled.add_transposed(X, slice(3, 20), compiled.block(Z[3:20]), added)
    np.testing.assert_allclose(added[:, :width], 1 + X[3:20].T @ Z[3:20], atol=accuracy)
    assert (added[:, width:] == 0).all()


@pytest.mark.parametrize("width, filled", [(1, 32), (32, 32), (33, 64)])
def test_every_row_of_a_block_begins_at_a_cache_line(dtype, width, filled):
    U = np.arange(13.0 * 100).reshape(13, 100).astype(dtype)[:, 7 : 7 + width]
    made = compiled.block(U)
    assert made.shape == (13, filled) and made.dtype == dtype
    assert all(row.ctypes.data % 64 == 0 for row in made)
    np.testing.assert_array_equal(made[:, :width], U)
    assert (made[:, width:] == 0).all()


def test_a_word_that_is_stored_twice_in_a_row_counts_twice(dtype):
    data, columns = np.array([1, 2, 4, 8, 16], dtype), np.array([1, 1, 0, 1, 1])
    X = sparse.csr_matrix((data, columns, np.array([0, 5])), shape=(1, 2))
    U, out = np.array([[1.0], [10.0]], dtype), np.empty((1, 1), dtype)
    compiled.multiply(X, slice(0, 1), compiled.block(U), np.zeros(1, dtype), out)
    assert out[0, 0] == 4 + 10 * 27
    added = compiled.block(np.zeros((2, 1), dtype))
    compiled.add_transposed(X, slice(0, 1), compiled.block(np.ones((1, 1), dtype)), added)
    np.testing.assert_array_equal(added[:, :1], [[4], [27]])


def test_rows_are_summed_where_they_are(X, dtype):
    ones, U = X.copy(), np.random.default_rng(4).standard_normal((13, 9)).astype(dtype)
    ones.data[:] = 1
    out = np.full((24, 7), np.nan, dtype)
    compiled.sum_rows(ones, slice(3, 20), U[:, 1:-3], out[:, 1:-1])
    np.testing.assert_allclose(out[3:20, 1:-1], (ones @ U[:, 1:-3])[3:20], rtol=1e-5, atol=1e-6)
    assert np.isnan(out[:3]).all()
    assert np.isnan(out[20:]).all()
    assert np.isnan(out[:, [0, -1]]).all()


def test_large_indices_are_understood(X, dtype):
    """SciPy takes 64-bit indices where a matrix has 2^31 entries or more."""
    large = sparse.csr_matrix((24, 13), dtype=dtype)
    large.data, large.indices = X.data, X.indices.astype(np.int64)
    large.indptr = X.indptr.astype(np.int64)
    with Threads() as threads:
        Z, zero = np.ones((24, 2), dtype), np.zeros(2, dtype)
        found, expected = (threads.multiply_transposed(each, Z, zero) for each in (large, X))
    np.testing.assert_array_equal(found, expected)


@pytest.fixture
def rows():
    made = sparse.csr_matrix(sparse.random_array((40, 25), density=0.3, rng=0))
    made.sort_indices()
    return made


@pytest.mark.parametrize("first, last", [(0, 25), (0, 1), (7, 19), (24, 25)])
def test_it_adds_the_lower_triangle_of_the_dense_product(rows, first, last):
    X = rows
    out = np.ones((25 - first, last - first), order="F")
    compiled.add_gram(X.T.tocsr(), X, first, -0.5, out)
    expected = 1 - 0.5 * (X.T @ X).toarray()[first:, first:last]
    below = np.tril(np.ones(out.shape, bool))
    np.testing.assert_allclose(out[below], expected[below])
    assert (out[~below] == 1).all()


def test_no_rows_add_nothing():
    nothing = sparse.csr_matrix((0, 5))
    out = np.ones((5, 5), order="F")
    compiled.add_gram(nothing.T.tocsr(), nothing, 0, 1, out)
    assert (out == 1).all()
