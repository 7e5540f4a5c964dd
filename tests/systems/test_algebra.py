"""Products on threads against NumPy; Lanczos and Cholesky: `test_projections`."""

import numpy as np
import pytest
from scipy import sparse

from cr5.systems.algebra import threads
from cr5.systems.algebra.threads import ROWS, Threads, multiply_transposed


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
def test_products_equal_the_dense_ones(X, dtype, width, monkeypatch):
    monkeypatch.setattr(threads, "ROWS", 5)
    generator, share = np.random.default_rng(5), Threads(2)
    U, Z = (generator.standard_normal((size, width)).astype(dtype) for size in (13, 24))
    shift = generator.standard_normal(width).astype(dtype)
    block = share.filled("any", U)
    assert all(row.ctypes.data % 64 == 0 for row in block)  # cache lines
    out = np.full((24, width + 2), np.nan, dtype)
    share.multiply(X, block, shift, out[:, 1:-1])
    accuracy = 50 * np.finfo(dtype).eps
    np.testing.assert_allclose(out[:, 1:-1], X.toarray() @ U - shift, atol=accuracy)
    assert np.isnan(out[:, [0, -1]]).all()
    found = multiply_transposed(X, Z, shift)
    np.testing.assert_allclose(found, X.T @ (Z - shift), atol=accuracy)


def test_long_sums_are_kept_in_double_precision():
    size = 2 * ROWS + 5
    ones, tiny = np.ones((size, 1), np.float32), np.full((size, 1), np.float32(2**-13))
    tiny[0] = 2**13  # single precision loses every other term beside it
    exact = 2**13 + (size - 1) * 2**-13
    assert abs(Threads().inner(ones, tiny)[0, 0] - exact) < 0.51 * ROWS * 2**-13 + 1e-9
