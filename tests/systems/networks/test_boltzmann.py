"""Boltzmann machines and the autoencoder unrolled from them, written out and by differences."""

import itertools

import numpy as np
import pytest
from scipy import sparse

from cr5.systems.networks.boltzmann import (
    codes,
    contrastive_divergence,
    hidden,
    reconstruction,
    stacked,
    unrolled,
)
from tests.systems.networks.test_composition import differences


def logistic(x):
    return 1 / (1 + np.exp(-x))


def parameters_of(widths, seed=0):
    generator = np.random.default_rng(seed)
    ends = [*widths, *widths[-2::-1]]
    shapes = [(pair, pair[1:]) for pair in itertools.pairwise(ends)]
    return [generator.normal(size=shape) for pair in shapes for shape in pair]


def texts(n=6, words=7):
    return sparse.csr_matrix(np.random.default_rng(1).poisson(0.8, (n, words)).astype(float))


@pytest.mark.parametrize("widths", [(7, 3), (7, 4, 2), (7, 5, 4, 3)])
def test_derivatives_of_the_autoencoder_are_those_of_differences(widths):
    parameters, X = parameters_of(widths), texts()
    wanted = texts()[::-1]
    loss = reconstruction(X, wanted)
    found = loss(parameters)[1]()
    for one, other in zip(found, differences(lambda p: loss(p)[0], parameters), strict=True):
        np.testing.assert_allclose(one, other, atol=1e-8)


def test_the_loss_is_the_cross_entropy_of_each_word():
    A, a, B, b = parameters_of((7, 3))
    X = texts()
    total = 0
    for row in X.toarray():
        odds = logistic(row @ A + row.sum() * a) @ B + b
        total -= sum(n * np.log(np.exp(odds[w]) / np.exp(odds).sum()) for w, n in enumerate(row))
    assert reconstruction(X, X)([A, a, B, b])[0] == pytest.approx(total / X.sum())


def test_hidden_units_of_counts_have_their_bias_once_a_word():
    W, c = np.zeros((2, 1)), np.array([0.5])
    X = sparse.csr_matrix([[3, 1], [0, 0]])
    np.testing.assert_allclose(hidden(X, W, c, True)[:, 0], [logistic(2.0), 0.5])
    np.testing.assert_allclose(hidden(X, W, c, False)[:, 0], logistic(0.5))


class Fixed:
    """Draws a given number each time."""

    def __init__(self, number):
        self.number = number

    def random(self, shape, dtype):
        return np.full(shape, self.number, dtype)


def test_a_step_of_contrastive_divergence_by_hand():
    """All hidden units are drawn as one."""
    W, c, b = np.array([[0.3], [-0.2]]), np.array([0.1]), np.array([0.2, 0.4])
    v = np.array([2.0, 1.0])
    h = logistic(v @ W[:, 0] + 3 * 0.1)
    odds = np.exp(W[:, 0] + b)
    again = 3 * odds / odds.sum()
    h2 = logistic(again @ W[:, 0] + 3 * 0.1)
    machine = [W, c, b]
    error, (dW, dc, db) = contrastive_divergence(
        sparse.csr_matrix(v), machine, counts=True, generator=Fixed(0.0)
    )
    assert error == pytest.approx(np.mean((again - v) ** 2))
    np.testing.assert_allclose(dW[:, 0], again * h2 - v * h)
    np.testing.assert_allclose(dc, 3 * (h2 - h))
    np.testing.assert_allclose(db, again - v)
    _, (dW, _, db) = contrastive_divergence(v[None], machine, False, Fixed(1.0))
    np.testing.assert_allclose(db, logistic(b) - v)  # no hidden unit is drawn


def test_an_unrolled_stack_has_each_machine_twice():
    shapes = []

    def run(machine, loss):
        shapes.append([p.shape for p in machine])
        value, slopes = loss(np.arange(4))(machine)
        assert np.isfinite(value)
        assert [g.shape for g in slopes()] == shapes[-1]

    X = texts().astype(np.float32)
    machines = stacked(X, [5, 3], run, np.random.default_rng(0))
    assert shapes == [[(7, 5), (5,), (7,)], [(5, 3), (3,), (5,)]]
    parameters = unrolled(machines)
    assert [p.shape for p in parameters[::2]] == [(7, 5), (5, 3), (3, 5), (5, 7)]
    np.testing.assert_array_equal(parameters[6], machines[0][0].T)
    assert [units.shape[1] for units in codes(parameters, X)] == [7, 5, 3, 5]
