"""Layers and their derivatives, word by word and by differences."""

import numpy as np
import pytest

from cr5.systems.networks.composition import back, random_start, word_vectors


def parameters_of(layers, n_words=5, r=3, seed=0):
    """Float64 parameters without zeros; 0 layers is a linear network."""
    generator = np.random.default_rng(seed)
    shapes = [(n_words, r), (r,)] if layers else [(n_words, r)]
    return [generator.normal(size=shape) for shape in shapes]


def differences(function, parameters, step=1e-6):
    """Central differences of a function of a list of arrays."""
    found = []
    for p in parameters:
        slopes = np.zeros_like(p)
        for place in np.ndindex(p.shape):
            kept = p[place]
            p[place] = kept + step
            above = function(parameters)
            p[place] = kept - step
            slopes[place] = (above - function(parameters)) / (2 * step)
            p[place] = kept
        found.append(slopes)
    return found


def test_each_word_passes_through_the_layer_alone():
    W, b = parameters_of(1)
    table = word_vectors([W, b])
    for w in range(len(W)):
        np.testing.assert_allclose(table[w], [np.tanh(W[w, j] + b[j]) for j in range(3)])


def test_a_linear_network_is_its_table():
    [W] = parameters_of(0)
    np.testing.assert_array_equal(word_vectors([W]), W)


@pytest.mark.parametrize("layers", [0, 1])
def test_derivatives_are_those_of_differences(layers):
    parameters = parameters_of(layers)
    weights = np.random.default_rng(1).normal(size=(5, 3))
    found = back(parameters, word_vectors(parameters), weights)
    expected = differences(lambda p: (weights * word_vectors(p)).sum(), parameters)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-8)


def test_a_start_is_spread_as_said_and_has_no_bias():
    W, b = random_start(np.random.default_rng(0), 2000, 50)
    assert W.dtype == b.dtype == np.float32
    assert W.std() == pytest.approx(0.1, rel=0.02)
    assert not b.any()
