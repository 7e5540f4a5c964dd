"""Steps on the parameters of a network, batch after batch.

Conjugate gradients start anew with each batch, as in Gupta et al. 2017 (section 5.1): few
iterations, each a line search of few evaluations. Adam (Kingma and Ba, 2015) is a deviation; its
moments of a word change only with batches that have the word.
"""

from collections.abc import Callable

import numpy as np

from cr5.systems.networks.network import Arrays

# The loss at some parameters, and a function that then computes its derivatives.
Loss = Callable[[Arrays], tuple[float, Callable[[], Arrays]]]
MEAN, SQUARE, TINY = 0.9, 0.999, 1e-8  # of Adam, as in its paper
SUFFICIENT = 1e-12  # of a direction's slope, below which there is nothing to gain
ITERATIONS = 3  # of conjugate gradients, for each batch
EVALUATIONS = 3  # of the loss at most, for each of these iterations
LENGTH = 0.1  # of the first step along a batch's gradient that conjugate gradients try
RATE = 0.01  # of Adam
STRETCH = 2.0  # by which one evaluation of a line search may lengthen or shorten the step


def conjugate_gradients(loss: Loss, parameters: Arrays, rows: np.ndarray) -> float:
    """A step of Polak-Ribière, with a line search that fits a parabola.

    It changes the parameters in place, the first one at these rows only. What all words share, such
    as b, has the sum of their derivatives, and would soon be all that moves; it is divided by their
    number (a diagonal preconditioner).

    Returns:
        The loss before the step.
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
