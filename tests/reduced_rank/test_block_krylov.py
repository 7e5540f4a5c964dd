import numpy as np
import pytest
from scipy import linalg

from cr5.reduced_rank.block_krylov import leading_eigenpairs

SIZE = 200


def planted(values, seed=0):
    """A symmetric matrix with the given leading eigenvalues, the rest zero, and its basis."""
    generator = np.random.default_rng(seed)
    basis = np.linalg.qr(generator.standard_normal((SIZE, SIZE)))[0][:, : len(values)]
    return (basis * values) @ basis.T, basis


def find(M, rank, block, tolerance=1e-8, max_iterations=200, **options):
    start = np.random.default_rng(9).standard_normal((len(M), block))
    return leading_eigenpairs(lambda P: M @ P, start, rank, tolerance, max_iterations, **options)


SPECTRA = {
    "geometric": 0.9 ** np.arange(SIZE),
    "slow": 1 / np.sqrt(1 + np.arange(SIZE)),
    "four equal, then a gap": np.concatenate([np.full(4, 3.0), np.linspace(2, 0, SIZE - 4)]),
    "rank 12": np.arange(12.0, 0, -1),
}


@pytest.mark.parametrize("values", SPECTRA.values(), ids=SPECTRA)
def test_recovers_planted_eigenpairs(values):
    M, basis = planted(values)
    pairs = find(M, rank=10, block=14)
    assert pairs.converged
    np.testing.assert_allclose(pairs.values, values[:10], rtol=1e-10)
    # The error of a subspace is the residual over the gap, which is above 0.01 in all spectra.
    assert linalg.subspace_angles(pairs.vectors, basis[:, :10]).max() < 1e-5
    np.testing.assert_allclose(pairs.vectors.T @ pairs.vectors, np.eye(10), atol=1e-12)


def test_estimated_residuals_are_the_true_ones():
    M, _ = planted(SPECTRA["slow"])
    pairs = find(M, rank=10, block=14, tolerance=1e-3)
    expected = np.linalg.norm(M @ pairs.vectors - pairs.vectors * pairs.values, axis=0)
    np.testing.assert_allclose(pairs.residuals, expected, rtol=1e-3, atol=1e-9)
    assert expected.max() > 1e-6


@pytest.mark.parametrize("max_blocks", [2, 3, 5, 100])
def test_restarts_change_the_way_not_the_result(max_blocks):
    M, basis = planted(SPECTRA["slow"])
    pairs = find(M, rank=10, block=14, max_blocks=max_blocks)
    assert pairs.converged
    assert linalg.subspace_angles(pairs.vectors, basis[:, :10]).max() < 1e-5


def test_as_many_equal_eigenvalues_as_the_block_is_wide():
    pairs = find(np.eye(SIZE), rank=10, block=10)
    assert (pairs.converged, pairs.iterations) == (True, 1)
    np.testing.assert_allclose(pairs.values, np.ones(10))


def test_a_block_as_wide_as_the_space():
    M, _ = planted(SPECTRA["geometric"])
    pairs = find(M, rank=SIZE, block=SIZE)
    np.testing.assert_allclose(pairs.values, SPECTRA["geometric"], atol=1e-12)


def test_zero_operator():
    pairs = find(np.zeros((SIZE, SIZE)), rank=3, block=5)
    np.testing.assert_array_equal(pairs.values, np.zeros(3))
    assert pairs.converged


def test_too_few_iterations_are_reported():
    M, _ = planted(SPECTRA["slow"])
    pairs = find(M, rank=10, block=14, max_iterations=2)
    assert (pairs.converged, pairs.iterations) == (False, 2)
