import numpy as np
import pytest

from cr5.systems.mapping.maps import orthogonal_map
from cr5.systems.mapping.transport import draw, gromov, map_of, wasserstein_procrustes

FEW = {"words": 20_000, "epochs": 2, "steps": 8, "batch": 150}


def distortion(X, Y, P):
    """The objective by its definition: sum over i, j, k, l of (M_ik - N_jl)^2 P_ij P_kl."""
    M, N = (A.astype(float) @ A.T.astype(float) for A in (X, Y))
    return np.einsum("ikjl,ij,kl->", (M[:, :, None, None] - N[None, None]) ** 2, P, P)


def test_the_objective_is_that_of_gromov_wasserstein_up_to_a_constant(rotated_copy):
    X, Y, _ = rotated_copy(n=12, d=4)
    plan, history = gromov(X, Y, 1000, 1)
    P = plan / plan.sum()
    P *= 1 / 12 / P.sum(axis=1, keepdims=True)  # the constant is one for these sums
    M, N = X @ X.T, Y @ Y.T
    constant = (M**2).mean() + np.einsum("jl,j,l->", N**2, P.sum(axis=0), P.sum(axis=0))
    expected = (distortion(X, Y, P.astype(float)) - constant) / 2
    assert history[0]["objective"] == pytest.approx(expected, abs=1e-3)


def test_words_numbered_anew_in_a_space_turned_are_matched(rotated_copy):
    X, Y, Q = rotated_copy(n=300, d=10, noise=0.01)
    order = np.random.default_rng(1).permutation(300)
    plan, history = gromov(X, Y[order], 1000, 10)
    assert (order[plan.argmax(axis=1)] == np.arange(300)).mean() > 0.9
    np.testing.assert_allclose(map_of(plan, X, Y[order]), Q, atol=0.1)
    epsilons = [entry["epsilon"] for entry in history]
    assert (epsilons[0], epsilons[-1], len(epsilons)) == pytest.approx((0.03, 0.003, 10))


def test_only_the_most_frequent_words_are_matched(rotated_copy):
    X, Y, _ = rotated_copy(n=80, d=6)
    assert gromov(X, Y, 50, 2)[0].shape == (50, 50)
    assert gromov(X, Y[:40], 50, 2)[0].shape == (40, 40)


def test_a_map_that_is_roughly_right_gets_better(rotated_copy):
    X, Y, Q = rotated_copy(n=500)
    rng = np.random.default_rng(2)
    rough = orthogonal_map(np.eye(20), Q + 0.12 * rng.normal(size=Q.shape))
    found = wasserstein_procrustes(X, Y, rough, np.random.default_rng(0), **FEW)
    assert np.linalg.norm(found - Q) < 0.3 * np.linalg.norm(rough - Q)
    np.testing.assert_allclose(found @ found.T, np.eye(20), atol=1e-5)


def test_batches_have_no_row_twice_and_never_more_than_there_are():
    space = np.arange(10)[:, None]
    for n, expected in ((4, 4), (10, 10), (99, 10)):
        assert len(np.unique(draw(space, n, np.random.default_rng(0)))) == expected
