import numpy as np
import pytest

from cr5.search import similarity
from cr5.systems.mapping.rcsls_loss import lexicon, loss, neighbourhood


def unit(rng, n, d):
    X = rng.normal(size=(n, d)).astype(np.float32) + 0.3
    return X / np.linalg.norm(X, axis=1, keepdims=True)


def given(*, full, k=3, d=6, seed=0):
    """Pairs in which a word comes twice; and a map that is none of the constraints."""
    rng = np.random.default_rng(seed)
    X, Y = unit(rng, 40, d), unit(rng, 50, d)
    pairs = np.array([[0, 3], [0, 5], [7, 3], [20, 49], [39, 0], [11, 12]])
    W = np.eye(d) + 0.3 * rng.normal(size=(d, d))
    return X, Y, pairs, W, lexicon(X, Y, pairs, full=full, neighbours=k)


def brute_force(W, X, Y, pairs, k, full):
    """The definition, pair by pair, with sorted lists."""
    X, Y = X.astype(float) @ W, Y.astype(float)
    sources = range(len(X)) if full else sorted(set(pairs[:, 0]))
    targets = range(len(Y)) if full else sorted(set(pairs[:, 1]))
    total = 0.0
    for i, j in pairs:
        near_i = sorted((X[i] @ Y[t] for t in targets), reverse=True)[:k]
        near_j = sorted((X[s] @ Y[j] for s in sources), reverse=True)[:k]
        total += 2 * X[i] @ Y[j] - np.mean(near_i) - np.mean(near_j)
    return -total / len(pairs)


@pytest.mark.parametrize("full", [True, False])
@pytest.mark.parametrize("k", [1, 3, 100])
def test_equals_brute_force(full, k):
    X, Y, pairs, W, made = given(full=full, k=k)
    assert loss(W, made)[0] == pytest.approx(brute_force(W, X, Y, pairs, k, full), abs=1e-6)


@pytest.mark.parametrize("full", [True, False])
def test_gradient_equals_finite_differences(full):
    X, Y, pairs, W, made = given(full=full)
    gradient, step = loss(W, made)[1], 1e-6
    for place in np.ndindex(W.shape):
        moved = np.zeros_like(W)
        moved[place] = step
        above, below = (brute_force(W + x, X, Y, pairs, 3, full) for x in (moved, -moved))
        assert gradient[place] == pytest.approx((above - below) / (2 * step), abs=1e-7)


def test_convex():
    *_, W, made = given(full=True)
    other = W + np.random.default_rng(5).normal(size=W.shape)
    middle = loss((W + other) / 2, made)[0]
    assert middle <= (loss(W, made)[0] + loss(other, made)[0]) / 2


@pytest.mark.parametrize("full", [True, False])
def test_threads_change_no_bit(full):
    rng = np.random.default_rng(6)
    X, Y, pairs = unit(rng, 700, 6), unit(rng, 800, 6), np.column_stack([np.arange(700)] * 2)
    one, two = (
        loss(np.eye(6), lexicon(X, Y, pairs, full=full, neighbours=4, threads=threads))
        for threads in (1, 3)
    )
    assert one[0] == two[0]
    np.testing.assert_array_equal(one[1], two[1])


def test_neighbourhood_by_hand():
    queries = np.array([[1, 0], [0, 1]], np.float32)
    keys = np.array([[1, 0], [0.5, 2], [0.7, 0]], np.float32)
    vectors = np.array([[1, 10], [2, 20], [4, 40]], np.float32)
    # the first query likes keys 0 and 2, the second 1 and then 0, the first of two equals
    assert neighbourhood(queries, keys, vectors, 2).tolist() == [[2.5, 25], [1.5, 15]]


def test_the_size_of_the_blocks_changes_nothing(monkeypatch):
    *_, W, made = given(full=True)
    expected = loss(W, made)
    monkeypatch.setattr(similarity, "ROWS", 4)
    monkeypatch.setattr(similarity, "COLUMNS", 7)
    found = loss(W, made)
    assert found[0] == pytest.approx(expected[0], abs=1e-12)
    np.testing.assert_allclose(found[1], expected[1], atol=1e-12)
