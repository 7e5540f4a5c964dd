"""AdvRefine: adversarial training, then refinement (Conneau et al. 2018).

No dictionary and no aligned documents: each language's word vectors are mapped onto the pivot's,
and a document is the sum of its mapped word vectors. The options' defaults are the paper's values,
except `starts`. A game is unstable: the last bits of sums may decide its outcome. So sums are the
same on common processors (`base/processor.py`), and several games are played.
"""

import logging
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

from cr5.base.errors import UserError
from cr5.fitting.contract import Fit, TrainingSet
from cr5.systems.mapping.gan import OPTIONS as GAME
from cr5.systems.mapping.gan import Layers, new_discriminator, round_of_game
from cr5.systems.mapping.maps import orthogonal_map
from cr5.systems.mapping.refinement import OPTIONS as REFINEMENT
from cr5.systems.mapping.refinement import score
from cr5.systems.mapping.spaces import Space
from cr5.systems.mapping.starts import OPTIONS as STARTS
from cr5.systems.mapping.starts import Start, fit_starts

log = logging.getLogger(__name__)

TITLE = "AdvRefine"
REFERENCE = "Conneau, Lample, Ranzato, Denoyer and Jégou, ICLR 2018"
COST = (1, 24)  # several games
COLOUR = "#E69F00"
NEEDS = ("vectors",)

# A game may well fail, so several are played; all other values are the paper's.
OPTIONS = {
    **STARTS,
    **GAME,
    **REFINEMENT,
}

SMALLEST_RATE = 1e-6
TELL_EVERY = 100_000  # samples


def fit(training: TrainingSet, options: dict) -> Fit:
    """Train a map for each language except the pivot, refine it and map the vectors."""
    return fit_starts(training, options, starts, own=True)


def starts(source: Space, target: Space, options: Mapping[str, Any], seed: int) -> Iterator[Start]:
    """Play the games, each with its own seed."""
    criterion = partial(score, source.vectors, target.vectors, options=options)
    for start in range(options["starts"]):
        names = (source.language, target.language, start + 1, options["starts"])
        log.info("%s to %s: game %d of %d", *names)
        own = make_seed(seed, source.language, start)
        yield train(source.own, target.own, criterion, options, own)


def make_seed(seed: int, language: str, start: int) -> int:
    """Make a seed for each language and start, so that the order of languages does not matter."""
    entropy = np.random.SeedSequence([seed, start, *language.encode()])
    return int(entropy.generate_state(1)[0])


class RateSchedule:
    """The mapping's learning rate: always decays, and shrinks when the criterion keeps falling."""

    def __init__(self, options: Mapping[str, Any]):
        self.options, self.rate = options, options["rate"]
        self._best, self._has_fallen = -np.inf, False

    def update(self, criterion: float) -> None:
        """Take note of the criterion after an epoch."""
        self.rate *= self.options["rate_decay"]
        if criterion < self._best:
            self.rate *= self.options["rate_shrink"] if self._has_fallen else 1.0
            self._has_fallen = True
        self.rate = max(self.rate, SMALLEST_RATE)
        self._best = max(self._best, criterion)


def train(
    source: np.ndarray,
    target: np.ndarray,
    criterion: Callable[[np.ndarray], float],
    options: Mapping[str, Any],
    seed: int,
) -> Start:
    """Map the source space onto the target space so that a discriminator cannot tell them apart.

    It can fail: little text, distant languages or dissimilar corpora give a map that translates
    nothing. Without a dictionary, only a low criterion after refinement shows that.

    Args:
        source: n x d float32, of their own length, most frequent word first.
        target: m x d float32, likewise.
        criterion: of a map W (d x d); unsupervised, higher is better.
        options: see `gan.OPTIONS`.
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
    n = options["frequent_words"]
    game = _Game(source[:n], target[:n], options, seed)
    history, best, best_W = [], 0, None
    for W, entry in _epochs(game, criterion):
        history.append(entry)
        if best_W is None or entry["criterion"] > history[best]["criterion"]:
            best, best_W = len(history) - 1, W
    return Start(best_W, {"adversarial": history, "best_epoch": best})


class _Game:
    """Two spaces (n x d, m x d), both players and their random numbers, drawn in fixed order."""

    def __init__(
        self, source: np.ndarray, target: np.ndarray, options: Mapping[str, Any], seed: int
    ):
        d = source.shape[1]
        self.source, self.target, self.options = source, target, options
        self.rng = np.random.default_rng(seed)
        self.layers: Layers = new_discriminator(self.rng, d, options["hidden"], source.dtype)
        self.W = np.eye(d, dtype=source.dtype)

    def epoch(self, number: int, rate: float) -> float:
        """Play one epoch and return the mean loss of the discriminator."""
        batch, losses = self.options["batch"], []
        for samples in range(0, max(batch, self.options["samples"] - batch + 1), batch):
            if samples and samples // TELL_EVERY > (samples - batch) // TELL_EVERY:
                self._tell(number, samples, losses)
            self.W, loss = round_of_game(
                self.layers, self.W, self.source, self.target, rate, self.rng, self.options
            )
            losses.append(loss)
        return float(np.mean(losses))

    def _tell(self, number: int, samples: int, losses: list[float]) -> None:
        options = self.options
        lately = losses[-TELL_EVERY // options["batch"] :]
        log.info(
            "adversarial epoch %d of %d: %d of %d samples, discriminator's loss %.3f",
            *(number + 1, options["epochs"], samples, options["samples"], np.mean(lately)),
        )


def _epochs(
    game: _Game, criterion: Callable[[np.ndarray], float]
) -> Iterator[tuple[np.ndarray, dict]]:
    """Yield the orthogonal map and a history entry after each epoch."""
    epochs, schedule = game.options["epochs"], RateSchedule(game.options)
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
