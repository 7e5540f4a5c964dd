"""A network that composes texts of words, and how much nearer a text is to its answer.

A word passes through the layer alone, and a text is the sum of its words (Gupta, Banchs and Rosso
2017, Eq. 5, 6):

    t_w = tanh(W_w + b),    y = sum_w x_w t_w

so a fitted network is a table of word vectors. Parameters are a list of arrays: W (words x r) and b
(r,). W alone is a linear network: t_w = W_w. Further layers (r x r and r each) take what the one
below makes of a word, t_w = tanh(V t_w + c); they brought the authors nothing.

With D = cos(y, p) - cos(y, n) of a text y, its answer p and a negative n, the loss is one of

    difference   -D                        Gupta et al., Eq. 7, 9: the negative of their J
    margin       max(0, m - D)             m = 0.5
    logistic     log(1 + exp(-s D))        Yih, Toutanova, Platt and Meek 2011, s = 10

averaged over texts and negatives, or at the negative that is nearest to the text.

Conjugate gradients start anew with each batch, as in Gupta et al. 2017 (section 5.1): few
iterations, each a line search of few evaluations. Adam (Kingma and Ba, 2015) is a deviation; its
moments of a word change only with batches that have the word.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from cr5.base.rows import unit_rows

if TYPE_CHECKING:
    from cr5.systems.networks.models import Contrasted

log = logging.getLogger(__name__)

SPREAD = 0.1  # standard deviation of a start
MARGIN = 0.5  # differences from here on cost nothing
SCALE = 10.0  # factor on the differences

BATCH = 100  # pairs of each step
PATIENCE = 5  # consecutive epochs without a better one, then training ends
MOST_HELD_OUT = 2000  # all are compared with all

Arrays = list[np.ndarray]
# The loss at some parameters, and a function that then computes its derivatives.
Loss = Callable[[Arrays], tuple[float, Callable[[], Arrays]]]
MEAN, SQUARE, TINY = 0.9, 0.999, 1e-8  # of Adam, as in its paper
SUFFICIENT = 1e-12  # of a direction's slope, below which there is nothing to gain
ITERATIONS = 3  # of conjugate gradients, for each batch
EVALUATIONS = 3  # of the loss at most, for each of these iterations
LENGTH = 0.1  # of the first step along a batch's gradient that conjugate gradients try
RATE = 0.01  # of Adam
STRETCH = 2.0  # by which one evaluation of a line search may lengthen or shorten the step


def random_start(
    generator: np.random.Generator, n_words: int, dimension: int, layers: int = 1
) -> Arrays:
    """Draw parameters, float32: normal with standard deviation `SPREAD` for W, zeros for b."""
    parameters = []
    for n_inputs in [n_words, *[dimension] * (layers - 1)]:
        W = SPREAD * generator.standard_normal((n_inputs, dimension), np.float32)
        parameters += [W, np.zeros(dimension, np.float32)]
    return parameters


def word_vectors(parameters: Arrays) -> np.ndarray:
    """What the network makes of each word, words x r."""
    if len(parameters) == 1:
        return parameters[0]
    return layers_of(parameters)[-1]


def layers_of(parameters: Arrays) -> list[np.ndarray]:
    """What each layer makes of each word, words x r, from the lowest."""
    values = [np.tanh(parameters[0] + parameters[1])]
    for W, b in zip(parameters[2::2], parameters[3::2], strict=True):
        values.append(np.tanh(values[-1] @ W + b))
    return values


def back(parameters: Arrays, table: np.ndarray, slope: np.ndarray) -> Arrays:
    """The derivatives by the parameters, of that by the table of words (words x r).

    The slope of tanh is taken word by word: the paper's appendix takes it at the sum over a text
    (.3 to .6), which is wrong for texts of several words.
    """
    if len(parameters) == 1:
        return [slope]
    below = layers_of(parameters[:-2]) if len(parameters) > 2 else []
    slope = slope * (1 - table**2)
    found = [slope.sum(axis=0)]
    for values, W in zip(reversed(below), reversed(parameters[2::2]), strict=True):
        found += [values.T @ slope]
        slope = (slope @ W.T) * (1 - values**2)
        found += [slope.sum(axis=0)]
    return [slope, *reversed(found)]


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


@dataclass(frozen=True)
class Pairs:
    """Texts and their answers: n rows of X (texts x words), answers of X or of `fixed`.

    `fixed` (answers x r) is of another network that does not change; without it answers are
    composed by the same network. Pairs of one group, such as those of one concept, are held out
    together, and none has an answer of another one as a negative.
    """

    X: sparse.csr_matrix
    queries: np.ndarray
    answers: np.ndarray
    groups: np.ndarray
    fixed: np.ndarray | None = None

    def __getitem__(self, chosen: np.ndarray) -> Pairs:
        """Some of the pairs."""
        of = self.queries[chosen], self.answers[chosen], self.groups[chosen]
        return Pairs(self.X, *of, self.fixed)


def hold_out(pairs: Pairs, share: float, generator: np.random.Generator) -> tuple[Pairs, Pairs]:
    """Some pairs by which training is judged, and those that train.

    A share of the groups is held out, but enough to tell, at most a tenth, and at most 2,000 pairs.
    """
    groups = generator.permutation(np.unique(pairs.groups))
    size = min(max(round(share * len(groups)), 100), len(groups) // 10, MOST_HELD_OUT)
    is_held = np.isin(pairs.groups, groups[: size if share else 0])
    held = generator.permutation(np.flatnonzero(is_held))[:MOST_HELD_OUT]
    return pairs[held], pairs[np.flatnonzero(~is_held)]


def train(
    parameters: Arrays,
    held: Pairs,
    kept: Pairs,
    epochs: int,
    system: Contrasted,
    generator: np.random.Generator,
) -> dict[str, Any]:
    """Train in place; the parameters of the epoch that is best on held-out pairs are kept.

    The start, which must not have seen them, counts as an epoch. Without held-out pairs the last
    epoch is kept. Reports numbers of pairs, the epoch kept and the mean reciprocal rank after it.
    """
    n = len(held.queries)
    step = conjugate_gradients if system.optimiser == "cg" else Adam(parameters).step
    best, best_epoch, most = [p.copy() for p in parameters], 0, reciprocal_rank(parameters, held)
    for epoch in range(1, epochs + 1):
        loss = run_epoch(parameters, kept, step, system, generator)
        rank = reciprocal_rank(parameters, held)
        log.info("epoch %d of %d: loss %.4f, MRR %s", epoch, epochs, loss, rank)
        if not n or rank > most:
            best, best_epoch, most = [p.copy() for p in parameters], epoch, rank
        if epoch - best_epoch >= PATIENCE:
            break
    for p, kept_one in zip(parameters, best, strict=True):
        p[:] = kept_one
    return {"pairs": len(kept.queries), "held_out": n, "best_epoch": best_epoch, "mrr": most}


def run_epoch(
    parameters: Arrays,
    pairs: Pairs,
    step: Callable[[Loss, Arrays, np.ndarray], float],
    system: Contrasted,
    generator: np.random.Generator,
) -> float:
    """Take all pairs once in a new order; return the mean loss of the batches, before each step.

    Negatives are the answers in another order, as in the authors' code: by chance a text may get
    its own, which teaches nothing. It also does where it would get another one of its group.
    """
    order = generator.permutation(len(pairs.queries))
    others, losses = [], []
    for _ in range(system.negatives):
        shuffled = generator.permutation(len(order))
        same = pairs.groups[shuffled] == pairs.groups
        others.append(np.where(same, pairs.answers, pairs.answers[shuffled]))
    for start in range(0, len(order), BATCH):
        chosen = order[start : start + BATCH]
        words, loss = batch_loss(pairs[chosen], [rows[chosen] for rows in others], system)
        losses.append(step(loss, parameters, words))
    return float(np.mean(losses))


def batch_loss(
    pairs: Pairs, negatives: list[np.ndarray], system: Contrasted
) -> tuple[np.ndarray, Loss]:
    """The words of a batch, and its loss as a function of their parameters.

    Negatives are k times (n,): rows of X, or of `fixed`.
    """
    n, others, own = len(pairs.queries), np.stack([pairs.answers, *negatives]), pairs.fixed is None
    X = pairs.X[np.concatenate([pairs.queries, *others]) if own else pairs.queries]
    words, places = np.unique(X.indices, return_inverse=True)
    there = X.shape[0], len(words)
    X = sparse.csr_matrix((X.data, places.astype(np.int32), X.indptr), there)  # of these words
    Xt = X.T.tocsr()

    def loss(parameters: Arrays) -> tuple[float, Callable[[], Arrays]]:
        table = word_vectors(parameters)
        Y = X @ table
        answers = Y[n:].reshape(*others.shape, -1) if own else pairs.fixed[others]
        value, dY, dP, dN = contrast(Y[:n], answers[0], answers[1:], system.loss, system.hardest)

        def slopes() -> Arrays:
            every = np.vstack([dY, dP, *dN]) if own else dY
            return back(parameters, table, Xt @ every)

        return value, slopes

    return words, loss


def reciprocal_rank(parameters: Arrays, pairs: Pairs) -> float | None:
    """The mean reciprocal rank of answers among those of all pairs, ties against; None if none.

    A text that is itself an answer is no candidate for its own query: nothing is nearer to it.
    Neither are other answers of the query's group.
    """
    if not len(pairs.queries):
        return None
    table = word_vectors(parameters)
    rows, first, place = np.unique(pairs.answers, return_index=True, return_inverse=True)
    answers = pairs.X[rows] @ table if pairs.fixed is None else pairs.fixed[rows]
    cosines = unit_rows(pairs.X[pairs.queries] @ table) @ unit_rows(answers).T
    each = np.arange(len(place))
    ahead = ~(cosines < cosines[each, place][:, None])  # nan counts against, as ties do
    if pairs.fixed is None:
        ahead &= rows != pairs.queries[:, None]
    ahead &= pairs.groups[first] != pairs.groups[:, None]
    ahead[each, place] = True
    return float((1 / ahead.sum(axis=1)).mean())


def conjugate_gradients(loss: Loss, parameters: Arrays, rows: np.ndarray) -> float:
    """A step of Polak-Ribière, with a line search that fits a parabola; return the loss before it.

    It changes the parameters in place, the first one at these rows only. What all words share, such
    as b, has the sum of their derivatives, and would soon be all that moves; it is divided by their
    number (a diagonal preconditioner).
    """
    here = [parameters[0][rows], *parameters[1:]]
    first, slopes = loss(here)
    value, gradient, length = first, slopes(), LENGTH
    scaled = _scaled(gradient)
    direction, steepness = [-z for z in scaled], _dot(gradient, scaled)
    for _ in range(ITERATIONS):
        slope = _dot(gradient, direction)
        if slope >= 0:
            direction, slope = [-z for z in scaled], -steepness
        if -slope <= SUFFICIENT:
            break
        found = _search(loss, here, direction, value, slope, length)
        if not found[0]:
            break
        (length, value, slopes), before = found, gradient
        here, gradient = _moved(here, direction, length), slopes()
        scaled, last = _scaled(gradient), steepness
        steepness = _dot(gradient, scaled)
        turn = max((steepness - _dot(before, scaled)) / last, 0.0)
        direction = _moved([-z for z in scaled], direction, turn)
    for p, place, new in zip(parameters, _places(parameters, rows), here, strict=True):
        p[place] = new
    return first


class Adam:
    """Adam, whose moments of the first parameter's rows change with these rows only."""

    def __init__(self, parameters: Arrays, rate: float = RATE):
        self.rate, self._step = rate, 0
        self._means = [np.zeros_like(p) for p in parameters]
        self._squares = [np.zeros_like(p) for p in parameters]

    def step(self, loss: Loss, parameters: Arrays, rows: np.ndarray) -> float:
        """Change the parameters in place, as `conjugate_gradients` does."""
        value, slopes = loss([parameters[0][rows], *parameters[1:]])
        self._step += 1
        rate, root = self.rate / (1 - MEAN**self._step), np.sqrt(1 - SQUARE**self._step)
        places = _places(parameters, rows)
        moments = zip(parameters, self._means, self._squares, places, slopes(), strict=True)
        for p, mean, square, place, g in moments:
            m = mean[place] = MEAN * mean[place] + (1 - MEAN) * g
            s = square[place] = SQUARE * square[place] + (1 - SQUARE) * g * g
            p[place] -= p.dtype.type(rate) * m / (np.sqrt(s) / p.dtype.type(root) + TINY)
        return value


