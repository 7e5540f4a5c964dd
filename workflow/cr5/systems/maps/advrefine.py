"""AdvRefine: adversarial training of a map, then refinement (Conneau et al. 2018).

A discriminator D tells mapped source words from target words; the map W is changed so that it
cannot (section 2.1, eqs. 3-5 and 7). All heavy work is matrix products, which BLAS can be set to
compute identically on every processor (`base/processor.py`); the elementwise rest takes less than a
twentieth of the time. Any float dtype; results keep it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
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

        def criterion(W: np.ndarray) -> float:
            return translate_frequent(source, target, W, self).criterion

        for start in range(self.starts):
            log.info(
                "%s to %s: game %d of %d", source.language, target.language, start + 1, self.starts
            )
            # the order of languages does not matter
            entropy = np.random.SeedSequence([seed, start, *source.language.encode()])
            game_seed = int(entropy.generate_state(1)[0])
            game = Game(source.full_vectors, target.full_vectors, self, game_seed)
            yield game.play(criterion)


@dataclass(frozen=True)
class Layer:
    """A layer of the discriminator, from rows X to X A + b; training changes both in place."""

    A: np.ndarray  # inputs x outputs
    b: np.ndarray  # (outputs,)


class Game:
    """Both players on words of their own lengths, and their random numbers, drawn in fixed order.

    The map is W, d x d. It can fail: little text, distant languages or dissimilar corpora give one
    that translates nothing. Without a dictionary, only a low criterion after refinement shows that.
    """

    def __init__(self, source: np.ndarray, target: np.ndarray, system: AdvRefine, seed: int):
        d = source.shape[1]
        self.source = source[: system.frequent_words]
        self.target = target[: system.frequent_words]
        self.system = system
        self.generator = np.random.default_rng(seed)
        self.layers = [
            self._random_layer(d, system.hidden),
            self._random_layer(system.hidden, system.hidden),
            self._random_layer(system.hidden, 1),
        ]
        self.W = np.eye(d, dtype=source.dtype)

    def _random_layer(self, n_in: int, n_out: int) -> Layer:
        """Draw weights and then biases, uniformly."""
        bound = n_in**-0.5
        A = self.generator.uniform(-bound, bound, (n_in, n_out))
        b = self.generator.uniform(-bound, bound, n_out)
        dtype = self.source.dtype
        return Layer(A.astype(dtype), b.astype(dtype))

    def play(self, criterion: Callable[[np.ndarray], float]) -> np.ndarray:
        """Play all epochs, and return the rotation nearest to the map of the best one.

        Raises UserError if the training diverged.
        """
        rate = self.system.rate
        has_fallen = False
        best_score = -np.inf
        best_map = None
        for epoch in range(self.system.epochs):
            with np.errstate(over="ignore", invalid="ignore"):  # reported by the check
                self.play_epoch(rate)
            self._check_finite(epoch)
            # A map that shrinks or flattens the space raises every cosine: only its rotation counts
            W = orthogonal_map(np.eye(len(self.W)), self.W)
            score = criterion(W)
            log.info(
                "epoch %d of %d at %.3g: criterion %.4f", epoch + 1, self.system.epochs, rate, score
            )
            rate *= RATE_DECAY
            if score > best_score:
                best_score = score
                best_map = W
            elif score < best_score:
                if has_fallen:
                    rate *= self.system.rate_shrink
                has_fallen = True
            rate = max(rate, SMALLEST_RATE)
        return best_map

    def _check_finite(self, epoch: int) -> None:
        if not np.isfinite(self.W).all():
            raise UserError(
                f"adversarial training diverged in epoch {epoch}: the map is no longer finite; "
                "lower the option rate."
            )

    def play_epoch(self, rate: float) -> None:
        """Take D's steps and one step of W, at that rate, again and again."""
        system = self.system
        n_steps = max(1, system.samples // system.batch)
        for _ in range(n_steps):
            for _ in range(system.discriminator_steps):
                X = self._draw(self.source)
                Y = self._draw(self.target)
                mask = self._draw_dropout()
                discriminator_step(self.layers, self.W, X, Y, mask, system.rate)
            X = self._draw(self.source)
            self.W = mapping_step(self.layers, self.W, X, rate, system.orthogonality)

    def _draw(self, words: np.ndarray) -> np.ndarray:
        """Draw a batch of words, with replacement."""
        return words[self.generator.integers(0, len(words), self.system.batch)]

    def _draw_dropout(self) -> np.ndarray:
        """Draw zeros, and what makes up for them elsewhere, for a batch of both languages."""
        shape = (2 * self.system.batch, len(self.W))
        is_kept = self.generator.random(shape, np.float32) >= INPUT_DROPOUT
        return is_kept * self.W.dtype.type(1 / (1 - INPUT_DROPOUT))


def forward(layers: Sequence[Layer], X: np.ndarray) -> tuple[list[np.ndarray], np.ndarray]:
    """Return the input of each layer of D for rows X, and the log odds that these are source words.

    LeakyReLU(z) = max(z, leak z) follows each layer but the last.
    """
    inputs = [X]
    for layer in layers[:-1]:
        Z = inputs[-1] @ layer.A
        Z += layer.b
        inputs.append(np.maximum(Z, LEAK * Z))
    last = layers[-1]
    log_odds = inputs[-1] @ last.A + last.b
    return inputs, log_odds[:, 0]


def loss_slope(log_odds: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Return the derivative of the mean cross-entropy by the log odds z, n x 1: (p - wanted) / n.

    p = 1 / (1 + exp(-z)) is computed from exp(-|z|), which never overflows.
    """
    small = np.exp(-np.abs(log_odds))
    probability = np.where(log_odds < 0, small, 1) / (1 + small)
    dtype = log_odds.dtype
    slope = (probability - wanted.astype(dtype)) / dtype.type(len(log_odds))
    return slope[:, None]


def back_through(A: np.ndarray, layer_input: np.ndarray, slope: np.ndarray) -> np.ndarray:
    """Take a slope back through a layer and the LeakyReLU before it, which gave the input."""
    slope = slope @ A.T
    slope *= np.maximum(np.sign(layer_input), LEAK)  # 1 or the leak, without a branch
    return slope


def subtract_product(A: np.ndarray, rate: float, X: np.ndarray, Y: np.ndarray) -> None:
    """A -= rate X'Y in one pass over A, the largest of the three. All are in C order.

    NumPy's products and SciPy's have an OpenBLAS each. That suits fits, which have one BLAS thread;
    with more, the threads of one spin while the other computes, and a game takes longer.
    """
    from scipy.linalg import get_blas_funcs

    gemm = get_blas_funcs("gemm", (A,))
    # BLAS has Fortran order, in which all three are transposed: A' -= rate Y'X
    gemm(-rate, Y.T, X.T, 1.0, A.T, trans_b=True, overwrite_c=True)


def discriminator_step(
    layers: Sequence[Layer],
    W: np.ndarray,
    X: np.ndarray,
    Y: np.ndarray,
    mask: np.ndarray,
    rate: float,
) -> None:
    """Take a step of gradient descent on D's loss (eq. 3), in place.

    `mask` is the input dropout.
    """
    words = np.concatenate([X @ W, Y]) * mask
    inputs, log_odds = forward(layers, words)
    wanted = np.repeat([1 - SMOOTHING, SMOOTHING], len(X))
    slope = loss_slope(log_odds, wanted)
    for level in reversed(range(len(layers))):
        A = layers[level].A
        b = layers[level].b
        slope_below = None
        if level > 0:
            slope_below = back_through(A, inputs[level], slope)  # before A changes
        subtract_product(A, rate, inputs[level], slope)
        b -= rate * slope.sum(axis=0)
        slope = slope_below


def mapping_step(
    layers: Sequence[Layer], W: np.ndarray, X: np.ndarray, rate: float, orthogonality: float
) -> np.ndarray:
    """Take a step on W (eq. 4), then one towards orthogonality (eq. 7), with its beta.

    The targets of the loss of W are the opposite of D's. It is the mean over both halves of a
    batch, but D's output for target words does not depend on W.
    """
    inputs, log_odds = forward(layers, X @ W)
    slope = loss_slope(log_odds, np.full(len(X), SMOOTHING)) / 2
    for level in reversed(range(1, len(layers))):
        slope = back_through(layers[level].A, inputs[level], slope)
    gradient = X.T @ (slope @ layers[0].A.T)
    W = W - rate * gradient
    return (1 + orthogonality) * W - orthogonality * (W @ W.T) @ W  # eq. 7
