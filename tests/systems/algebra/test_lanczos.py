import numpy as np
import pytest
from scipy.sparse.linalg import eigsh

from cr5.systems.algebra.lanczos import LanczosSettings, basis_size, largest
from cr5.systems.algebra.threads import Threads

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
SETTINGS = LanczosSettings(1e-9, block=8, basis=48, max_restarts=200)


def planted(spectrum, seed=0):
    Q = np.linalg.qr(np.random.default_rng(seed).normal(size=(SIZE, SIZE)))[0]
    A = Q * spectrum @ Q.T
    return (A + A.T) / 2


def run(A, k=K, settings=SETTINGS, threads=1):
    with Threads(threads) as opened:
        return largest(lambda V: A @ V, len(A), k, settings, opened)


@pytest.fixture(params=SPECTRA)
def spectrum(request):
    return SPECTRA[request.param]


def test_what_was_planted_is_found(spectrum):
    A = planted(spectrum)
    found = run(A)
    scale = np.abs(spectrum).max()
    np.testing.assert_allclose(found.values, np.sort(spectrum)[::-1][:K], atol=1e-9 * scale)
    np.testing.assert_allclose(found.vectors.T @ found.vectors, np.eye(K), atol=1e-10)
    true = np.linalg.norm(A @ found.vectors - found.vectors * found.values, axis=0)
    np.testing.assert_allclose(true, found.residuals, atol=1e-12 * scale)
    assert found.converged


def test_arpack_agrees():
    A = planted(SPECTRA["falling"])
    values, vectors = eigsh(A, 4, which="LA", v0=np.ones(SIZE))
    found = run(A, 4)
    np.testing.assert_allclose(found.values, values[::-1], rtol=1e-10)
    agreement = np.diag(vectors[:, ::-1].T @ found.vectors)
    np.testing.assert_allclose(np.abs(agreement), 1, atol=1e-8)


def test_nearly_all_pairs_are_found_by_writing_out():
    A = planted(SPECTRA["both signs"])
    found = run(A, SIZE - 3)
    np.testing.assert_allclose(found.values, SPECTRA["both signs"][::-1][: SIZE - 3], atol=1e-12)
    assert found.converged and found.restarts == 0


def test_it_stops_where_it_is_told_to_and_says_so():
    A = planted(SPECTRA["both signs"])
    found = run(A, settings=LanczosSettings(1e-14, block=8, basis=48, max_restarts=2))
    assert not found.converged
    assert found.restarts == 2
    true = np.linalg.norm(A @ found.vectors - found.vectors * found.values, axis=0)
    np.testing.assert_allclose(true, found.residuals, atol=1e-12)


def test_a_larger_basis_takes_no_more_products():
    A = planted(SPECTRA["both signs"])
    small, large = (run(A, settings=LanczosSettings(1e-9, 8, basis, 200)) for basis in (40, 120))
    assert large.products < small.products
    np.testing.assert_allclose(small.values, large.values, atol=1e-9)


def test_threads_and_runs_change_no_byte():
    A = planted(SPECTRA["falling"])
    first, second, third = run(A), run(A), run(A, threads=3)
    assert first.vectors.tobytes() == second.vectors.tobytes() == third.vectors.tobytes()


@pytest.mark.parametrize("size, k, block", [(100, 80, 64), (10_000, 500, 64), (10_000, 5, 64)])
def test_a_basis_has_room_and_is_no_larger_than_the_space(size, k, block):
    assert k < basis_size(size, k, block) <= size
