"""Gradients against finite differences of a loss that scikit-learn computes, in float64."""

import numpy as np
import pytest
from sklearn.metrics import log_loss

from cr5.systems.mapping import gan

SOURCE_FIRST = np.array([0.9, 0.9, 0.1, 0.1])


@pytest.fixture
def one_step():
    """A discriminator 3 -> 4 -> 4 -> 1, a map and a batch of two, in float64."""
    rng = np.random.default_rng(5)
    sizes = ((3, 4), (4, 4), (4, 1))
    layers = [(rng.normal(size=size), rng.normal(size=size[1])) for size in sizes]
    return layers, rng.normal(size=(3, 3)), rng.normal(size=(2, 3)), rng.normal(size=(2, 3))


def loss_of(layers, inputs, wanted):
    """Soft targets are labels of both kinds, weighted; each row stands there twice."""
    for level, (A, b) in enumerate(layers):
        inputs = inputs @ A + b
        if level < 2:
            inputs = np.where(inputs > 0, inputs, 0.2 * inputs)
    p = 1 / (1 + np.exp(-inputs[:, 0]))
    labels = np.repeat([1, 0], len(p))
    weights = np.concatenate([wanted, 1 - wanted])
    return log_loss(labels, np.concatenate([p, p]), sample_weight=weights)


def differences(loss, parameter):
    """Central differences of a loss by each entry of an array, which it reads."""
    found = np.zeros_like(parameter)
    for place in np.ndindex(parameter.shape):
        kept, values = parameter[place], []
        for step in (1e-6, -1e-6):
            parameter[place] = kept + step
            values.append(loss())
        parameter[place] = kept
        found[place] = (values[0] - values[1]) / 2e-6
    return found


def copies(layers, dtype=np.float64):
    return [(A.astype(dtype), b.astype(dtype)) for A, b in layers]


@pytest.mark.parametrize("drop", [False, True])
def test_the_discriminator_descends_its_loss(one_step, drop):
    layers, W, X, Y = one_step
    mask = np.array([[0, 2, 2], [2, 0, 2], [2, 2, 0], [0, 0, 2]]) if drop else np.ones((4, 3))
    inputs = np.vstack([X @ W, Y]) * mask
    stepped = copies(layers)
    got = gan.discriminator_step(stepped, W, X, Y, mask, 0.3)
    assert got == pytest.approx(loss_of(layers, inputs, SOURCE_FIRST), rel=1e-12)
    for before, after in zip(layers, stepped, strict=True):
        for old, new in zip(before, after, strict=True):
            slope = differences(lambda: loss_of(layers, inputs, SOURCE_FIRST), old)
            np.testing.assert_allclose(new, old - 0.3 * slope, atol=1e-9)


def test_the_map_descends_the_loss_of_the_opposite_targets(one_step):
    layers, W, X, Y = one_step
    expected = differences(lambda: loss_of(layers, np.vstack([X @ W, Y]), 1 - SOURCE_FIRST), W)
    got = gan.mapping_gradient(layers, W, X)
    np.testing.assert_allclose(got, expected, atol=1e-9)
    np.testing.assert_allclose(gan.mapping_step(layers, W, X, 0.5, 0.0), W - 0.5 * expected)


def test_single_precision_stays_single_and_is_near(one_step):
    layers, W, X, Y = one_step
    double, single = copies(layers), copies(layers, np.float32)
    gan.discriminator_step(double, W, X, Y, np.ones((4, 3)), 0.3)
    small = [x.astype(np.float32) for x in (W, X, Y)]
    gan.discriminator_step(single, *small, np.ones((4, 3), np.float32), 0.3)
    for one, other in zip(double, single, strict=True):
        for x, y in zip(one, other, strict=True):
            assert y.dtype == np.float32
            np.testing.assert_allclose(y, x, atol=1e-6)
    assert gan.mapping_step(single, small[0], small[1], 0.5, 0.0).dtype == np.float32


def test_mapping_step_pulls_towards_orthogonality(one_step):
    layers, _, X, _ = one_step
    Q = np.linalg.qr(np.random.default_rng(7).normal(size=(3, 3)))[0]
    W = Q @ np.diag([1.3, 1.0, 0.7])
    np.testing.assert_allclose(
        gan.mapping_step(layers, W, X, 0.0, 0.1), 1.1 * W - 0.1 * W @ W.T @ W
    )
    for _ in range(60):
        W = gan.mapping_step(layers, W, X, 0.0, 0.1)
    np.testing.assert_allclose(W @ W.T, np.eye(3), atol=1e-4)


def test_new_discriminator_has_the_layers_and_bounds_of_the_paper():
    layers = gan.new_discriminator(np.random.default_rng(0), 9, 16)
    assert [A.shape for A, _ in layers] == [(9, 16), (16, 16), (16, 1)]
    assert [b.shape for _, b in layers] == [(16,), (16,), (1,)]
    for (A, b), bound in zip(layers, (1 / 3, 1 / 4, 1 / 4), strict=True):
        assert A.dtype == b.dtype == np.float32
        assert 0.8 * bound < np.abs(A).max() <= bound
        assert np.abs(b).max() <= bound


def test_dropout_keeps_the_mean():
    mask = gan.dropout(np.random.default_rng(1), (500, 400), 0.1, np.dtype(np.float32))
    assert mask.dtype == np.float32
    assert set(np.unique(mask)) == {np.float32(0), np.float32(1 / 0.9)}
    # 200,000 draws: a standard error of 0.0007
    assert (mask == 0).mean() == pytest.approx(0.1, abs=0.003)


def test_log_odds_of_any_size_have_a_probability():
    z = np.array([-1e4, -3.0, 0.0, 3.0, 1e4], np.float32)
    expected = [0, 1 / (1 + np.e**3), 0.5, 1 / (1 + np.e**-3), 1]
    np.testing.assert_allclose(gan.probability(z), expected, rtol=1e-6)
