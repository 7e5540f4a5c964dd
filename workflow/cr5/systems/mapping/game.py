"""Adversarial training of a map: epochs of the game of `gan` (Conneau et al. 2018)."""

import logging
from collections.abc import Callable, Iterator

import numpy as np

from cr5.base.errors import UserError
from cr5.systems.mapping.family import Game
from cr5.systems.mapping.gan import Layers, new_discriminator, round_of_game
from cr5.systems.mapping.maps import orthogonal_map
from cr5.systems.mapping.starts import Start

log = logging.getLogger(__name__)

RATE_DECAY = 0.98  # factor on the mapping's rate after each epoch (authors' code)
SMALLEST_RATE = 1e-6
TELL_EVERY = 100_000  # samples


class RateSchedule:
    """The mapping's learning rate: always decays, and shrinks when the criterion keeps falling."""

    def __init__(self, rate: float, shrink: float):
        self.rate, self.shrink = rate, shrink
        self._best, self._has_fallen = -np.inf, False

    def update(self, criterion: float) -> None:
        """Take note of the criterion after an epoch."""
        self.rate *= RATE_DECAY
        if criterion < self._best:
            self.rate *= self.shrink if self._has_fallen else 1.0
            self._has_fallen = True
        self.rate = max(self.rate, SMALLEST_RATE)
        self._best = max(self._best, criterion)


def train(
    source: np.ndarray,
    target: np.ndarray,
    criterion: Callable[[np.ndarray], float],
    system: Game,
    seed: int,
) -> Start:
    """Map the source space onto the target space so that a discriminator cannot tell them apart.

    It can fail: little text, distant languages or dissimilar corpora give a map that translates
    nothing. Without a dictionary, only a low criterion after refinement shows that.

    Args:
        source: n x d float32, of their own length, most frequent word first.
        target: m x d float32, likewise.
        criterion: of a map W (d x d); unsupervised, higher is better.
        system: says how it is played.
        seed: the same seed gives the same bytes for any number of cores; and on any processor if
            `base.processor` is set so.

    Returns:
        The orthogonal matrix nearest to the best epoch's map, d x d float32. Its report has an
        entry for each epoch, `adversarial`: epoch, criterion, discriminator_loss, rate and
        off_orthogonal (largest entry of the change from making it orthogonal); and the number of
        the best, `best_epoch`.

    Raises:
        UserError: the training diverged.
    """
    n = system.frequent_words
    game = _Game(source[:n], target[:n], system, seed)
    history, best, best_W = [], 0, None
    for W, entry in _epochs(game, criterion):
        history.append(entry)
        if best_W is None or entry["criterion"] > history[best]["criterion"]:
            best, best_W = len(history) - 1, W
    return Start(best_W, {"adversarial": history, "best_epoch": best})


class _Game:
    """Two spaces (n x d, m x d), both players and their random numbers, drawn in fixed order."""

    def __init__(self, source: np.ndarray, target: np.ndarray, system: Game, seed: int):
        d = source.shape[1]
        self.source, self.target, self.system = source, target, system
        self.rng = np.random.default_rng(seed)
        self.layers: Layers = new_discriminator(self.rng, d, system.hidden, source.dtype)
        self.W = np.eye(d, dtype=source.dtype)

    def epoch(self, number: int, rate: float) -> float:
        """Play one epoch and return the mean loss of the discriminator."""
        batch, losses = self.system.batch, []
        for samples in range(0, max(batch, self.system.samples - batch + 1), batch):
            if samples and samples // TELL_EVERY > (samples - batch) // TELL_EVERY:
                self._tell(number, samples, losses)
            self.W, loss = round_of_game(
                self.layers, self.W, self.source, self.target, rate, self.rng, self.system
            )
            losses.append(loss)
        return float(np.mean(losses))

    def _tell(self, number: int, samples: int, losses: list[float]) -> None:
        system = self.system
        lately = losses[-TELL_EVERY // system.batch :]
        log.info(
            "adversarial epoch %d of %d: %d of %d samples, discriminator's loss %.3f",
            *(number + 1, system.epochs, samples, system.samples, np.mean(lately)),
        )


def _epochs(
    game: _Game, criterion: Callable[[np.ndarray], float]
) -> Iterator[tuple[np.ndarray, dict]]:
    """Yield the orthogonal map and a history entry after each epoch."""
    system = game.system
    epochs, schedule = system.epochs, RateSchedule(system.rate, system.rate_shrink)
    for number in range(epochs):
        rate = schedule.rate
        with np.errstate(over="ignore", invalid="ignore"):  # reported below
            loss = game.epoch(number, rate)
        if not np.isfinite(game.W).all():
            raise UserError(
                f"adversarial training diverged in epoch {number}: the map is no longer finite; "
                "lower the option rate."
            )
        # A map that shrinks or flattens the space raises every cosine: only its rotation counts.
        rotation = orthogonal_map(np.eye(len(game.W)), game.W)
        score = criterion(rotation)
        schedule.update(score)
        log.info("adversarial epoch %d of %d: criterion %.4f", number + 1, epochs, score)
        entry = {"epoch": number, "criterion": score, "discriminator_loss": loss}
        off = float(np.abs(game.W - rotation).max())
        yield rotation, {**entry, "rate": rate, "off_orthogonal": off}
