"""Conjugate gradients on quadratics, whose answer is known, and Adam written out."""

import numpy as np
import pytest

from cr5.systems.networks.optimisers import Adam, ConjugateGradients


def quadratic(matrix, centre):
    """(p - c)'M(p - c) / 2 of the first parameter's rows, side by side."""

    def loss(parameters):
        away = parameters[0].ravel() - centre
        return float(away @ matrix @ away / 2), lambda: [(matrix @ away).reshape(-1, 1)]

    return loss


@pytest.fixture
def problem():
    generator = np.random.default_rng(0)
    root = generator.normal(size=(4, 4))
    return root @ root.T + np.eye(4), generator.normal(size=4)


def test_a_few_iterations_find_the_minimum_of_a_quadratic(problem):
    how, W = ConjugateGradients(12, 60, 1.0), np.zeros((6, 1))
    rows = np.array([1, 2, 4, 5])
    first = how.step(quadratic(*problem), [W], rows)
    assert first == pytest.approx(problem[1] @ problem[0] @ problem[1] / 2)
    np.testing.assert_allclose(W[rows, 0], problem[1], atol=1e-6)
    assert not W[[0, 3]].any()


@pytest.mark.parametrize("length", [1e-4, 0.2, 1e4])
def test_no_step_makes_the_loss_larger(problem, length):
    how = ConjugateGradients(3, 3, length)
    loss, W, last = quadratic(*problem), np.zeros((4, 1)), np.inf
    for _ in range(20):
        value = how.step(loss, [W], np.arange(4))
        assert value <= last
        last = value


def test_the_loss_is_computed_no_more_often_than_asked(problem):
    calls, loss = [], quadratic(*problem)

    def counted(parameters):
        calls.append(1)
        return loss(parameters)

    ConjugateGradients(3, 2, 0.2).step(counted, [np.zeros((4, 1))], np.arange(4))
    assert 1 < len(calls) <= 1 + 3 * 2


def test_what_words_share_moves_as_one_of_them_does():
    """All derivatives are those of b's sum: without the division, b would move eight times."""

    def loss(parameters):
        W, b = parameters
        return float((W + b).sum()), lambda: [np.ones_like(W), np.full_like(b, len(W))]

    W, b = np.zeros((8, 1)), np.zeros(1)
    ConjugateGradients(1, 1, 0.5).step(loss, [W, b], np.arange(8))
    assert b[0] < -0.1
    np.testing.assert_allclose(W, np.tile(b, (8, 1)))


def test_adam_is_the_papers_for_the_rows_of_a_batch():
    gradients = np.random.default_rng(0).normal(size=(5, 3))
    W, b, bias_gradients = np.zeros((4, 1)), np.zeros(1), gradients[:, 2]
    how, rows = Adam([W, b], 0.1), np.array([1, 3])
    for g in gradients:
        how.step(lambda p, g=g: (0.0, lambda: [g[:2, None], g[2:]]), [W, b], rows)
    for found, of_one in ((W[1], gradients[:, 0]), (W[3], gradients[:, 1]), (b, bias_gradients)):
        p, m, v = 0.0, 0.0, 0.0
        for t, g in enumerate(of_one, start=1):
            m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g**2
            p -= 0.1 * (m / (1 - 0.9**t)) / (np.sqrt(v / (1 - 0.999**t)) + 1e-8)
        np.testing.assert_allclose(found[0], p, rtol=1e-12)
    assert not W[[0, 2]].any()
