"""Adversarial training of an orthogonal map without any dictionary (Conneau et al. 2018, 2.1)."""

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from threadpoolctl import threadpool_limits

from cr5.base.errors import UserError
from cr5.systems.mapping.gan import AdversarialSettings, Layers, new_discriminator, round_of_game
from cr5.systems.mapping.procrustes import orthogonal_map

SMALLEST_RATE = 1e-6
TELL_EVERY = 100_000  # samples

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Adversarial:
    """The best map and how it came about.

    Attributes:
        W: d x d float32, the orthogonal matrix nearest to the trained one.
        history: one entry per epoch: epoch, criterion, discriminator_loss, rate and
            off_orthogonal (largest entry of the change from making it orthogonal).
        best: the index of the entry whose map is W.
    """

    W: np.ndarray
    history: list[dict]
    best: int


class RateSchedule:
    """The mapping's learning rate: always decays, and shrinks when the criterion keeps falling."""

    def __init__(self, settings: AdversarialSettings):
        self.settings, self.rate = settings, settings.rate
        self._best, self._has_fallen = -np.inf, False

    def update(self, criterion: float) -> None:
        """Take note of the criterion after an epoch."""
        self.rate *= self.settings.rate_decay
        if criterion < self._best:
            self.rate *= self.settings.rate_shrink if self._has_fallen else 1.0
            self._has_fallen = True
        self.rate = max(self.rate, SMALLEST_RATE)
        self._best = max(self._best, criterion)


def train(
    source: np.ndarray,
    target: np.ndarray,
    criterion: Callable[[np.ndarray], float],
    settings: AdversarialSettings,
    seed: int,
) -> Adversarial:
    """Map the source space onto the target space so that a discriminator cannot tell them apart.

    It can fail: little text, distant languages or dissimilar corpora give a map that translates
    nothing. Without a dictionary, only a low criterion after refinement shows that.

    Args:
        source: n x d float32, unit rows, most frequent word first.
        target: m x d float32, likewise.
        criterion: of a map W (d x d); unsupervised, higher is better.
        settings: of the game.
        seed: the same seed gives the same bytes for any number of cores; and on any processor if
            `base.processor` is set so.

    Raises:
        UserError: the training diverged.
    """
    n, scale = settings.frequent_words, source.dtype.type(settings.scale)
    game = _Game(source[:n] * scale, target[:n] * scale, settings, seed)
    history, best, best_W = [], 0, None
    with threadpool_limits(1):
        for W, entry in _epochs(game, criterion):
            history.append(entry)
            if best_W is None or entry["criterion"] > history[best]["criterion"]:
                best, best_W = len(history) - 1, W
    return Adversarial(best_W, history, best)


class _Game:
    """Two spaces (n x d, m x d), both players and their random numbers, drawn in fixed order."""

    def __init__(
        self, source: np.ndarray, target: np.ndarray, settings: AdversarialSettings, seed: int
    ):
        d = source.shape[1]
        self.source, self.target, self.settings = source, target, settings
        self.rng = np.random.default_rng(seed)
        self.layers: Layers = new_discriminator(self.rng, d, settings.hidden, source.dtype)
        self.W = np.eye(d, dtype=source.dtype)

    def epoch(self, number: int, rate: float) -> float:
        """Play one epoch and return the mean loss of the discriminator."""
        s, losses = self.settings, []
        for samples in range(0, max(s.batch, s.samples - s.batch + 1), s.batch):
            if samples and samples // TELL_EVERY > (samples - s.batch) // TELL_EVERY:
                self._tell(number, samples, losses)
            self.W, loss = round_of_game(
                self.layers, self.W, self.source, self.target, rate, self.rng, s
            )
            losses.append(loss)
        return float(np.mean(losses))

    def _tell(self, number: int, samples: int, losses: list[float]) -> None:
        s, lately = self.settings, losses[-TELL_EVERY // self.settings.batch :]
        log.info(
            "adversarial epoch %d of %d: %d of %d samples, discriminator's loss %.3f",
            *(number + 1, s.epochs, samples, s.samples, np.mean(lately)),
        )


def _epochs(
    game: _Game, criterion: Callable[[np.ndarray], float]
) -> Iterator[tuple[np.ndarray, dict]]:
    """Yield the orthogonal map and a history entry after each epoch."""
    epochs, schedule = game.settings.epochs, RateSchedule(game.settings)
    for number in range(epochs):
        rate = schedule.rate
        with np.errstate(over="ignore", invalid="ignore"):  # reported below
            loss = game.epoch(number, rate)
        if not np.isfinite(game.W).all():
            raise UserError(
                f"adversarial training diverged in epoch {number}: the map is no longer finite; "
                "lower the option rate or scale."
            )
        # A map that shrinks or flattens the space raises every cosine: only its rotation counts.
        rotation = orthogonal_map(np.eye(len(game.W)), game.W)
        score = criterion(rotation)
        schedule.update(score)
        log.info("adversarial epoch %d of %d: criterion %.4f", number + 1, epochs, score)
        entry = {"epoch": number, "criterion": score, "discriminator_loss": loss}
        off = float(np.abs(game.W - rotation).max())
        yield rotation, {**entry, "rate": rate, "off_orthogonal": off}
