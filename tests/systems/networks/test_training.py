"""How networks are trained: epochs, what is held out, and both optimisers."""

from collections import Counter
from dataclasses import dataclass
from itertools import chain

import numpy as np
import pytest
from scipy import sparse

from cr5.systems.networks import training
from cr5.systems.networks.optimisers import Adam, conjugate_gradients
from cr5.systems.networks.pairs import Pairs, hold_out
from tests.systems.networks.made_up import Keys


@dataclass(frozen=True)
class Example:
    """A pair of an epoch, and the negative that it got."""

    group: int
    answer: int
    negative: int


def test_an_epoch_takes_each_pair_once_and_no_answer_of_its_group_as_a_negative(monkeypatch):
    """Of three groups, two of one pair and one of many, which mostly get their own answer."""
    batches = []

    def noted(pairs, negatives, system):
        [negatives_of_pairs] = negatives
        entries = zip(pairs.groups, pairs.answers, negatives_of_pairs, strict=True)
        batches.append([Example(*entry) for entry in entries])
        return np.zeros(0, int), None

    def step(*_):
        return 0.0

    monkeypatch.setattr(training, "batch_loss", noted)
    monkeypatch.setattr(training, "BATCH", 7)
    numbers = np.arange(20)
    groups = np.minimum(numbers, 2)
    pairs = Pairs(sparse.csr_matrix(np.eye(20)), numbers, numbers, groups)
    training.run_epoch([np.eye(20)], pairs, step, Keys(), np.random.default_rng(0))
    assert [len(batch) for batch in batches] == [7, 7, 6]
    examples = list(chain.from_iterable(batches))
    assert Counter(example.answer for example in examples) == Counter(range(20))
    with_a_negative = [example for example in examples if example.negative != example.answer]
    assert with_a_negative
    for example in with_a_negative:
        assert groups[example.negative] != example.group


@pytest.mark.parametrize(
    ("n", "share", "expected"),
    [(9, 0.02, 0), (600, 0.02, 60), (4000, 0.02, 100), (20_000, 0.02, 400), (600, 0.0, 0)],
)
def test_groups_are_held_out_whole(n, share, expected):
    rows = np.arange(2 * n)
    groups = rows // 2
    no_words = sparse.csr_matrix((2 * n, 1))
    pairs = Pairs(no_words, rows, rows[::-1], groups)
    held_out, training_pairs = hold_out(pairs, share, np.random.default_rng(0))
    assert len(held_out.queries) == 2 * expected
    assert len(training_pairs.queries) == 2 * (n - expected)
    groups_held_out = set(groups[held_out.queries])
    assert groups_held_out.isdisjoint(groups[training_pairs.queries])


def test_the_best_epoch_is_kept_and_training_ends(monkeypatch):
    """After each step the network is worse."""
    steps = []

    def worsen(loss, parameters, rows):
        parameters[0] += 1
        steps.append(rows)
        return 0.0

    monkeypatch.setattr(training, "conjugate_gradients", worsen)
    numbers = np.arange(20)
    pairs = Pairs(sparse.csr_matrix(np.eye(20)), numbers, numbers, numbers, np.eye(20))
    parameters = [2.0 * np.eye(20)]
    generator = np.random.default_rng(0)
    held_out, training_pairs = hold_out(pairs, 0.1, generator)
    report = training.train(parameters, held_out, training_pairs, 10, Keys(), generator)
    assert report["best_epoch"] == 0
    assert report["mrr"] == 1
    assert len(steps) == 5
    np.testing.assert_array_equal(parameters[0], 2 * np.eye(20))
    none_held_out, training_pairs = hold_out(pairs, 0, generator)
    report = training.train(parameters, none_held_out, training_pairs, 10, Keys(), generator)
    assert report["held_out"] == 0
    assert report["best_epoch"] == 10
    assert len(steps) == 5 + 10


def test_conjugate_gradients_find_the_minimum_of_a_quadratic():
    """In as many iterations as dimensions; rows of no batch stay; what words share is one."""
    generator = np.random.default_rng(0)
    turn, _ = np.linalg.qr(generator.normal(size=(3, 3)))
    centre = generator.normal(size=3)
    M = turn @ np.diag([3.0, 5.0, 9.0]) @ turn.T
    places = []

    def loss(parameters):
        """(w - centre)' M (w - centre) / 2."""
        away = parameters[0].ravel() - centre
        places.append(away)

        def derivatives():
            slopes = M @ away
            return [slopes.reshape(-1, 1)]

        return float(away @ M @ away / 2), derivatives

    W = np.zeros((5, 1))
    rows = np.array([1, 2, 4])
    loss_before = conjugate_gradients(loss, [W], rows)
    assert loss_before == pytest.approx(centre @ M @ centre / 2)
    np.testing.assert_allclose(W[rows, 0], centre, atol=1e-9)
    assert not W[[0, 3]].any()
    assert len(places) <= 1 + 3 * 3


def test_conjugate_gradients_move_what_words_share_as_one_parameter():
    W = np.zeros((8, 1))
    b = np.zeros(1)

    def derivatives():
        return [np.ones((8, 1)), np.full(1, 8.0)]

    def loss(parameters):
        rows, shared = parameters
        total = rows.sum() + 8 * shared[0]
        return float(total), derivatives

    conjugate_gradients(loss, [W, b], np.arange(8))
    assert b[0] < -0.1
    np.testing.assert_allclose(W, np.tile(b, (8, 1)))


def test_conjugate_gradients_move_what_words_share_where_a_batch_has_no_word():
    W = np.zeros((3, 1))
    b = np.zeros(1)

    def loss(parameters):
        [shared] = parameters[1]

        def derivatives():
            return [np.zeros((0, 1)), np.array([2 * (shared - 2)])]

        return float((shared - 2) ** 2), derivatives

    conjugate_gradients(loss, [W, b], np.arange(0))
    assert not W.any()
    assert b == pytest.approx([2])


def adam(gradients, rate):
    """One number, moved as in the paper's algorithm 1."""
    value = 0.0
    m = 0.0
    v = 0.0
    for t, gradient in enumerate(gradients, start=1):
        m = 0.9 * m + 0.1 * gradient
        v = 0.999 * v + 0.001 * gradient**2
        m_hat = m / (1 - 0.9**t)
        v_hat = v / (1 - 0.999**t)
        value -= rate * m_hat / (np.sqrt(v_hat) + 1e-8)
    return value


def test_adam_is_the_papers_for_the_rows_of_a_batch():
    gradients = np.random.default_rng(0).normal(size=(5, 3))  # two rows of W, and b
    W = np.zeros((4, 1))
    b = np.zeros(1)
    optimiser = Adam([W, b], 0.1)
    for gradient in gradients:
        slopes = [gradient[:2, None], gradient[2:]]

        def loss(parameters, slopes=slopes):
            return 0.0, lambda: slopes

        optimiser.step(loss, [W, b], np.array([1, 3]))
    expected = [adam(gradients_of_number, 0.1) for gradients_of_number in gradients.T]
    moved = [W[1, 0], W[3, 0], b[0]]
    np.testing.assert_allclose(moved, expected, rtol=1e-12)
    assert not W[[0, 2]].any()
