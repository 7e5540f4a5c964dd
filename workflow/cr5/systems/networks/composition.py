"""Texts composed of words (Gupta, Banchs and Rosso 2017, Eq. 5, 6).

A word passes through the layers alone, and a text is the sum of its words:

    t_w = tanh(... tanh(W_w + b) A + c ...),    y = sum_w x_w t_w

so a fitted network is a table of word vectors. Parameters are a list of arrays: W (words x r), b
(r,), then A (r x r), c (r,) of each further layer. W alone is a linear network: t_w = W_w.
"""

import numpy as np

Arrays = list[np.ndarray]


def random_start(
    generator: np.random.Generator, n_words: int, dimension: int, layers: int, spread: float
) -> Arrays:
    """Draw parameters, float32: normal with that standard deviation for W, zeros for b and c.

    Further layers are drawn with variance 1 / r, which keeps the size of what passes through.
    """
    W = spread * generator.standard_normal((n_words, dimension), np.float32)
    parameters = [W, np.zeros(dimension, np.float32)]
    for _ in range(layers - 1):
        A = generator.standard_normal((dimension, dimension), np.float32)
        parameters += [A / np.float32(np.sqrt(dimension)), np.zeros(dimension, np.float32)]
    return parameters


def word_vectors(parameters: Arrays) -> Arrays:
    """What each layer makes of each word, words x r; the last one is the table."""
    if len(parameters) == 1:
        return [parameters[0]]
    outputs = [np.tanh(parameters[0] + parameters[1])]
    for A, c in zip(parameters[2::2], parameters[3::2], strict=True):
        outputs.append(np.tanh(outputs[-1] @ A + c))
    return outputs


def back(parameters: Arrays, outputs: Arrays, slope: np.ndarray) -> Arrays:
    """The derivatives by the parameters.

    The slope of tanh is taken word by word: the paper's appendix takes it at the sum over a text
    (.3 to .6), which is wrong for texts of several words.

    Args:
        parameters: of the network.
        outputs: what `word_vectors` returned for them.
        slope: derivative by the table, words x r.
    """
    if len(parameters) == 1:
        return [slope]
    found: Arrays = []
    for level in reversed(range(len(outputs))):
        slope = slope * (1 - outputs[level] ** 2)
        by_bias = slope.sum(axis=0)
        if not level:
            return [slope, by_bias, *found]
        found = [outputs[level - 1].T @ slope, by_bias, *found]
        slope = slope @ parameters[2 * level].T
    return found
