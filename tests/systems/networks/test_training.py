"""Batches, held-out pairs and when training ends."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse

from cr5.systems.networks import training
from cr5.systems.networks.family import Contrasted
from cr5.systems.networks.training import (
    Pairs,
    batch_loss,
    hold_out,
    number_held_out,
    reciprocal_rank,
    run_epoch,
    train,
)
from tests.systems.networks.test_composition import differences, parameters_of


def texts(n=12, words=9, seed=3):
    return sparse.csr_matrix(np.random.default_rng(seed).poisson(0.6, (n, words)).astype(float))


def written_out(pairs, negatives, parameters):
    """The loss of Gupta et al. (Eq. 7), text by text and word by word."""

    def embed(row):
        y = np.zeros(parameters[0].shape[1])
        for w, count in zip(row.indices, row.data, strict=True):
            t = parameters[0][w]
            if len(parameters) > 1:
                t = np.tanh(t + parameters[1])
            y += count * t
        return y

    def cosine(a, b):
        return a @ b / (np.linalg.norm(a) * np.linalg.norm(b)) if a.any() and b.any() else 0

    def answer(i):
        return embed(pairs.X[i]) if pairs.fixed is None else pairs.fixed[i]

    total = 0
    for place, (query, one) in enumerate(zip(pairs.queries, pairs.answers, strict=True)):
        y = embed(pairs.X[query])
        far = [cosine(y, answer(each[place])) for each in negatives]
        total -= cosine(y, answer(one)) - np.mean(far)
    return total / len(pairs.queries)


@pytest.mark.parametrize("fixed", [False, True])
@pytest.mark.parametrize("layers", [0, 1])
@pytest.mark.parametrize(
    "options", [{}, {"loss": "margin"}, {"loss": "logistic"}, {"hardest": True, "negatives": 2}]
)
def test_the_loss_of_a_batch_and_its_derivatives(options, layers, fixed):
    generator = np.random.default_rng(5)
    others = generator.normal(size=(12, 3)) if fixed else None
    pairs = Pairs(texts(), np.array([0, 1, 5, 7]), np.array([2, 3, 4, 0]), others)
    negatives = [np.array([4, 2, 0, 3]), np.array([9, 8, 8, 2])][: options.get("negatives", 1)]
    words, loss = batch_loss(pairs, negatives, Contrasted(**options))
    parameters = parameters_of(layers, n_words=9)
    here = [parameters[0][words], *parameters[1:]]
    value, slopes = loss(here)
    if not options:
        assert value == pytest.approx(written_out(pairs, negatives, parameters))
    for found, expected in zip(slopes(), differences(lambda p: loss(p)[0], here), strict=True):
        np.testing.assert_allclose(found, expected, atol=1e-8)


def test_the_rank_counts_ties_against():
    """Answers along the axes; texts nearest to the first, between two, and without a word."""
    W = np.eye(4, 3)
    X = sparse.csr_matrix([[1.0, 0, 0, 0], [1, 1, 0, 0], [0, 0, 0, 1]])
    pairs = Pairs(X, np.arange(3), np.arange(3), np.eye(3))
    assert reciprocal_rank([W], pairs) == pytest.approx((1 + 1 / 2 + 1 / 3) / 3)
    assert reciprocal_rank([W], pairs[np.zeros(0, int)]) is None


def test_equal_answers_are_one_candidate():
    """Two texts ask for the same one; the other candidate is nearer to both."""
    X = sparse.csr_matrix(np.eye(2))
    pairs = Pairs(X, np.array([0, 0, 0]), np.array([1, 1, 0]), np.eye(2))
    assert reciprocal_rank([np.eye(2)], pairs) == pytest.approx((1 / 2 + 1 / 2 + 1) / 3)


def test_a_text_is_no_candidate_for_its_own_query():
    """Two pairs of translations ask in both directions; only the second pair's are apart."""
    X = sparse.csr_matrix([[1.0, 0], [0.8, 0.6], [0.6, 0.8], [-1, 0]])
    pairs = Pairs(X, np.array([0, 1, 2, 3]), np.array([1, 0, 3, 2]))
    ranks = [1, 2, 3, 1]  # cosines with the others: .8 .6 -1, .8 .96 -.8, .6 .96 -.6, -1 -.8 -.6
    assert reciprocal_rank([np.eye(2)], pairs) == pytest.approx(np.mean(1 / np.array(ranks)))


