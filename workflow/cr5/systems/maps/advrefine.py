"""AdvRefine: adversarial training of a map, then refinement (Conneau et al. 2018).

A discriminator D tells mapped source words from target words; the map W is changed so that it
cannot (section 2.1, eqs. 3-5 and 7). All heavy work is matrix products, which BLAS can be set to
compute identically on every processor (`base/processor.py`); the elementwise rest takes less than a
twentieth of the time. Any float dtype; results keep it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from typing import Annotated

import numpy as np
from pydantic import Field, PositiveFloat, PositiveInt

from cr5.base.errors import UserError
from cr5.systems.maps.family import Started
from cr5.systems.maps.refinement import translate_frequent
from cr5.systems.maps.rotations import orthogonal_map
from cr5.systems.maps.spaces import Space

log = logging.getLogger(__name__)

INPUT_DROPOUT = 0.1  # of the discriminator, as the next two (section 3.1)
LEAK = 0.2  # slope of its LeakyReLU below zero, at most 1
SMOOTHING = 0.1  # its targets are 1 - smoothing and smoothing
RATE_DECAY = 0.98  # factor on the mapping's rate after each epoch (authors' code)
SMALLEST_RATE = 1e-6

Layers = list[tuple[np.ndarray, np.ndarray]]


class AdvRefine(Started):
    """AdvRefine: adversarial training, then refinement (Conneau et al. 2018).

    No dictionary and no aligned documents: each language's word vectors are mapped onto the
    pivot's, and a document is the sum of its mapped word vectors. The options' defaults are the
    paper's values, except `starts`: a game may well fail. A game is unstable: the last bits of sums
    may decide its outcome. So sums are the same on common processors (`base/processor.py`), and
    several games are played.
    """

    title = "AdvRefine"
    reference = "Conneau, Lample, Ranzato, Denoyer and Jégou, ICLR 2018"
    cost = (1, 24)  # several games
    colour = "#E69F00"
    keeps_lengths = True

    epochs: PositiveInt = 5
    """After each the criterion is computed and the rate changed."""
    samples: PositiveInt = 1_000_000
    """Words drawn from each language per epoch."""
    batch: PositiveInt = 32
    """Words of each language per step."""
    frequent_words: PositiveInt = 75_000
    """Most frequent words that batches are drawn from."""
    hidden: PositiveInt = 2048
    """Width of both hidden layers of the discriminator."""
    discriminator_steps: PositiveInt = 5
    """Per step of the mapping."""
    rate: PositiveFloat = 0.1
    """Learning rate of both players at the start."""
    rate_shrink: Annotated[float, Field(gt=0, le=1)] = 0.5
    """Further factor from the second time on that the criterion is below its best."""
    orthogonality: Annotated[float, Field(ge=0, le=1)] = 0.001
    """Beta of Eq. 7."""

    def begin(self, source: Space, target: Space, seed: int) -> Iterator[np.ndarray]:
        """Play the games, each with its own seed."""
        for start in range(self.starts):
            names = (source.language, target.language, start + 1, self.starts)
            log.info("%s to %s: game %d of %d", *names)
            # the order of languages does not matter
            entropy = np.random.SeedSequence([seed, start, *source.language.encode()])
            game = Game(
                source.full_vectors, target.full_vectors, self, int(entropy.generate_state(1)[0])
            )
            yield game.played(lambda W: translate_frequent(source, target, W, self).criterion)


class Game:
    """Both players on words of their own lengths, and their random numbers, drawn in fixed order.

    The map is W, d x d. It can fail: little text, distant languages or dissimilar corpora give one
    that translates nothing. Without a dictionary, only a low criterion after refinement shows that.
    """

    def __init__(self, source: np.ndarray, target: np.ndarray, system: AdvRefine, seed: int):
        n, d = system.frequent_words, source.shape[1]
        self.source, self.target, self.system = source[:n], target[:n], system
        self.generator = np.random.default_rng(seed)
        self.layers: Layers = []  # d -> hidden -> hidden -> 1
        for n_in, n_out in ((d, system.hidden), (system.hidden,) * 2, (system.hidden, 1)):
            bound = n_in**-0.5
            shapes = (n_in, n_out), n_out
            A, b = (self.generator.uniform(-bound, bound, shape) for shape in shapes)
            self.layers.append((A.astype(source.dtype), b.astype(source.dtype)))
        self.W = np.eye(d, dtype=source.dtype)

    def played(self, criterion: Callable[[np.ndarray], float]) -> np.ndarray:
        """Play all epochs, and keep the rotation nearest to the map of the best one.

        Raises UserError if the training diverged.
        """
        epochs, rate, has_fallen = self.system.epochs, self.system.rate, False
        best, best_W = -np.inf, None
        for epoch in range(epochs):
            with np.errstate(over="ignore", invalid="ignore"):  # reported below
                self.epoch(rate)
            if not np.isfinite(self.W).all():
                raise UserError(
                    f"adversarial training diverged in epoch {epoch}: the map is no longer finite; "
                    "lower the option rate."
                )
            # A map that shrinks or flattens the space raises every cosine: only its rotation counts
            W = orthogonal_map(np.eye(len(self.W)), self.W)
            score = criterion(W)
            log.info("epoch %d of %d at %.3g: criterion %.4f", epoch + 1, epochs, rate, score)
            rate *= RATE_DECAY
            if score > best:
                best, best_W = score, W
            elif score < best:
                rate *= self.system.rate_shrink if has_fallen else 1.0
                has_fallen = True
            rate = max(rate, SMALLEST_RATE)
        return best_W

    def epoch(self, rate: float) -> None:
        """Take D's steps and one step of W, at that rate, again and again."""
        system, n = self.system, self.system.batch
        for _ in range(max(1, system.samples // n)):
            for _ in range(system.discriminator_steps):
                X, Y = self._drawn(self.source), self._drawn(self.target)
                kept = self.generator.random((2 * n, len(self.W)), np.float32)
                mask = (kept >= INPUT_DROPOUT) * self.W.dtype.type(1 / (1 - INPUT_DROPOUT))
                discriminator_step(self.layers, self.W, X, Y, mask, system.rate)
            X = self._drawn(self.source)
            self.W = mapping_step(self.layers, self.W, X, rate, system.orthogonality)

    def _drawn(self, words: np.ndarray) -> np.ndarray:
        return words[self.generator.integers(0, len(words), self.system.batch)]


def forward(layers: Layers, X: np.ndarray) -> tuple[list[np.ndarray], np.ndarray]:
    """The input of each layer of D for rows X, and the log odds that these are source words."""
    given = [X]
    for A, b in layers[:-1]:
        Z = given[-1] @ A
        Z += b
        given.append(np.maximum(Z, LEAK * Z))  # LeakyReLU
    A, b = layers[-1]
    return given, (given[-1] @ A + b)[:, 0]


def slope(z: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Derivative of the mean cross-entropy by log odds z, n x 1: probability less the wanted."""
    small = np.exp(-np.abs(z))  # never overflows
    probability = np.where(z < 0, small, 1) / (1 + small)
    return ((probability - wanted.astype(z.dtype)) / z.dtype.type(len(z)))[:, None]


def back(A: np.ndarray, given: np.ndarray, delta: np.ndarray) -> np.ndarray:
    """Take a derivative back through a layer and the LeakyReLU before it, which gave `given`."""
    delta = delta @ A.T
    delta *= np.maximum(np.sign(given), LEAK)  # 1 or the leak, without a branch
    return delta


def subtract_product(A: np.ndarray, rate: float, X: np.ndarray, Y: np.ndarray) -> None:
    """A -= rate X'Y in one pass over A, the largest of the three. All are in C order.

    NumPy's products and SciPy's have an OpenBLAS each. That suits fits, which have one BLAS thread;
    with more, the threads of one spin while the other computes, and a game takes longer.
    """
    from scipy.linalg import get_blas_funcs

    gemm = get_blas_funcs("gemm", (A,))
    gemm(-rate, Y.T, X.T, 1.0, A.T, trans_b=True, overwrite_c=True)  # Fortran order: transposed


def discriminator_step(
    layers: Layers, W: np.ndarray, X: np.ndarray, Y: np.ndarray, mask: np.ndarray, rate: float
) -> None:
    """One step of gradient descent on D's loss (eq. 3), in place; `mask` is the input dropout."""
    given, z = forward(layers, np.concatenate([X @ W, Y]) * mask)
    wanted = np.repeat([1 - SMOOTHING, SMOOTHING], len(X))
    delta = slope(z, wanted)
    for level in reversed(range(len(layers))):
        (A, b), below = layers[level], delta
        if level:
            below = back(A, given[level], delta)
        subtract_product(A, rate, given[level], delta)
        b -= rate * delta.sum(axis=0)
        delta = below


def mapping_step(
    layers: Layers, W: np.ndarray, X: np.ndarray, rate: float, orthogonality: float
) -> np.ndarray:
    """One step on W (eq. 4), then one towards orthogonality (eq. 7), with its beta.

    The targets of the loss of W are the opposite of D's. It is the mean over both halves of a
    batch, but D's output for target words does not depend on W.
    """
    given, z = forward(layers, X @ W)
    delta = slope(z, np.full(len(X), SMOOTHING)) / 2
    for level in reversed(range(1, len(layers))):
        delta = back(layers[level][0], given[level], delta)
    W = W - rate * (X.T @ (delta @ layers[0][0].T))
    return (1 + orthogonality) * W - orthogonality * (W @ W.T) @ W
