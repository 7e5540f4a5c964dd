"""Products on threads, Lanczos and Cholesky against NumPy, SciPy and what was planted."""

import numpy as np
import pytest
from scipy import sparse

from cr5.systems.algebra import cholesky, krylov, threads
from cr5.systems.algebra.cholesky import Cholesky
from cr5.systems.algebra.krylov import largest
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


def test_words_stored_twice_count_twice_and_large_indices_are_understood(dtype):
    """SciPy takes 64-bit indices where a matrix has 2^31 entries or more."""
    X = sparse.csr_matrix((1, 2), dtype=dtype)
    X.data, X.indices = np.array([1, 2, 4, 8, 16], dtype), np.array([1, 1, 0, 1, 1], np.int64)
    X.indptr = np.array([0, 5], np.int64)
    share, out = Threads(), np.empty((1, 1), dtype)
    share.multiply(X, share.filled("any", np.array([[1.0], [10.0]], dtype)), 0, out)
    assert out[0, 0] == 4 + 10 * 27
    one = np.ones((1, 1), dtype)
    np.testing.assert_array_equal(multiply_transposed(X, one, 0 * one[0]), [[4], [27]])


def test_tall_products_equal_those_of_numpy():
    generator, share = np.random.default_rng(0), Threads(2)
    V, T = (generator.standard_normal((2 * ROWS + 5, k)).astype(np.float32) for k in (7, 3))
    S = generator.standard_normal((7, 4))
    np.testing.assert_allclose(share.inner(V, T), V.T.astype(float) @ T, atol=1e-2)
    np.testing.assert_allclose(share.dots(T, T), (T.astype(float) ** 2).sum(axis=0), rtol=1e-6)
    combined = share.combine(V, S)
    np.testing.assert_allclose(combined, V @ S, atol=1e-5)
    assert combined.dtype == np.float32
    there = V.copy()
    share.combine(there, S, there[:, :4])
    np.testing.assert_array_equal(there, np.hstack([combined, V[:, 4:]]))


def test_long_sums_are_kept_in_double_precision():
    size = 2 * ROWS + 5
    ones, tiny = np.ones((size, 1), np.float32), np.full((size, 1), np.float32(2**-13))
    tiny[0] = 2**13  # single precision loses every other term beside it
    exact = 2**13 + (size - 1) * 2**-13
    assert abs(Threads().inner(ones, tiny)[0, 0] - exact) < 0.51 * ROWS * 2**-13 + 1e-9


SIZE, K = 300, 12
SPECTRA = {
    "falling": 1 / np.arange(1.0, SIZE + 1),
    "both signs": np.linspace(-1, 1, SIZE),
    "all negative": -np.arange(1.0, SIZE + 1),
    "one value many times": np.r_[np.full(8, 3.0), np.linspace(1, 0, SIZE - 8)],
    "less rank than wanted": np.r_[np.arange(5.0, 0, -1), np.zeros(SIZE - 5)],
    "identity": np.ones(SIZE),
    "tiny": 1e-100 / np.arange(1.0, SIZE + 1),
}


@pytest.mark.parametrize("k", [K, SIZE - 3])
@pytest.mark.parametrize("spectrum", SPECTRA)
def test_the_spectrum_that_was_planted_is_found(spectrum, k, monkeypatch):
    """In a basis of 60 columns, which has to restart; or nearly all pairs, by writing out."""
    monkeypatch.setattr(krylov, "BLOCK", 8)
    monkeypatch.setattr(krylov, "RESTARTS", 200)
    expected = SPECTRA[spectrum]
    Q = np.linalg.qr(np.random.default_rng(0).normal(size=(SIZE, SIZE)))[0]
    A, scale = Q * expected @ Q.T, np.abs(expected).max()
    values, vectors, residuals = largest(lambda V: A @ V, SIZE, k, 1e-9, Threads(2))
    np.testing.assert_allclose(values, np.sort(expected)[::-1][:k], atol=1e-9 * scale)
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(k), atol=1e-10)
    true = np.linalg.norm(A @ vectors - vectors * values, axis=0)
    told = residuals * np.maximum(np.abs(values), 1e-6 * values[0])
    np.testing.assert_allclose(true, told, atol=1e-12 * scale)
    assert (residuals <= 1e-9).all()


def definite(size):
    X = np.random.default_rng(0).normal(size=(size + 20, size))
    return X.T @ X / size + np.eye(size)


def panels_of(A):
    """The lower triangle alone: what is above it must not be read."""

    def make(first, last):
        panel = np.array(A[first:, first:last])
        panel[np.triu_indices(last - first, 1)] = np.nan
        return panel

    return make


@pytest.mark.parametrize("columns", [1, 130])
@pytest.mark.parametrize("size", [1, 63, 64, 65, 200])
def test_factors_solve_as_those_that_numpy_finds(monkeypatch, size, columns):
    monkeypatch.setattr(cholesky, "PANEL", 64)
    monkeypatch.setattr(threads, "ROWS", 50)
    A, found = definite(size), set()
    L, B = np.linalg.cholesky(A), np.random.default_rng(1).normal(size=(size, columns))
    for number in (1, 3):
        factor = Cholesky(size, panels_of(A), Threads(number))
        X, Y = B.copy(), B.copy()
        factor.solve(X)
        factor.solve_transposed(Y)
        found.add(X.tobytes() + Y.tobytes())
    np.testing.assert_allclose(L @ X, B, atol=1e-12)
    np.testing.assert_allclose(L.T @ Y, B, atol=1e-12)
    assert len(found) == 1


def test_a_matrix_that_is_not_definite_is_refused():
    A = definite(90)
    A[80, 80] = -1
    with pytest.raises(np.linalg.LinAlgError):
        Cholesky(90, panels_of(A), Threads())
