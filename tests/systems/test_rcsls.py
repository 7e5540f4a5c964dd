"""RCSLS: its loss by definition, its projections, and what validation chooses."""

from dataclasses import replace
from itertools import chain, islice
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy.linalg import polar

from cr5.base.rows import unit_rows
from cr5.contracts.seeds import Seeds
from cr5.systems.maps import rcsls
from cr5.systems.maps.rcsls import Lexicon, Rcsls, Spaces, descend, projected, split
from cr5.systems.maps.rotations import orthogonal_map
from cr5.systems.maps.rows import apply_map, centred
from cr5.systems.maps.translation import precision
from tests.systems.conftest import (
    differences,
    drawn_rows,
    first_pairs,
    rotated_copy,
    space,
)

CONSTRAINTS = ["spectral", "frobenius", "none"]
PAIRS = np.array([[0, 3], [0, 5], [7, 3], [20, 49], [39, 0], [11, 12]])  # a word comes twice


def csls_loss(W, X, Y, k, neighbourhoods):
    """The definition, pair by pair, with sorted lists."""
    cosines = X.astype(float) @ W @ Y.astype(float).T
    sources = np.arange(len(X))
    targets = np.arange(len(Y))
    if neighbourhoods == "seeds":
        sources = np.unique(PAIRS[:, 0])
        targets = np.unique(PAIRS[:, 1])
    total = 0.0
    for i, j in PAIRS:
        r_T = mean_of_largest(cosines[i, targets], k)
        r_S = mean_of_largest(cosines[sources, j], k)
        total += 2 * cosines[i, j] - r_T - r_S
    return -total / len(PAIRS)


def mean_of_largest(numbers, k):
    falling = np.sort(numbers)[::-1]
    return falling[:k].mean()


@pytest.mark.parametrize("neighbourhoods", ["full", "seeds"])
@pytest.mark.parametrize("k", [1, 3, 100])
def test_the_loss_is_that_of_the_definition_and_so_is_its_slope(neighbourhoods, k, monkeypatch):
    monkeypatch.setattr(rcsls, "NEIGHBOURS", k)
    rng = np.random.default_rng(0)
    X = drawn_rows(rng, 40, 6)
    Y = drawn_rows(rng, 50, 6)
    W = np.eye(6) + 0.3 * rng.normal(size=(6, 6))

    def expected_loss():
        return csls_loss(W, X, Y, k, neighbourhoods)

    lexicon = Lexicon.select(Spaces(X, Y), PAIRS, neighbourhoods, 1)
    value, gradient = lexicon.loss(W)
    assert value == pytest.approx(expected_loss(), abs=1e-6)
    np.testing.assert_allclose(gradient, differences(expected_loss, W), atol=1e-7)


@pytest.mark.parametrize("constraint", CONSTRAINTS)
def test_the_loss_never_rises(constraint):
    X, Y, _ = rotated_copy(n=300, noise=0.15)
    lexicon = Lexicon.select(Spaces(X, Y), first_pairs(100), "full", 1)
    start = orthogonal_map(lexicon.X, lexicon.Y).astype(float)
    steps = islice(descend(lexicon, 4000.0, constraint), 12)
    losses = []
    for W in chain([start], steps):
        loss, _ = lexicon.loss(W)
        losses.append(loss)
    assert (np.diff(losses) <= 0).all()
    assert losses[-1] < losses[0]


def test_projections():
    W = np.random.default_rng(1).normal(size=(6, 6))
    nearest = projected(W, "spectral")
    assert np.linalg.norm(nearest, 2) <= 1 + 1e-12
    scaled = W / np.linalg.norm(W, 2)
    assert np.linalg.norm(W - nearest) <= np.linalg.norm(W - scaled)
    of_rotations_length = projected(3 * W, "frobenius")
    assert np.linalg.norm(of_rotations_length) == pytest.approx(np.sqrt(6))
    small = 0.1 * W
    for constraint in CONSTRAINTS:
        np.testing.assert_allclose(projected(small, constraint), small, atol=1e-12)


def trained(X, Y, pairs, **options):
    return Rcsls(**options).train({False: Spaces(X, Y)}, pairs, np.random.default_rng(0))