def _search(loss, here, direction, value, slope, length):
    """The best length found along a direction, with its loss and its derivatives; 0 if none."""
    best = (0.0, value, None)
    for _ in range(EVALUATIONS):
        found, slopes = loss(_moved(here, direction, length))
        if found < best[1]:
            best = (length, found, slopes)
        bend = (found - value - slope * length) / length**2
        vertex = -slope / (2 * bend) if bend > 0 else np.inf
        new = min(max(vertex, length / STRETCH), length * STRETCH)
        if abs(new - length) < length / 100:
            break
        length = new
    return best


def _places(parameters: Arrays, rows: np.ndarray | slice) -> list[np.ndarray | slice]:
    """Which rows of each parameter a step changes."""
    return [rows, *[slice(None)] * (len(parameters) - 1)]


def _dot(a: Arrays, b: Arrays) -> float:
    return float(sum(np.vdot(x, y) for x, y in zip(a, b, strict=True)))


def _scaled(arrays: Arrays) -> Arrays:
    """What words share is divided by their number."""
    share = arrays[0].dtype.type(1 / len(arrays[0]))
    return [arrays[0], *[share * each for each in arrays[1:]]]


def _moved(a: Arrays, b: Arrays, length: float) -> Arrays:
    return [x + x.dtype.type(length) * y for x, y in zip(a, b, strict=True)]
