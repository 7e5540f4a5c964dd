import numpy as np
import pytest

from cr5.systems.algebra.threads import Threads

SIZE = 2 * Threads.rows + 5


@pytest.fixture
def matrices():
    generator = np.random.default_rng(0)
    return [generator.standard_normal((SIZE, k)).astype(np.float32) for k in (7, 3)]


def test_products_equal_those_of_numpy(matrices):
    threads = Threads(2)
    V, T = matrices
    S = np.random.default_rng(1).standard_normal((7, 4))
    there, other = V.copy(), T
    np.testing.assert_allclose(threads.inner(there, other), V.T.astype(float) @ T, atol=1e-2)
    squares = threads.dots(other, other)
    np.testing.assert_allclose(squares, (T.astype(float) ** 2).sum(axis=0), rtol=1e-6)
    combined = threads.combine(there, S)
    np.testing.assert_allclose(combined, V @ S, atol=1e-5)
    assert combined.dtype == np.float32
    divisor = np.linspace(1, 3, SIZE, dtype=np.float32)[:, None]
    quotients = T.copy()
    products = threads.divide(quotients, divisor)
    np.testing.assert_allclose(quotients, T / divisor, rtol=1e-6)
    np.testing.assert_allclose(products, (T * (T / divisor)).sum(axis=0, dtype=float), rtol=1e-6)
    threads.compress(there, S)
    np.testing.assert_array_equal(there[:, :4], combined)
    np.testing.assert_array_equal(there[:, 4:], V[:, 4:])


def test_long_sums_are_kept_in_double_precision():
    ones = np.ones((SIZE, 1), np.float32)
    tiny = np.full((SIZE, 1), np.float32(2**-13))
    tiny[0] = 2**13  # single precision loses every other term beside it
    with Threads() as threads:
        total = threads.inner(ones, tiny)[0, 0]
    exact = 2**13 + (SIZE - 1) * 2**-13
    assert abs(total - exact) < 0.51 * Threads.rows * 2**-13 + 1e-9
    assert abs(total - 2**13) > 0.9
