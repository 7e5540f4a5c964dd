"""A network that composes texts of words, and how much nearer a text is to its answer.

A word passes through the layer alone, and a text is the sum of its words (Gupta, Banchs and Rosso
2017, Eq. 5, 6):

    t_w = tanh(W_w + b),    y = sum_w x_w t_w

so a fitted network is a table of word vectors. Parameters are a list of arrays: W (words x r) and b
(r,). W alone is a linear network: t_w = W_w. (Further layers brought the authors nothing.)

With D = cos(y, p) - cos(y, n) of a text y, its answer p and a negative n, the loss is one of

    difference   -D                        Gupta et al., Eq. 7, 9: the negative of their J
    margin       max(0, m - D)             m = 0.5
    logistic     log(1 + exp(-s D))        Yih, Toutanova, Platt and Meek 2011, s = 10

averaged over texts and negatives, or at the negative that is nearest to the text.
"""

import numpy as np

SPREAD = 0.1  # standard deviation of a start
MARGIN = 0.5  # differences from here on cost nothing
SCALE = 10.0  # factor on the differences

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
    """The derivatives by the parameters, of that by the table of words (words x r).

    The slope of tanh is taken word by word: the paper's appendix takes it at the sum over a text
    (.3 to .6), which is wrong for texts of several words.
    """
    if len(parameters) == 1:
        return [slope]
    slope = slope * (1 - table**2)
    return [slope, slope.sum(axis=0)]


def contrast(
    Y: np.ndarray, P: np.ndarray, N: np.ndarray, loss: str = "difference", hardest: bool = False
) -> tuple[float, np.ndarray, np.ndarray, np.ndarray]:
    """The loss of texts (n x r), answers and negatives (k x n x r), and its derivatives by them.

    A text of zeros has cosine 0 with all, and no derivative.
    """
    (U, u), (V, v), (Z, z) = _units(Y), _units(P), _units(N)
    near, far = (U * V).sum(axis=-1), (U * Z).sum(axis=-1)
    values, slopes = _losses(near - far, loss)
    k, n = far.shape
    share = np.full_like(far, 1 / (k * n))
    if hardest:
        share = (np.arange(k)[:, None] == far.argmax(axis=0)).astype(far.dtype) / n
    slopes = (slopes * share)[..., None]
    of_answers, near, far = slopes.sum(axis=0), near[:, None], far[..., None]
    dY = (of_answers * (V - near * U) - (slopes * (Z - far * U)).sum(axis=0)) * u
    dP = of_answers * (U - near * V) * v
    dN = -slopes * (U - far * Z) * z
    return float((values * share).sum()), dY, dP, dN


def _units(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows of length one, and one over their lengths; zeros for rows of zeros."""
    lengths = np.sqrt((rows * rows).sum(axis=-1, keepdims=True))
    inverse = np.divide(1, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    return rows * inverse, inverse


def _losses(D: np.ndarray, loss: str) -> tuple[np.ndarray, np.ndarray]:
    """The loss of each difference, and its derivative by it."""
    if loss == "margin":
        missing = D.dtype.type(MARGIN) - D
        return np.maximum(missing, 0), -(missing > 0).astype(D.dtype)
    if loss == "logistic":
        scale = D.dtype.type(SCALE)
        return np.logaddexp(0, -scale * D), -scale / 2 * (1 - np.tanh(scale * D / 2))
    return -D, -np.ones_like(D)
