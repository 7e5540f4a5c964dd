"""A network that composes texts of words.

A word passes through the layers alone, and a text is the sum of its words (Gupta, Banchs and Rosso
2017, Eq. 5, 6), for counts or weights x_w:

    t_w = tanh(W_w + b),    y = sum_w x_w t_w

so a fitted network is a table of word vectors. Parameters are a list of arrays: W (words x r) and b
(r,). W alone is a linear network: t_w = W_w. Further layers (r x r and r each) take what the one
below makes of a word, t_w = tanh(V t_w + c); they brought the authors nothing.
"""

from __future__ import annotations

import numpy as np

SPREAD = 0.1  # standard deviation of a start

Arrays = list[np.ndarray]


def random_start(
    generator: np.random.Generator, n_words: int, dimension: int, layers: int = 1
) -> Arrays:
    """Draw parameters, float32: normal with standard deviation `SPREAD` for W, zeros for b."""
    parameters = []
    n_inputs = n_words
    for _ in range(layers):
        W = SPREAD * generator.standard_normal((n_inputs, dimension), np.float32)
        parameters += [W, np.zeros(dimension, np.float32)]
        n_inputs = dimension
    return parameters


def word_vectors(parameters: Arrays) -> np.ndarray:
    """Return what the network makes of each word, words x r."""
    if len(parameters) == 1:
        return parameters[0]
    return layer_outputs(parameters)[-1]


def layer_outputs(parameters: Arrays) -> list[np.ndarray]:
    """Return what each layer makes of each word, words x r, from the lowest."""
    outputs = [np.tanh(parameters[0] + parameters[1])]
    for W, b in zip(parameters[2::2], parameters[3::2], strict=True):
        outputs.append(np.tanh(outputs[-1] @ W + b))
    return outputs


def backpropagated(parameters: Arrays, table: np.ndarray, table_slopes: np.ndarray) -> Arrays:
    """Return the derivatives by the parameters, of those by the table of words (words x r).

    The slope of tanh is taken word by word: the paper's appendix takes it at the sum over a text
    (.3 to .6), which is wrong for texts of several words.
    """
    if len(parameters) == 1:
        return [table_slopes]
    lower_outputs = []
    if len(parameters) > 2:
        lower_outputs = layer_outputs(parameters[:-2])
    upper_weights = parameters[2::2]
    slopes = table_slopes * (1 - table**2)
    derivatives = [slopes.sum(axis=0)]  # from the last parameter to the first
    for outputs, W in zip(reversed(lower_outputs), reversed(upper_weights), strict=True):
        derivatives.append(outputs.T @ slopes)
        slopes = (slopes @ W.T) * (1 - outputs**2)
        derivatives.append(slopes.sum(axis=0))
    derivatives.append(slopes)
    derivatives.reverse()
    return derivatives
