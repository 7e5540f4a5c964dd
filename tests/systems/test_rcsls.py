from dataclasses import replace
from itertools import islice
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.linalg import polar

from cr5.base.rows import unit_rows
from cr5.systems import rcsls
from cr5.systems.mapping import csls, seeded
from cr5.systems.mapping.maps import apply_map, orthogonal_map
from cr5.systems.mapping.rcsls_descent import frobenius, spectral, steps
from cr5.systems.mapping.rcsls_loss import lexicon, loss
from cr5.systems.mapping.spaces import Space, centred
from cr5.systems.rcsls import Rcsls, split


@pytest.fixture
def made(rotated_copy, every):
    X, Y, _ = rotated_copy(n=300, noise=0.15)
    return lexicon(X, Y, every(100), full=True, neighbours=5)


@pytest.mark.parametrize("constraint", ["spectral", "frobenius", "none"])
@pytest.mark.parametrize("rate", [1.0, 50.0, 4000.0])
def test_the_loss_never_rises(made, constraint, rate):
    W, value = orthogonal_map(made.X, made.Y), np.inf
    value = loss(W.astype(float), made)[0]
    tried = rate
    for step in islice(steps(made, rate, constraint), 12):
        assert step.rate == tried
        assert step.loss == pytest.approx(loss(step.W, made)[0], abs=1e-9)
        if step.accepted:
            assert step.loss < value
        else:
            assert step.loss == value
            np.testing.assert_array_equal(step.W, W)
            tried /= 2
        W, value = step.W, step.loss
    assert value < loss(orthogonal_map(made.X, made.Y).astype(float), made)[0]


@pytest.mark.parametrize("seed", range(3))
def test_projections(seed):
    W = np.random.default_rng(seed).normal(size=(6, 6))
    near = spectral(W)
    assert np.linalg.norm(near, 2) <= 1 + 1e-12
    assert np.linalg.norm(W - near) <= np.linalg.norm(W - W / np.linalg.norm(W, 2))
    assert np.linalg.norm(frobenius(3 * W)) == pytest.approx(np.sqrt(6))
    np.testing.assert_allclose(spectral(0.1 * W), 0.1 * W, atol=1e-12)
    np.testing.assert_array_equal(frobenius(0.1 * W), 0.1 * W)


def test_clipped_by_hand():
    np.testing.assert_allclose(spectral(np.diag([3.0, -2.0, 0.5])), np.diag([1, -1, 0.5]))


@pytest.mark.parametrize("constraint", ["spectral", "frobenius", "none"])
@pytest.mark.parametrize("neighbourhoods", ["full", "seeds"])
def test_recovers_a_rotated_copy(rotated_copy, constraint, neighbourhoods, every):
    X, Y, _ = rotated_copy(n=500)
    given = Rcsls(
        constraint=constraint, neighbourhoods=neighbourhoods, rates=[1.0, 25.0], epochs=[2, 4]
    )
    W, report = given.train(X, Y, every(200), np.random.default_rng(0))
    assert W.dtype == np.float32
    assert csls.precision(apply_map(X, W), Y, every(500)[200:]) > 0.9
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
    given, gains = Rcsls(rates=[10.0]), []
    for seed in range(4):
        X, Y = stretched(seed, 600, 15)
        found, _ = given.train(X, Y, every(300), np.random.default_rng(0))
        maps = orthogonal_map(X[:300], Y[:300]), found
        before, after = (csls.precision(apply_map(X, W), Y, every(600)[300:]) for W in maps)
        gains.append(after - before)
    assert np.mean(gains) > 0.01


def test_nothing_to_choose(rotated_copy, every):
    X, Y, _ = rotated_copy(n=100)
    given = Rcsls(rates=[10.0], epochs=[3])
    W, report = given.train(X, Y, every(50), np.random.default_rng(0))
    assert (report["trials"], report["rate"], report["epochs"]) == ([], 10, 3)
    last = list(
        islice(steps(lexicon(X, Y, every(50), full=True, neighbours=10), 10, "spectral"), 3)
    )
    np.testing.assert_array_equal(W, last[-1].W.astype(np.float32))


