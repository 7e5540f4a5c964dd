"""Texts composed of words (Gupta, Banchs and Rosso 2017, Eq. 5, 6).

A word passes through the layer alone, and a text is the sum of its words:

    t_w = tanh(W_w + b),    y = sum_w x_w t_w

so a fitted network is a table of word vectors. Parameters are a list of arrays: W (words x r) and b
(r,). W alone is a linear network: t_w = W_w. (Further layers brought the authors nothing.)
"""

import numpy as np

SPREAD = 0.1  # standard deviation of a start

Arrays = list[np.ndarray]


def random_start(generator: np.random.Generator, n_words: int, dimension: int) -> Arrays:
    """Draw parameters, float32: normal with standard deviation `SPREAD` for W, zeros for b."""
    W = SPREAD * generator.standard_normal((n_words, dimension), np.float32)
    return [W, np.zeros(dimension, np.float32)]


def word_vectors(parameters: Arrays) -> np.ndarray:
    """What the network makes of each word, words x r."""
    if len(parameters) == 1:
        return parameters[0]
    return np.tanh(parameters[0] + parameters[1])


def back(parameters: Arrays, table: np.ndarray, slope: np.ndarray) -> Arrays:
    """The derivatives by the parameters.

    The slope of tanh is taken word by word: the paper's appendix takes it at the sum over a text
    (.3 to .6), which is wrong for texts of several words.

    Args:
        parameters: of the network.
        table: what `word_vectors` returned for them.
        slope: derivative by the table, words x r.
    """
    if len(parameters) == 1:
        return [slope]
    slope = slope * (1 - table**2)
    return [slope, slope.sum(axis=0)]
