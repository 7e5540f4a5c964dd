import numpy as np
import pytest
from scipy import linalg

from cr5.systems.mapping.maps import canonical_directions
from cr5.systems.word_cca import WordCca


def correlated(seed=0, n=300, d=4):
    """Two views of three shared numbers, and noise; no mean is zero."""
    rng = np.random.default_rng(seed)
    shared = rng.normal(size=(n, 3))
    X, Y = (shared @ rng.normal(size=(3, d)) + 0.7 * rng.normal(size=(n, d)) for _ in range(2))
    return (X + 1).astype(np.float32), (Y - 2).astype(np.float32)


def centred(rows):
    return rows - rows.mean(axis=0, dtype=float)


@pytest.mark.parametrize("ridge", [0.0, 0.3])
def test_solves_the_generalised_eigenproblem(ridge):
    X, Y = correlated(1)
    correlations = canonical_directions(X, Y, 1.0, ridge)[2]
    X, Y = centred(X), centred(Y)
    zero, own = np.zeros((4, 4)), ridge * np.eye(4)
    C = np.block([[zero, X.T @ Y / 300], [Y.T @ X / 300, zero]])
    V = linalg.block_diag(X.T @ X / 300 + own, Y.T @ Y / 300 + own)
    expected = linalg.eigh(C, V, eigvals_only=True)[::-1][:4]
    np.testing.assert_allclose(correlations, expected, atol=1e-6)


@pytest.mark.parametrize(("d", "kept"), [(4, 2), (5, 3)])
def test_half_of_the_dimensions_are_kept_the_best_of_them(space, every, d, kept):
    X, Y = correlated(d=d)
    found = WordCca().solve(space("en", X), space("it", Y), every(300))
    whole = canonical_directions(X, Y, 1.0, 0.0)[2]
    assert found.source.shape == found.target.shape == (300, kept)
    np.testing.assert_array_equal(found.report["correlations"], whole[:kept])
    assert (np.diff(whole) < 0).all()
