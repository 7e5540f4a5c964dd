from dataclasses import replace
from functools import partial
from itertools import islice
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.linalg import polar

from cr5.base.rows import unit_rows
from cr5.search import similarity
from cr5.systems.maps import rcsls
from cr5.systems.maps.rcsls import Rcsls, lexicon, loss, projected, split, steps
from cr5.systems.maps.search import apply_map, centred, orthogonal_map, precision

CONSTRAINTS = ["spectral", "frobenius", "none"]
PAIRS = np.array([[0, 3], [0, 5], [7, 3], [20, 49], [39, 0], [11, 12]])  # a word comes twice


@pytest.fixture
def given():
    rng = np.random.default_rng(0)
    X, Y = (unit_rows(rng.normal(0.3, 1, (n, 6)).astype(np.float32)) for n in (40, 50))
    return X, Y, np.eye(6) + 0.3 * rng.normal(size=(6, 6))


def brute_force(W, X, Y, k, full):
    """The definition, pair by pair, with sorted lists."""
    X, Y = X.astype(float) @ W, Y.astype(float)
    sources = range(len(X)) if full else sorted(set(PAIRS[:, 0]))
    targets = range(len(Y)) if full else sorted(set(PAIRS[:, 1]))
    total = 0.0
    for i, j in PAIRS:
        near_i = sorted((X[i] @ Y[t] for t in targets), reverse=True)[:k]
        near_j = sorted((X[s] @ Y[j] for s in sources), reverse=True)[:k]
        total += 2 * X[i] @ Y[j] - np.mean(near_i) - np.mean(near_j)
    return -total / len(PAIRS)


@pytest.mark.parametrize("full", [True, False])
@pytest.mark.parametrize("k", [1, 3, 100])
def test_the_loss_is_that_of_the_definition_and_so_is_its_slope(given, full, k):
    X, Y, W = given
    value, gradient = loss(W, lexicon(X, Y, PAIRS, full=full, neighbours=k))
    assert value == pytest.approx(brute_force(W, X, Y, k, full), abs=1e-6)
    for place in ((0, 0), (2, 5), (4, 1)):
        moved = np.zeros_like(W)
        moved[place] = 1e-6
        above, below = (brute_force(W + x, X, Y, k, full) for x in (moved, -moved))
        assert gradient[place] == pytest.approx((above - below) / 2e-6, abs=1e-7)


def test_neither_blocks_nor_threads_change_the_loss(given, monkeypatch):
    X, Y, W = given
    value, gradient = loss(W, lexicon(X, Y, PAIRS, full=True, neighbours=3))
    again = loss(W, lexicon(X, Y, PAIRS, full=True, neighbours=3, threads=3))
    assert (again[0], again[1].tobytes()) == (value, gradient.tobytes())
    monkeypatch.setattr(similarity, "ROWS", 4)
    monkeypatch.setattr(similarity, "COLUMNS", 7)
    found = loss(W, lexicon(X, Y, PAIRS, full=True, neighbours=3))
    np.testing.assert_allclose(found[1], gradient, atol=1e-12)


@pytest.mark.parametrize("constraint", CONSTRAINTS)
@pytest.mark.parametrize("rate", [1.0, 4000.0])
def test_the_loss_never_rises(rotated_copy, every, constraint, rate):
    X, Y, _ = rotated_copy(n=300, noise=0.15)
    made, tried = lexicon(X, Y, every(100), full=True, neighbours=5), rate
    W = orthogonal_map(made.X, made.Y).astype(float)
    value = first = loss(W, made)[0]
    for step in islice(steps(made, rate, constraint), 12):
        assert step.rate == tried
        assert step.loss == pytest.approx(loss(step.W, made)[0], abs=1e-9)
        assert step.accepted == (step.loss < value)
        if not step.accepted:
            np.testing.assert_array_equal(step.W, W)
            tried /= 2
        W, value = step.W, step.loss
    assert value < first


def test_projections():
    W = np.random.default_rng(1).normal(size=(6, 6))
    near = projected(W, "spectral")
    assert np.linalg.norm(near, 2) <= 1 + 1e-12
    assert np.linalg.norm(W - near) <= np.linalg.norm(W - W / np.linalg.norm(W, 2))
    assert np.linalg.norm(projected(3 * W, "frobenius")) == pytest.approx(np.sqrt(6))
    for constraint in CONSTRAINTS:
        np.testing.assert_allclose(projected(0.1 * W, constraint), 0.1 * W, atol=1e-12)


def trained(X, Y, pairs, **given):
    return Rcsls(**given).train(X, Y, pairs, np.random.default_rng(0))


