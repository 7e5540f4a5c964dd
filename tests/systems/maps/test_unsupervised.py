"""Closest points, optimal transport and annealed self-learning, each against plain definitions."""

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment
from scipy.spatial.distance import cdist
from scipy.special import logsumexp

from cr5.base.rows import unit_rows
from cr5.search import similarity
from cr5.systems.maps import icp
from cr5.systems.maps.icp import Icp
from cr5.systems.maps.search import orthogonal_map
from cr5.systems.maps.vecmap_unsupervised import (
    Annealing,
    VecmapUnsupervised,
    first_pairs,
    induce,
    of_rank,
    ranks,
)
from cr5.systems.maps.wasserstein import Wasserstein, gromov, sinkhorn
from tests.systems.maps.test_search import dense_csls


def test_neighbours_both_ways_and_the_error():
    rng = np.random.default_rng(1)
    A, B = (rng.normal(size=(n, 3)).astype(np.float32) for n in (30, 20))
    squares = cdist(A, B, "sqeuclidean")
    pairs, error = icp.closest(A, B)
    there = [[i, j] for i, j in enumerate(squares.argmin(axis=1))]
    assert pairs.tolist() == there + [[i, j] for j, i in enumerate(squares.argmin(axis=0))]
    expected = (squares.min(axis=1).mean() + squares.min(axis=0).mean()) / 2
    assert error == pytest.approx(expected, rel=1e-5)


def test_principal_axes_have_the_variances_of_the_space(rotated_copy):
    X, _, _ = rotated_copy(n=300, d=10)
    A = icp.principal(X, 4)
    variances = np.linalg.eigvalsh(np.cov(X.T.astype(float)))[::-1][:4]
    np.testing.assert_allclose(np.cov(A.T), np.diag(variances), atol=1e-6)
    np.testing.assert_allclose(A.mean(axis=0), 0, atol=1e-6)


def test_the_error_never_rises_and_ends_where_neighbours_stay_the_same(rotated_copy):
    X, Y, _ = rotated_copy(n=200, d=6)
    A, B, R = icp.principal(X, 6), icp.principal(Y, 6), np.diag([1, -1, 1, 1, -1, 1])
    errors = [icp.descend(A, B, R.astype(np.float32), steps)[0] for steps in range(8)]
    assert errors[0] > errors[-1]
    # a step takes the sum over both ways, which have the same number of words here
    assert (np.diff(errors) <= 1e-7).all()
    A = np.eye(3, dtype=np.float32)
    error, steps, pairs = icp.descend(A, A, A, 50)
    assert (error, steps, pairs.tolist()) == (0, 1, [[0, 0], [1, 1], [2, 2]] * 2)


def test_a_rotation_is_recovered_by_few_trials_and_the_error_tells(rotated_copy):
    X, Y, Q = rotated_copy(n=200, d=4)
    order = np.random.default_rng(1).permutation(200)
    found = Icp(axes=25, trials=25).best_trial(X, Y[order], np.random.default_rng(0))
    np.testing.assert_allclose(found.W, Q, atol=0.02)
    errors = found.report["errors"]
    assert found.report["best_trial"] == int(np.argmin(errors))
    assert len(errors) == len(found.report["steps"]) == 25
    assert min(errors) < 0.2 * np.median(errors)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_small_epsilon_gives_the_best_assignment(dtype):
    cost = np.random.default_rng(1).normal(size=(30, 30)).astype(dtype)
    rows, columns = linear_sum_assignment(cost)
    plan, steps = sinkhorn(cost, 0.002, steps=20_000)
    assert steps < 20_000
    assert plan.dtype == dtype
    assert (plan.argmax(axis=1) == columns).all()
    assert (plan * cost).sum() == pytest.approx(cost[rows, columns].mean(), abs=0.005)
    assert sinkhorn(cost, 0.002, steps=15)[1] == 15


def test_a_plan_equals_scaling_in_logarithms():
    cost, epsilon = np.random.default_rng(5).normal(size=(12, 17)), 0.1
    f, g = np.zeros(12), np.zeros(17)
    for _ in range(1_000):
        f = -epsilon * (logsumexp((g - cost) / epsilon, axis=1) + np.log(12))
        g = -epsilon * (logsumexp((f[:, None] - cost) / epsilon, axis=0) + np.log(17))
    plan, _ = sinkhorn(cost, epsilon, tolerance=1e-10, steps=1_000)
    np.testing.assert_allclose(plan, np.exp((f[:, None] + g - cost) / epsilon), atol=1e-9)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_costs_far_beyond_epsilon_stay_finite(dtype):
    cost = (1e4 * np.random.default_rng(7).normal(size=(40, 40))).astype(dtype)
    plan, _ = sinkhorn(cost, 1.0, steps=2_000)
    np.testing.assert_allclose(plan.sum(axis=0), 1 / 40, rtol=1e-4)


def test_the_objective_is_that_of_gromov_wasserstein_up_to_a_constant(rotated_copy):
    X, Y, _ = rotated_copy(n=12, d=4)
    plan, history = gromov(X, Y, 1000, 1)
    P = plan.astype(float) / (12 * plan.sum(axis=1, keepdims=True))  # the sums of the constant
    M, N = (A.astype(float) @ A.T.astype(float) for A in (X, Y))
    distortion = np.einsum("ikjl,ij,kl->", (M[:, :, None, None] - N[None, None]) ** 2, P, P)
    constant = (M**2).mean() + np.einsum("jl,j,l->", N**2, P.sum(axis=0), P.sum(axis=0))
    assert history[0]["objective"] == pytest.approx((distortion - constant) / 2, abs=1e-3)