def test_what_translates_best_is_kept():
    X, Y, _ = rotated_copy(n=500)
    W, report = trained(
        X, Y, first_pairs(200), rates=[1.0, 25.0], epochs=[2, 4], neighbourhoods="seeds"
    )
    assert precision(apply_map(X, W), Y, first_pairs(500)[200:]) > 0.9
    trials = pd.DataFrame(report["trials"])
    chosen = trials.loc[trials["precision"].idxmax()]
    assert trials["rate"].tolist() == [1, 1, 25, 25]
    assert trials["epochs"].tolist() == [2, 4, 2, 4]
    assert report["rate"] == chosen["rate"]
    assert report["epochs"] == chosen["epochs"]


def test_it_is_better_than_the_rotation_and_rounded_the_nearest_one():
    """Where there is nothing to choose, all pairs are trained on; rotations are too few here."""
    X, Y = nearly_rotated()
    training_pairs = first_pairs(300)
    W, report = trained(X, Y, training_pairs, rates=[10.0])
    rotation = orthogonal_map(X[:300], Y[:300])
    further_pairs = first_pairs(600)[300:]
    precision_of_rotation = precision(apply_map(X, rotation), Y, further_pairs)
    assert precision(apply_map(X, W), Y, further_pairs) > precision_of_rotation
    assert report["trials"] == []
    assert report["rate"] == 10
    assert report["epochs"] == 10
    assert np.linalg.norm(W.T @ W - np.eye(15)) > 0.1
    rounded, report_of_rounded = trained(X, Y, training_pairs, rates=[10.0], rounded=True)
    nearest_rotation, _ = polar(W)
    np.testing.assert_allclose(rounded, nearest_rotation, atol=1e-5)
    assert report_of_rounded == report


def nearly_rotated():
    """600 words, and the same by a map that is no rotation, blurred."""
    rng = np.random.default_rng(0)
    vectors = rng.normal(size=(600, 15)) + 0.5
    mapping = np.eye(15) + 0.25 * rng.normal(size=(15, 15))
    blurred = vectors @ mapping + rng.normal(size=(600, 15))
    X = unit_rows(vectors.astype(np.float32))
    Y = unit_rows(blurred.astype(np.float32))
    return X, Y


@pytest.mark.parametrize(("offset", "centre"), [(0.0, False), (0.6, True)])
def test_vectors_are_centred_if_that_translates_better(offset, centre):
    """Without an offset both translate all words, and vectors stay as they are."""
    X, Y, _ = rotated_copy(n=200, noise=0.0)
    source = space("it", X)
    target = space("en", unit_rows(Y + np.float32(offset)))
    first_words = [(word, word) for word in source.words[:100]]
    seeds = Seeds({("it", "en"): first_words})
    training_set = SimpleNamespace(seed=3, threads=1, seeds=seeds)
    system = Rcsls(rates=[10.0], epochs=[1], choose_centre=["it"])
    mapped = system.map(source, target, training_set)
    trial_as_they_are, trial_of_centred = mapped.report["trials"]
    assert not trial_as_they_are["centre"]
    assert trial_of_centred["centre"]
    assert trial_of_centred["precision"] == 1
    is_better_centred = trial_as_they_are["precision"] < 1
    assert is_better_centred is centre
    assert mapped.report["centre"] is centre
    if centre:
        source = replace(source, vectors=centred(source.vectors))
        target = replace(target, vectors=centred(target.vectors))
    plain = system.model_copy(update={"choose_centre": ()})
    expected = plain.map(source, target, training_set)
    assert mapped.source.tobytes() == expected.source.tobytes()
    assert mapped.target.tobytes() == target.vectors.tobytes()


def test_words_are_held_out_with_all_their_pairs():
    pairs = np.array([[0, 1], [1, 1], [0, 2], [2, 900], [900, 3], [3, 0]])
    for seed in range(20):
        training_pairs, held_out = split(pairs, np.random.default_rng(seed), 0.4, 500)
        words = set(held_out[:, 0])
        assert len(words) == 1
        assert words < {0, 1, 3}  # those that are frequent, on both sides
        assert words.isdisjoint(training_pairs[:, 0])
        assert len(training_pairs) + len(held_out) == 6


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_at_least_a_word_is_held_out_and_at_least_a_word_trains(share):
    parts = split(np.array([[0, 0], [1, 1]]), np.random.default_rng(0), share, 500)
    assert [len(part) for part in parts] == [1, 1]


def test_without_a_frequent_word_nothing_is_chosen(monkeypatch):
    monkeypatch.setattr(rcsls, "HELD_OUT_WORDS", 20)
    X, Y, _ = rotated_copy(n=100)
    _, report = trained(X, Y, first_pairs(100)[50:], rates=[10.0, 1.0], epochs=[1])
    assert report["trials"] == []
    assert report["rate"] == 10
