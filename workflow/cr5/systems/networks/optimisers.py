"""Steps that lower the loss of a batch.

Conjugate gradients start anew with each batch, as in Gupta, Banchs and Rosso 2017 (section 5.1):
few iterations, each a line search of few evaluations. Adam (Kingma and Ba, 2015) is a deviation;
its moments of a word change only with batches that have the word.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from cr5.systems.networks.composition import Arrays

MEAN = 0.9  # decay of Adam's means, as in its paper
SQUARE = 0.999  # decay of its squares
TINY = 1e-8  # what it adds to their roots
RATE = 0.01  # of Adam

SUFFICIENT = 1e-12  # of a direction's slope, below which there is nothing to gain
ITERATIONS = 3  # of conjugate gradients, for each batch
EVALUATIONS = 3  # of the loss at most, for each of these iterations
LENGTH = 0.1  # of the first step along a batch's gradient that conjugate gradients try
STRETCH = 2.0  # by which one evaluation of a line search may lengthen or shorten the step

# The loss at some parameters, and a function that then computes its derivatives.
Loss = Callable[[Arrays], tuple[float, Callable[[], Arrays]]]


def conjugate_gradients(loss: Loss, parameters: Arrays, rows: np.ndarray) -> float:
    """Step by Polak-Ribière, with line searches that fit parabolas; return the loss before it.

    The step changes the parameters in place, the first one at these rows only.
    """
    loss_before, moved = _descended(loss, _at_rows(parameters, rows))
    places = _places(parameters, rows)
    for parameter, place, new in zip(parameters, places, moved, strict=True):
        parameter[place] = new
    return loss_before


def _descended(loss: Loss, point: Arrays) -> tuple[float, Arrays]:
    """Return the loss at a point, and the point to which a few iterations lead from there.

    With gradients g, and M g what `_preconditioned` makes of them, each direction is

        d = -M g + beta d_before,    beta = max(0, (g'M g - g_before'M g) / g_before'M g_before)

    or, if the loss does not fall along it, -M g alone.
    """
    loss_before, slopes = loss(point)
    value = loss_before
    length = LENGTH
    gradient = slopes()
    del slopes  # it holds all that the loss was computed from
    scaled = _preconditioned(gradient)
    steepness = _dot(gradient, scaled)
    direction = _negative(scaled)
    for _ in range(ITERATIONS):
        slope = _dot(gradient, direction)
        if slope >= 0:
            direction = _negative(scaled)
            slope = -steepness
        if -slope <= SUFFICIENT:
            break
        step = _search(loss, Line(point, direction, value, slope), length)
        if not step.length:
            break
        length = step.length
        value = step.value
        point = _moved(point, direction, length)
        gradient_before = gradient
        gradient = step.slopes()
        scaled = _preconditioned(gradient)
        steepness_before = steepness
        steepness = _dot(gradient, scaled)
        beta = max((steepness - _dot(gradient_before, scaled)) / steepness_before, 0.0)
        direction = _moved(_negative(scaled), direction, beta)
    return loss_before, point


@dataclass(frozen=True)
class Line:
    """A line along which the loss falls at first: where it starts, and the loss and slope there."""

    start: Arrays
    direction: Arrays
    value: float
    slope: float


@dataclass(frozen=True)
class Step:
    """How far to go along a line, the loss there, and what computes the derivatives there."""

    length: float  # 0 if the loss is nowhere lower than at the start
    value: float
    slopes: Callable[[], Arrays] | None = None


def _search(loss: Loss, line: Line, length: float) -> Step:
    """Return the best of a few steps along a line, of which the first has this length.

    Through the loss f(0) and the slope f'(0) at the start, and the loss f(a) at length a, goes the
    parabola f(0) + f'(0) t + c t^2. Its vertex, at t = -f'(0) / (2 c), is tried next:

        c = (f(a) - f(0) - f'(0) a) / a^2
    """
    best = Step(0.0, line.value)
    for _ in range(EVALUATIONS):
        value, slopes = loss(_moved(line.start, line.direction, length))
        if value < best.value:
            best = Step(length, value, slopes)
        curvature = (value - line.value - line.slope * length) / length**2
        vertex = -line.slope / (2 * curvature) if curvature > 0 else np.inf
        next_length = min(max(vertex, length / STRETCH), length * STRETCH)
        if abs(next_length - length) < length / 100:
            break
        length = next_length
    return best


class Adam:
    """Adam, whose moments of the first parameter's rows change with these rows only."""

    def __init__(self, parameters: Arrays, rate: float = RATE):
        self.rate = rate
        self._n_steps = 0
        self._means = [np.zeros_like(parameter) for parameter in parameters]
        self._squares = [np.zeros_like(parameter) for parameter in parameters]

    def step(self, loss: Loss, parameters: Arrays, rows: np.ndarray | slice) -> float:
        """Change the parameters in place, as `conjugate_gradients` does."""
        value, slopes = loss(_at_rows(parameters, rows))
        self._n_steps += 1
        # Moments start from zeros, so they are too small at first, by these factors.
        rate = self.rate / (1 - MEAN**self._n_steps)
        root = np.sqrt(1 - SQUARE**self._n_steps)
        places = _places(parameters, rows)
        moments = zip(parameters, self._means, self._squares, places, slopes(), strict=True)
        for parameter, means, squares, place, gradient in moments:
            mean = MEAN * means[place] + (1 - MEAN) * gradient
            square = SQUARE * squares[place] + (1 - SQUARE) * gradient * gradient
            means[place] = mean
            squares[place] = square
            dtype = parameter.dtype
            deviation = np.sqrt(square) / dtype.type(root) + TINY
            parameter[place] -= dtype.type(rate) * mean / deviation
        return value


def _at_rows(parameters: Arrays, rows: np.ndarray | slice) -> Arrays:
    """Return the parameters of these rows: some of the first, all of the others."""
    return [parameters[0][rows], *parameters[1:]]


def _places(parameters: Arrays, rows: np.ndarray | slice) -> list[np.ndarray | slice]:
    """Return which rows of each parameter a step changes."""
    places: list[np.ndarray | slice] = [slice(None)] * len(parameters)
    places[0] = rows
    return places


def _dot(left: Arrays, right: Arrays) -> float:
    products = [np.vdot(a, b) for a, b in zip(left, right, strict=True)]
    return float(sum(products))


def _preconditioned(gradient: Arrays) -> Arrays:
    """Divide the derivatives by what words share by the number of words (a diagonal M).

    What all words share, such as b, has the sum of their derivatives, and would soon be all that
    moves.
    """
    words = gradient[0]
    n_words = max(len(words), 1)  # texts may have none
    share = words.dtype.type(1 / n_words)
    shared = [share * slopes for slopes in gradient[1:]]
    return [words, *shared]


def _negative(arrays: Arrays) -> Arrays:
    return [-array for array in arrays]


def _moved(point: Arrays, direction: Arrays, length: float) -> Arrays:
    return [
        start + start.dtype.type(length) * change
        for start, change in zip(point, direction, strict=True)
    ]
