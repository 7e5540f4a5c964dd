"""Adversarial training of an orthogonal map without any dictionary (Conneau et al. 2018, 2.1)."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from cr5.base.errors import UserError
from cr5.systems.mapping.game import AdversarialSettings
from cr5.systems.mapping.procrustes import orthogonal_map

SMALLEST_RATE = 1e-6


@dataclass(frozen=True)
class Adversarial:
    """The best map and how it came about.

    Attributes:
        W: d x d float32, the orthogonal matrix nearest to what was trained.
        history: one entry per epoch: epoch, criterion, discriminator_loss, rate and
            off_orthogonal (largest entry of the difference that making it orthogonal made).
        best: the number of the entry whose map is W.
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

    It can fail: little text, distant languages or unlike corpora give a map that translates
    nothing. The criterion after refinement is then low; nothing else tells without a dictionary.

    Args:
        source: n x d float32, unit rows, most frequent word first.
        target: m x d float32, likewise.
        criterion: of a map W (d x d); unsupervised, higher is better.
        settings: see there.
        seed: the same seed gives the same bytes, whatever the number of cores.

    Raises:
        UserError: the training diverged.
    """
    import jax.numpy as jnp  # jax takes a second to start: only this system should wait for it

    from cr5.systems.mapping import gan

    scale, n = np.float32(settings.scale), settings.frequent_words
    spaces = jnp.asarray(source[:n] * scale), jnp.asarray(target[:n] * scale)
    history, best, best_W = [], 0, None
    for W, entry in _epochs(gan, spaces, criterion, settings, seed):
        history.append(entry)
        if best_W is None or entry["criterion"] > history[best]["criterion"]:
            best, best_W = len(history) - 1, W
    return Adversarial(best_W, history, best)


def _epochs(gan, spaces, criterion, settings, seed):
    """Yield the orthogonal map and a history entry after each epoch."""
    d = spaces[0].shape[1]
    schedule = RateSchedule(settings)
    first, *keys = gan.new_keys(seed, settings.epochs + 1)
    layers, W = gan.new_discriminator(first, d, settings.hidden), np.eye(d, dtype=np.float32)
    for number, key in enumerate(keys):
        rate = schedule.rate
        layers, W, loss = gan.epoch(layers, W, *spaces, rate, key, settings)
        if not np.isfinite(np.asarray(W)).all():
            raise UserError(
                f"adversarial training diverged in epoch {number}: the map is no longer finite; "
                "lower the option rate or scale."
            )
        # A map that shrinks or flattens the space raises every cosine: only its rotation counts.
        rotation = orthogonal_map(np.eye(d), np.asarray(W))
        score = criterion(rotation)
        schedule.update(score)
        entry = {"epoch": number, "criterion": score, "discriminator_loss": float(loss)}
        off = float(np.abs(np.asarray(W) - rotation).max())
        yield rotation, {**entry, "rate": rate, "off_orthogonal": off}
