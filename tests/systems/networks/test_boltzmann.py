"""The autoencoder and its Boltzmann machines: formulas written out, and by differences."""

from itertools import pairwise

import numpy as np
import pytest
from scipy import sparse
from scipy.special import expit, softmax

from cr5.systems.algebra.columns import columns_of
from cr5.systems.networks import boltzmann
from cr5.systems.networks.s2net import S2net
from tests.systems.networks.made_up import check_slopes, drawn_texts


@pytest.mark.parametrize("widths", [(7, 3), (7, 5, 4, 3)])
def test_derivatives_of_the_autoencoder_are_those_of_differences(widths):
    generator = np.random.default_rng(0)
    machines = []
    for visible, hidden in pairwise(widths):
        shapes = ((visible, hidden), hidden, visible)
        machines.append([generator.normal(size=shape) for shape in shapes])
    X = drawn_texts(6, 7)
    loss = boltzmann.reconstruction(X, X[::-1])
    check_slopes(loss, boltzmann.unrolled(machines))


def test_the_loss_is_the_cross_entropy_of_each_word():
    """-sum_w n_w ln softmax(h B + b)_w over all texts, h the sigmoid of n A + (sum n) a."""
    generator = np.random.default_rng(0)
    parameters = [generator.normal(size=shape) for shape in ((7, 3), 3, (3, 7), 7)]
    A, a, B, b = parameters
    X = drawn_texts(6, 7)
    entropy = 0
    for counts in X.toarray():
        h = expit(counts @ A + counts.sum() * a)
        shares = softmax(h @ B + b)
        entropy -= counts @ np.log(shares)
    loss, _ = boltzmann.reconstruction(X, X)(parameters)
    assert loss == pytest.approx(entropy / X.sum())


class Drawing:
    """A generator of the same number each time."""

    def __init__(self, number):
        self.number = number

    def random(self, shape, dtype):
        return np.full(shape, self.number, dtype)


# A machine of two words and one hidden unit: weights, and offsets of hidden units and words.
W = np.array([[0.3], [-0.2]])
C = np.array([0.1])
B = np.array([0.2, 0.4])
COUNTS = np.array([2.0, 1.0])  # of a text of three words


def hidden_unit(counts):
    return expit(counts @ W[:, 0] + counts.sum() * C[0])


def test_a_step_of_contrastive_divergence_by_hand():
    """All hidden units are drawn as one."""
    reconstructed = 3 * softmax(W[:, 0] + B)
    h = hidden_unit(COUNTS)
    h_reconstructed = hidden_unit(reconstructed)
    X = sparse.csr_matrix(COUNTS)
    error, change = boltzmann.contrastive_divergence(X, True, Drawing(0.0), [W, C, B])
    dW, dc, db = change()
    expected_error = np.mean((reconstructed - COUNTS) ** 2)
    assert error == pytest.approx(expected_error)
    expected_dW = reconstructed * h_reconstructed - COUNTS * h
    np.testing.assert_allclose(dW[:, 0], expected_dW)
    np.testing.assert_allclose(dc, 3 * (h_reconstructed - h))
    np.testing.assert_allclose(db, reconstructed - COUNTS)


def test_where_no_hidden_unit_is_drawn_offsets_reconstruct_a_text():
    X = COUNTS[None]
    _, change = boltzmann.contrastive_divergence(X, False, Drawing(1.0), [W, C, B])
    _, _, db = change()
    np.testing.assert_allclose(db, expit(B) - COUNTS)


def test_one_language_alone_is_to_give_both(planted):
    training_set = planted(n=30)
    chosen = columns_of(training_set, S2net(), merged=False)
    numbers = np.arange(1.0, 2 * chosen.n + 1)
    X = sparse.csr_matrix(numbers.reshape(2, -1))
    examples = boltzmann.blanked(X, training_set, chosen)
    three_times = np.vstack([X.toarray()] * 3)
    np.testing.assert_array_equal(examples.targets.toarray(), three_times)
    first_language = examples.inputs[2:4]
    second_language = examples.inputs[4:]
    both_languages = first_language + second_language
    np.testing.assert_array_equal(both_languages.toarray(), X.toarray())
    assert first_language.nnz == 2 * chosen.selections["en"].nnz