def test_rounded_it_is_the_rotation_nearest_to_the_map(every):
    X, Y = stretched(0, 300, 8)
    (W, free), (rounded, report) = (
        Rcsls(rates=[10.0], epochs=[3], rounded=rounded).train(
            X, Y, every(150), np.random.default_rng(0)
        )
        for rounded in (False, True)
    )
    assert np.linalg.norm(W.T @ W - np.eye(8)) > 0.1
    np.testing.assert_allclose(rounded, polar(W)[0], atol=1e-5)
    assert report == free


@pytest.mark.parametrize(("offset", "centre"), [(0.0, False), (0.6, True)])
def test_vectors_are_centred_if_that_translates_better(rotated_copy, every, offset, centre):
    """Without an offset both translate all words, and vectors stay as they are."""
    X, Y, _ = rotated_copy(n=200, noise=0.0)
    spaces = []
    for x, rows in (("it", X), ("en", unit_rows(Y + np.float32(offset)))):
        spaces.append(Space(x, [], np.arange(len(rows)), rows))
    given = {"rates": [10.0], "epochs": [1]}
    training = SimpleNamespace(seed=3, threads=1, languages=("en", "it"))
    found = Rcsls(**given, choose_centre=["it"]).solve(training, *spaces, every(100))
    assert found.report["centre"] is centre
    trials = [(x["centre"], x["precision"]) for x in found.report["trials"]]
    assert [x for x, _ in trials] == [False, True]
    assert trials[1][1] == 1.0
    assert (trials[0][1] < 1.0) is centre
    if centre:
        spaces = [replace(x, vectors=centred(x.vectors)) for x in spaces]
    expected = Rcsls(**given, centre=centre).solve(training, *spaces, every(100))
    assert found.source.tobytes() == expected.source.tobytes()
    assert found.target.tobytes() == spaces[1].vectors.tobytes()


@pytest.mark.parametrize(
    ("languages", "centre", "expected"),
    [
        (("en", "zh"), False, (False, True)),
        (("en", "zh"), True, (False, True)),
        (("en", "es"), True, (True, False)),
    ],
)
def test_pairs_without_a_language_of_choose_centre_do_as_told(
    monkeypatch, languages, centre, expected
):
    """Whether it begins centred, and whether both spaces change, as they do if it chooses."""

    def fitted(training, system, solve, *, both_sides):
        return system.centre, both_sides

    monkeypatch.setattr(seeded, "fit_seeded", fitted)
    given = Rcsls(choose_centre=["zh"], centre=centre)
    assert given.fit(SimpleNamespace(languages=languages)) == expected


def test_no_word_that_chooses_is_frequent(rotated_copy, every, monkeypatch):
    monkeypatch.setattr(rcsls, "HELD_OUT_WORDS", 20)
    X, Y, _ = rotated_copy(n=100)
    given = Rcsls(rates=(10.0, 1.0), epochs=(1,))
    _, report = given.train(X, Y, every(100)[50:], np.random.default_rng(0))
    assert (report["trials"], report["rate"]) == ([], 10)


def test_words_are_held_out_with_all_their_pairs():
    pairs = np.array([[0, 1], [1, 1], [0, 2], [2, 900], [900, 3], [3, 0]])
    for seed in range(20):
        kept, held_out = split(pairs, np.random.default_rng(seed), 0.4, 500)
        assert len(set(held_out[:, 0])) == 1  # of the three frequent ones: 0, 1 and 3
        assert set(held_out[:, 0]) < {0, 1, 3}
        assert not set(held_out[:, 0]) & set(kept[:, 0])
        assert len(kept) + len(held_out) == 6


def test_one_word_at_least_is_held_out_and_one_is_kept():
    for share in (0.0, 1.0):
        parts = split(np.array([[0, 0], [1, 1]]), np.random.default_rng(0), share, 500)
        assert [len(part) for part in parts] == [1, 1]
