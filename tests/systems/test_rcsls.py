"""RCSLS: its loss and slope by the definition, its descent, and what is chosen."""

from dataclasses import replace
from itertools import islice
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.linalg import polar

from cr5.base.rows import unit_rows
from cr5.fitting.seeds import Seeds
from cr5.systems.maps import rcsls, search
from cr5.systems.maps.rcsls import Lexicon, Rcsls, projected, split, steps
from cr5.systems.maps.search import apply_map, orthogonal_map, precision

CONSTRAINTS = ["spectral", "frobenius", "none"]
PAIRS = np.array([[0, 3], [0, 5], [7, 3], [20, 49], [39, 0], [11, 12]])  # a word comes twice


def csls_loss(W, X, Y, k, full):
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
def test_the_loss_is_that_of_the_definition_and_so_is_its_slope(full, k, monkeypatch):
    monkeypatch.setattr(rcsls, "NEIGHBOURS", k)
    rng = np.random.default_rng(0)
    X, Y = (unit_rows(rng.normal(0.3, 1, (n, 6)).astype(np.float32)) for n in (40, 50))
    W = np.eye(6) + 0.3 * rng.normal(size=(6, 6))
    value, gradient = Lexicon.of(X, Y, PAIRS, full, 1).loss(W)
    assert value == pytest.approx(csls_loss(W, X, Y, k, full), abs=1e-6)
    for place in ((0, 0), (2, 5), (4, 1)):
        moved = np.zeros_like(W)
        moved[place] = 1e-6
        above, below = (csls_loss(W + x, X, Y, k, full) for x in (moved, -moved))
        assert gradient[place] == pytest.approx((above - below) / 2e-6, abs=1e-7)


@pytest.mark.parametrize("constraint", CONSTRAINTS)
@pytest.mark.parametrize("rate", [1.0, 4000.0])
def test_the_loss_never_rises(rotated_copy, every, constraint, rate):
    X, Y, _ = rotated_copy(n=300, noise=0.15)
    made = Lexicon.of(X, Y, every(100), True, 1)
    W = orthogonal_map(made.X, made.Y).astype(float)
    first, gradient = made.loss(W)
    value = first
    for found in islice(steps(made, rate, constraint), 12):
        tried = projected(W - rate * gradient, constraint)
        if made.loss(tried)[0] < value:
            W = tried
        else:
            rate /= 2
        np.testing.assert_array_equal(found, W)
        value, gradient = made.loss(W)
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


def test_what_translates_best_is_kept(rotated_copy, every):
    X, Y, _ = rotated_copy(n=500)
    W, report = trained(X, Y, every(200), rates=[1.0, 25.0], epochs=[2, 4], neighbourhoods="seeds")
    assert precision(apply_map(X, W), Y, every(500)[200:]) > 0.9
    trials = report["trials"]
    assert [(x["rate"], x["epochs"]) for x in trials] == [(1, 2), (1, 4), (25, 2), (25, 4)]
    best = max(trials, key=lambda trial: trial["precision"])
    assert (report["rate"], report["epochs"]) == (best["rate"], best["epochs"])


def test_it_is_better_than_the_rotation_and_rounded_the_nearest_one(every):
    """Where there is nothing to choose, all pairs are trained on; rotations are too few here."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(600, 15)) + 0.5
    Y = X @ (np.eye(15) + 0.25 * rng.normal(size=(15, 15))) + rng.normal(size=(600, 15))
    X, Y = (unit_rows(rows.astype(np.float32)) for rows in (X, Y))
    W, free = trained(X, Y, every(300), rates=[10.0])
    maps = orthogonal_map(X[:300], Y[:300]), W
    before, after = (precision(apply_map(X, W), Y, every(600)[300:]) for W in maps)
    assert after > before
    rounded, report = trained(X, Y, every(300), rates=[10.0], rounded=True)
    assert np.linalg.norm(W.T @ W - np.eye(15)) > 0.1
    np.testing.assert_allclose(rounded, polar(W)[0], atol=1e-5)
    assert report == free
    assert (report["trials"], report["rate"], report["epochs"]) == ([], 10, 10)


@pytest.mark.parametrize(("offset", "centre"), [(0.0, False), (0.6, True)])
def test_vectors_are_centred_if_that_translates_better(rotated_copy, space, offset, centre):
    """Without an offset both translate all words, and vectors stay as they are."""
    X, Y, _ = rotated_copy(n=200, noise=0.0)
    spaces = space("it", X), space("en", unit_rows(Y + np.float32(offset)))
    seeds = Seeds({("it", "en"): [(f"w{i}", f"w{i}") for i in range(100)]})
    given = SimpleNamespace(seed=3, threads=1, seeds=seeds)
    chosen = Rcsls(rates=[10.0], epochs=[1], choose_centre=["it"])
    found = chosen.map(*spaces, given)
    trials = [(x["centre"], x["precision"]) for x in found.report["trials"]]
    assert [x for x, _ in trials] == [False, True]
    assert (trials[0][1] < trials[1][1] == 1.0) is centre is found.report["centre"]
    if centre:
        spaces = [replace(x, vectors=search.centred(x.vectors)) for x in spaces]
    plain = chosen.model_copy(update={"choose_centre": ()})
    assert found.source.tobytes() == plain.map(*spaces, given).source.tobytes()
    assert found.target.tobytes() == spaces[1].vectors.tobytes()


def test_words_are_held_out_with_all_their_pairs(rotated_copy, every, monkeypatch):
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
    monkeypatch.setattr(rcsls, "HELD_OUT_WORDS", 20)  # no word that chooses is frequent
    X, Y, _ = rotated_copy(n=100)
    _, report = trained(X, Y, every(100)[50:], rates=[10.0, 1.0], epochs=[1])
    assert (report["trials"], report["rate"]) == ([], 10)
