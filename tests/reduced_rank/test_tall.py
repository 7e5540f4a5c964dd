from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from cr5.reduced_rank import tall

SIZE = 2 * tall.ROWS + 5


@pytest.fixture
def matrices():
    generator = np.random.default_rng(0)
    return [generator.standard_normal((SIZE, k)).astype(np.float32) for k in (7, 3)]


@pytest.mark.parametrize("threads", [1, 2])
def test_products_equal_those_of_numpy(matrices, threads):
    V, T = matrices
    S = np.random.default_rng(1).standard_normal((7, 4))
    with ThreadPoolExecutor(threads) as pool:
        np.testing.assert_allclose(tall.inner(pool, V, T), V.T.astype(float) @ T, atol=1e-2)
        combined = tall.combine(pool, V, S)
        np.testing.assert_allclose(combined, V @ S, atol=1e-5)
        assert combined.dtype == np.float32
        before = V.copy()
        tall.compress(pool, V, S)
    np.testing.assert_array_equal(V[:, :4], combined)
    np.testing.assert_array_equal(V[:, 4:], before[:, 4:])


def test_long_sums_are_kept_in_double_precision():
    ones = np.ones((SIZE, 1), np.float32)
    tiny = np.full((SIZE, 1), np.float32(2**-13))
    tiny[0] = 2**13  # single precision loses every other term beside it
    with ThreadPoolExecutor(1) as pool:
        total = tall.inner(pool, ones, tiny)[0, 0]
    exact = 2**13 + (SIZE - 1) * 2**-13
    assert abs(total - exact) < 0.51 * tall.ROWS * 2**-13 + 1e-9
    assert abs(total - 2**13) > 0.9