def test_words_numbered_anew_in_a_space_turned_are_matched(rotated_copy):
    X, Y, _ = rotated_copy(n=300, d=10, noise=0.01)
    order = np.random.default_rng(1).permutation(300)
    plan, history = gromov(X, Y[order], 1000, 10)
    assert (order[plan.argmax(axis=1)] == np.arange(300)).mean() > 0.9
    epsilons = [entry["epsilon"] for entry in history]
    assert (epsilons[0], epsilons[-1], len(epsilons)) == pytest.approx((0.03, 0.003, 10))
    assert gromov(X, Y[:40], 50, 2)[0].shape == (40, 40)  # only the most frequent words


def test_a_map_that_is_roughly_right_gets_better(rotated_copy):
    X, Y, Q = rotated_copy(n=500)
    rough = orthogonal_map(np.eye(20), Q + 0.12 * np.random.default_rng(2).normal(size=Q.shape))
    system = Wasserstein(epochs=2, steps=8, batch=150)
    found = system.transported(X, Y, rough, np.random.default_rng(0))
    assert np.linalg.norm(found - Q) < 0.3 * np.linalg.norm(rough - Q)
    np.testing.assert_allclose(found @ found.T, np.eye(20), atol=1e-5)


@pytest.mark.parametrize(("rows", "keep"), [(16, 1.0), (512, 1.0), (512, 0.1)])
def test_all_similarities_give_the_dictionary_of_csls(monkeypatch, rows, keep):
    """The objective does not hang on what is kept."""
    monkeypatch.setattr(similarity, "ROWS", rows)
    rng = np.random.default_rng(1)
    X, Y = (unit_rows(rng.normal(0.3, 1, (n, 5)).astype(np.float32)) for n in (61, 47))
    pairs, objective = induce(X, Y, 5, keep, np.random.default_rng(0))
    S, scores = X.astype(float) @ Y.astype(float).T, dense_csls(X, Y, 5)
    there, back = enumerate(scores.argmax(axis=1)), enumerate(scores.argmax(axis=0))
    same = (pairs == [*there, *((i, j) for j, i in back)]).all(axis=1).mean()
    assert same == 1 if keep == 1 else same < 0.4
    expected = (S.max(axis=1).mean() + S.max(axis=0).mean()) / 2
    assert objective == pytest.approx(expected, rel=1e-6)


def test_ranks_are_distributed_as_the_best_of_those_a_mask_keeps():
    drawn = ranks(20_000, 4, 0.3, np.random.default_rng(0))
    kept = np.random.default_rng(1).random((20_000, 4)) < 0.3
    kept[:, 3] = True  # where none is kept it is the last one
    expected = np.bincount(kept.argmax(axis=1)) / 20_000
    np.testing.assert_allclose(np.bincount(drawn) / 20_000, expected, atol=0.015)


def test_a_rank_equals_sorting():
    rng = np.random.default_rng(2)
    scores, rank = rng.normal(size=(50, 30)).astype(np.float32), rng.integers(0, 12, 50)
    expected = np.argsort(-scores, axis=1)[np.arange(50), rank]
    assert (of_rank(scores, rank) == expected).all()
    assert of_rank(np.array([[1, 3, 3, 2]]), np.array([1])).tolist() == [1]  # the first of equals


def test_annealing_by_hand():
    annealing = Annealing(patience=2, steps=5000)
    objectives = [0.1, 0.3, 0.3 + 5e-7, 0.3, *[0.5] * 9]  # the third is not enough above the second
    keeps, over = [], []
    for objective in objectives:
        keeps.append(annealing.keep)
        over.append(annealing.update(objective))
    assert keeps == [0.1] * 4 + [0.2] * 3 + [0.4] * 2 + [0.8] * 2 + [1.0] * 2
    assert over == [False] * 12 + [True]
    assert annealing.converged
    assert [x["steps"] for x in annealing.history] == [4, 3, 2, 2, 2]
    assert [x["objective"] for x in annealing.history] == [0.3, *[0.5] * 4]
    short = Annealing(patience=50, steps=3)
    assert [short.update(objective) for objective in (0.1, 0.2, 0.3)] == [False, False, True]
    assert not short.converged


def test_a_rotation_is_recovered_from_a_dictionary_that_is_mostly_wrong(rotated_copy):
    X, Y, Q = rotated_copy(n=400)
    rng = np.random.default_rng(3)
    right, other = np.arange(400), rng.integers(0, 400, 400)
    pairs = np.column_stack([right, np.where(rng.random(400) < 0.1, right, other)])
    system = VecmapUnsupervised(neighbours=5, patience=3)
    found = system.learn(X, Y, pairs, np.random.default_rng(0))
    np.testing.assert_allclose(found.W, Q, atol=0.02)
    assert (found.report["first_pairs"], found.report["converged"]) == (400, True)
    objectives = [entry["objective"] for entry in found.report["learning"]]
    assert objectives == sorted(objectives)


def test_frequent_words_numbered_anew_in_a_space_turned_are_paired(rotated_copy):
    X, _, Q = rotated_copy(n=200, d=10)
    order = np.random.default_rng(1).permutation(200)
    pairs = first_pairs(X, (X @ Q)[order], 4000, 10)
    assert pairs[:200, 0].tolist() == list(range(200)) == pairs[200:, 1].tolist()
    assert (order[pairs[:, 1]] == pairs[:, 0]).all()
    assert len(first_pairs(X, X[:60], 80, 10)) == 120
