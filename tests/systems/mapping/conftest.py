import numpy as np
import pytest

from cr5.base.rows import unit_rows


def clustered_space(rng, n, d, clusters):
    """Words in clusters of unequal size, dimensions of unequal variance: no symmetry to get
    lost in."""
    spread = np.linspace(2.0, 0.5, d)
    centres = rng.normal(size=(clusters, d)) * spread
    shares = rng.dirichlet(np.full(clusters, 0.8))
    X = centres[rng.choice(clusters, n, p=shares)] + 0.5 * spread * rng.normal(size=(n, d))
    return unit_rows((X + 0.5 * spread).astype(np.float32))


def rotation(rng, d):
    Q, R = np.linalg.qr(rng.normal(size=(d, d)))
    return (Q * np.sign(np.diag(R))).astype(np.float32)


def rotated_copy_of(n=1000, d=20, noise=0.02, clusters=25, seed=0):
    """Make a space, the same space turned and blurred, and the rotation between them."""
    rng = np.random.default_rng(seed)
    X, Q = clustered_space(rng, n, d, clusters), rotation(rng, d)
    Y = unit_rows((X @ Q + noise * rng.normal(size=(n, d))).astype(np.float32))
    return X, Y, Q


@pytest.fixture
def rotated_copy():
    return rotated_copy_of
