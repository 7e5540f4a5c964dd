import numpy as np
import pytest

from cr5.systems.algebra import cholesky
from cr5.systems.algebra.cholesky import Cholesky, panel_bytes
from cr5.systems.algebra.threads import Threads


def definite(size, seed=0):
    X = np.random.default_rng(seed).normal(size=(size + 20, size))
    return X.T @ X / size + np.eye(size)


def panels_of(A):
    """The lower triangle alone: what is above it must not be read."""

    def make(first, last):
        panel = np.array(A[first:, first:last])
        panel[np.triu_indices(last - first, 1)] = np.nan
        return panel

    return make


@pytest.fixture(params=[0, 1, 63, 64, 65, 200])
def matrix(request, monkeypatch):
    monkeypatch.setattr(cholesky, "PANEL", 64)
    return definite(request.param)


@pytest.mark.parametrize("columns", [1, 130])
def test_it_solves_with_the_factor_that_numpy_finds(matrix, columns):
    A = matrix
    L = np.linalg.cholesky(A) if len(A) else A
    B = np.random.default_rng(1).normal(size=(len(A), columns))
    with Threads(2) as threads:
        factor = Cholesky(len(A), panels_of(A), threads)
        X, Y = B.copy(), B.copy()
        factor.solve(X)
        factor.solve_transposed(Y)
    np.testing.assert_allclose(L @ X, B, atol=1e-12)
    np.testing.assert_allclose(L.T @ Y, B, atol=1e-12)


def test_threads_change_no_byte(monkeypatch):
    monkeypatch.setattr(cholesky, "PANEL", 64)
    monkeypatch.setattr(Threads, "rows", 50)
    A, found = definite(300), []
    for threads in (1, 3):
        X = np.random.default_rng(1).normal(size=(300, 130))
        with Threads(threads) as opened:
            Cholesky(300, panels_of(A), opened).solve(X)
        found.append(X.tobytes())
    assert found[0] == found[1]


def test_a_matrix_that_is_not_definite_is_refused():
    A = definite(90)
    A[80, 80] = -1
    with Threads() as threads, pytest.raises(np.linalg.LinAlgError):
        Cholesky(90, panels_of(A), threads)


@pytest.mark.parametrize("size", [1, 256, 1000])
def test_bytes_are_those_of_the_panels(size):
    with Threads() as threads:
        factor = Cholesky(size, panels_of(np.eye(size)), threads)
    held = sum(panel.nbytes for panel in factor.panels)
    assert held <= panel_bytes(size) <= 1.5 * held + 2**20 or size == 1