@pytest.mark.parametrize(
    ("groups", "ranks"), [(None, [3, 2, 1]), ([0, 0, 1], [2, 2, 1]), ([0, 0, 0], [1, 1, 1])]
)
def test_other_answers_of_the_group_are_no_candidates(groups, ranks):
    """All texts are alike; the third answer is nearer to them than the second, and the first."""
    X = sparse.csr_matrix([[1.0, 0.0]] * 3)
    fixed = np.array([[0.0, 1], [1, 0.2], [1, 0.1]])
    groups = None if groups is None else np.array(groups)
    pairs = Pairs(X, np.arange(3), np.arange(3), fixed, groups)
    assert reciprocal_rank([np.eye(2)], pairs) == pytest.approx(np.mean(1 / np.array(ranks)))


def test_no_negative_is_another_answer_of_the_group(monkeypatch):
    """Of three groups, two of one pair and one of many, which mostly get their own answer."""
    seen = []

    def noted(pairs, negatives, system):
        seen.extend(zip(pairs.groups, pairs.answers, negatives[0], strict=True))
        return np.zeros(0, int), None

    monkeypatch.setattr(training, "batch_loss", noted)
    monkeypatch.setattr(training, "BATCH", 7)
    groups = np.array([0, 1, *[2] * 18])
    pairs = Pairs(sparse.csr_matrix(np.eye(20)), np.arange(20), np.arange(20), groups=groups)
    run_epoch([np.eye(20)], pairs, Noting(), Contrasted(), np.random.default_rng(0))
    assert sorted(answer for _, answer, _ in seen) == list(range(20))
    for group, answer, negative in seen:
        assert negative == answer or groups[negative] != group
    assert sum(negative != answer for _, answer, negative in seen) in (2, 3, 4)


def test_a_network_that_is_not_finite_ranks_last():
    X = sparse.csr_matrix(np.eye(4))
    pairs = Pairs(X, np.array([0, 1]), np.array([2, 3]))
    assert reciprocal_rank([np.full((4, 2), np.nan)], pairs) == 1 / 2


def test_pairs_of_a_group_are_held_out_together():
    n = 400
    concepts = np.arange(n) // 4
    rows = np.arange(n)
    pairs = Pairs(sparse.csr_matrix((n, 1)), rows, rows[::-1], groups=concepts)
    held, kept = hold_out(pairs, 0.02, np.random.default_rng(0))
    assert (len(held.queries), len(kept.queries)) == (40, 360)
    assert not set(concepts[held.queries]) & set(concepts[kept.queries])
    alone, _ = hold_out(replace(pairs, groups=None), 0.02, np.random.default_rng(0))
    assert len(np.unique(concepts[alone.queries])) > 10


@pytest.mark.parametrize(
    ("n", "share", "expected"),
    [
        (9, 0.02, 0),
        (600, 0.02, 60),
        (4000, 0.02, 100),
        (20_000, 0.02, 400),
        (10**6, 0.02, 2000),
        (600, 0.0, 0),
    ],
)
def test_how_many_are_held_out(n, share, expected):
    assert number_held_out(n, share) == expected


class Worse:
    """Steps after which the network is worse each time."""

    def step(self, loss, parameters, rows):
        parameters[0] += 1
        return loss([parameters[0][rows]])[0]


def test_the_best_epoch_is_kept_and_training_ends(monkeypatch):
    monkeypatch.setattr("cr5.systems.networks.training.optimiser", lambda *_: Worse())
    X = sparse.csr_matrix(np.eye(20))
    parameters, start = [2.0 * np.eye(20)], 2.0 * np.eye(20)
    pairs = Pairs(X, np.arange(20), np.arange(20), np.eye(20))
    generator = np.random.default_rng(0)
    split = hold_out(pairs, 0.1, generator)
    report = train(parameters, *split, 10, Contrasted(), generator)
    assert (report["best_epoch"], len(report["epochs"])) == (0, 6)
    np.testing.assert_array_equal(parameters[0], start)
    report = train(parameters, *hold_out(pairs, 0, generator), 10, Contrasted(), generator)
    assert (report["held_out"], report["best_epoch"], len(report["epochs"])) == (0, 10, 11)
    np.testing.assert_array_equal(parameters[0], start + 10)


class Noting:
    """Steps that note the batches."""

    def __init__(self):
        self.words = []

    def step(self, loss, parameters, rows):
        self.words.append(rows)
        return 0.0


def test_an_epoch_takes_each_pair_once(monkeypatch):
    monkeypatch.setattr(training, "BATCH", 10)
    X, how = sparse.csr_matrix(np.eye(25)), Noting()
    pairs = Pairs(X, np.arange(25), np.arange(25), np.eye(25))
    run_epoch([np.eye(25)], pairs, how, Contrasted(), np.random.default_rng(0))
    assert [len(words) for words in how.words] == [10, 10, 5]
    assert sorted(np.concatenate(how.words)) == list(range(25))