@pytest.mark.parametrize("constraint", CONSTRAINTS)
@pytest.mark.parametrize("neighbourhoods", ["full", "seeds"])
def test_recovers_a_rotated_copy_with_what_translates_best(
    rotated_copy, constraint, neighbourhoods, every
):
    X, Y, _ = rotated_copy(n=500)
    given = {"constraint": constraint, "neighbourhoods": neighbourhoods}
    W, report = trained(X, Y, every(200), rates=[1.0, 25.0], epochs=[2, 4], **given)
    assert precision(apply_map(X, W), Y, every(500)[200:]) > 0.9
    trials = report["trials"]
    assert [(x["rate"], x["epochs"]) for x in trials] == [(1, 2), (1, 4), (25, 2), (25, 4)]
    best = max(trials, key=lambda trial: trial["precision"])
    assert (report["rate"], report["epochs"]) == (best["rate"], best["epochs"])
    assert len(report["rcsls"]) == report["epochs"]


def stretched(seed, n, d):
    """One is no rotation of the other: rotations are too few."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) + 0.5
    Y = X @ (np.eye(d) + 0.25 * rng.normal(size=(d, d))) + rng.normal(size=(n, d))
    return (unit_rows(rows.astype(np.float32)) for rows in (X, Y))


def test_better_than_the_rotation_it_starts_from(every):
    gains = []
    for seed in range(4):
        X, Y = stretched(seed, 600, 15)
        maps = orthogonal_map(X[:300], Y[:300]), trained(X, Y, every(300), rates=[10.0])[0]
        before, after = (precision(apply_map(X, W), Y, every(600)[300:]) for W in maps)
        gains.append(after - before)
    assert np.mean(gains) > 0.01


def test_rounded_it_is_the_rotation_nearest_to_the_map(every):
    """And where there is nothing to choose, all pairs are trained on at once."""
    X, Y = stretched(0, 300, 8)
    given = {"rates": [10.0], "epochs": [3]}
    W, free = trained(X, Y, every(150), **given)
    rounded, report = trained(X, Y, every(150), **given, rounded=True)
    assert np.linalg.norm(W.T @ W - np.eye(8)) > 0.1
    np.testing.assert_allclose(rounded, polar(W)[0], atol=1e-5)
    assert report == free
    assert (report["trials"], report["rate"], report["epochs"]) == ([], 10, 3)
    made = lexicon(X, Y, every(150), full=True, neighbours=10)
    *_, last = islice(steps(made, 10, "spectral"), 3)
    np.testing.assert_array_equal(W, last.W.astype(np.float32))


@pytest.mark.parametrize(("offset", "centre"), [(0.0, False), (0.6, True)])
def test_vectors_are_centred_if_that_translates_better(rotated_copy, every, space, offset, centre):
    """Without an offset both translate all words, and vectors stay as they are."""
    X, Y, _ = rotated_copy(n=200, noise=0.0)
    spaces = space("it", X), space("en", unit_rows(Y + np.float32(offset)))
    training, given = SimpleNamespace(seed=3, threads=1), {"rates": [10.0], "epochs": [1]}
    solve = partial(Rcsls(**given).solve, pairs=every(100), training=training)
    found = solve(*spaces, chooses=True)
    assert found.report["centre"] is centre
    trials = [(x["centre"], x["precision"]) for x in found.report["trials"]]
    assert [x for x, _ in trials] == [False, True]
    assert (trials[0][1] < trials[1][1] == 1.0) is centre
    if centre:
        spaces = [replace(x, vectors=centred(x.vectors)) for x in spaces]
    assert found.source.tobytes() == solve(*spaces).source.tobytes()
    assert found.target.tobytes() == spaces[1].vectors.tobytes()


def test_words_are_held_out_with_all_their_pairs():
    pairs = np.array([[0, 1], [1, 1], [0, 2], [2, 900], [900, 3], [3, 0]])
    for seed in range(20):
        kept, held_out = split(pairs, np.random.default_rng(seed), 0.4, 500)
        assert len(set(held_out[:, 0])) == 1  # of the three frequent ones: 0, 1 and 3
        assert set(held_out[:, 0]) < {0, 1, 3}
        assert not set(held_out[:, 0]) & set(kept[:, 0])
        assert len(kept) + len(held_out) == 6
    for share in (0.0, 1.0):  # one word at least is held out, and one is kept
        parts = split(np.array([[0, 0], [1, 1]]), np.random.default_rng(0), share, 500)
        assert [len(part) for part in parts] == [1, 1]


def test_no_word_that_chooses_is_frequent(rotated_copy, every, monkeypatch):
    monkeypatch.setattr(rcsls, "HELD_OUT_WORDS", 20)
    X, Y, _ = rotated_copy(n=100)
    _, report = trained(X, Y, every(100)[50:], rates=[10.0, 1.0], epochs=[1])
    assert (report["trials"], report["rate"]) == ([], 10)
