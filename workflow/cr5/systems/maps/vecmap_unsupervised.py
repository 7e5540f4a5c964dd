"""VecMap without a dictionary: similarity distributions, then stochastic self-learning."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import numpy as np
from pydantic import PositiveInt

from cr5.systems.maps.family import Started
from cr5.systems.maps.profiles import profiles
from cr5.systems.maps.rotations import map_of_pairs
from cr5.systems.maps.rows import apply_map
from cr5.systems.maps.spaces import Space, random_generators
from cr5.systems.maps.translation import NEIGHBOURS, both_ways, translate

log = logging.getLogger(__name__)

# The values of Artetxe et al. 2018, section 3.3, and the authors' code.
PROFILE_WORDS = 4_000  # most frequent words that are compared at first
LEARNING_STEPS = 5_000  # at most
KEEP = 0.1  # probability with which a similarity counts at first
GROWTH = 2.0  # factor on it when the objective stands still, up to 1
IMPROVEMENT = 1e-6  # of the objective that counts as one


class VecmapUnsupervised(Started):
    """Word mapping without a dictionary: similarity distributions, then stochastic self-learning.

    Words whose similarities to all others of their language are distributed alike make the first
    dictionary; few of its pairs are right. Self-learning with a dictionary that is randomly thinned
    at first and complete at the end improves it: a mostly wrong start is a poor local optimum, and
    noise helps to leave it, as in simulated annealing (Artetxe et al. 2018, ACL; without their last
    step, which re-weights). Each start uses its own random numbers; the unsupervised criterion
    chooses. The values of section 3.3 and the authors' code.
    """

    title = "VecMap, unsupervised"
    reference = "Artetxe, Labaka and Agirre, ACL 2018"
    cost = (1, 24)

    centre: bool = True
    """Whether the mean of all vectors is subtracted first, as published."""
    learning_words: PositiveInt = 20_000
    """Most frequent words that may enter a dictionary."""
    patience: PositiveInt = 50
    """Steps without improvement after which the objective stands still."""

    def begin(self, source: Space, target: Space, seed: int) -> Iterator[np.ndarray]:
        """Learn from the same first dictionary for each start: its pairs are right above chance."""
        X, Y = source.vectors, target.vectors
        words = min(PROFILE_WORDS, len(X), len(Y))
        of_X, of_Y = profiles(X[:words]), profiles(Y[:words])
        pairs = both_ways(translate(of_X, of_Y), translate(of_Y, of_X))
        for generator in random_generators(seed, source, target, self.starts):
            yield self.learn(X, Y, pairs, generator)

    def learn(
        self,
        source: np.ndarray,
        target: np.ndarray,
        pairs: np.ndarray,
        generator: np.random.Generator,
    ) -> np.ndarray:
        """Solve for a map, find translations in both directions by it, and repeat.

        Until the objective stands still with all similarities. Returns the map of the last step but
        one.
        """
        X, Y = source[: self.learning_words], target[: self.learning_words]
        W = map_of_pairs(source, target, pairs)
        best, keep, waited = -np.inf, KEEP, 0
        for step in range(LEARNING_STEPS):
            pairs, objective = induce(apply_map(X, W), Y, keep, generator)
            waited += 1
            if objective >= best + IMPROVEMENT:
                best, waited = objective, 0
            if waited >= self.patience:
                log.info("step %d: objective %.4f with %.2f of similarities", step, best, keep)
                if keep >= 1:
                    break
                keep, waited = min(1.0, keep * GROWTH), 0
            if step < LEARNING_STEPS - 1:
                W = map_of_pairs(X, Y, pairs)
        return W


def induce(
    mapped: np.ndarray, target: np.ndarray, keep: float, generator: np.random.Generator
) -> tuple[np.ndarray, float]:
    """Translate every word of both languages by CSLS among randomly kept similarities.

    Returns (n + m) x 2 row numbers; and the objective: the mean cosine of a word with its nearest
    one among all similarities, averaged over both directions.
    """
    from cr5.search.nearest import mean_top_k

    half = mean_top_k(target, mapped, NEIGHBOURS) / 2, mean_top_k(mapped, target, NEIGHBOURS) / 2
    found = [
        _translations(queries, keys, of_keys, ranks(len(queries), len(keys), keep, generator))
        for queries, keys, of_keys in zip((mapped, target), (target, mapped), half, strict=True)
    ]
    (forward, there), (backward, back) = found
    return both_ways(forward, backward), (there + back) / 2


def ranks(n: int, m: int, keep: float, generator: np.random.Generator) -> np.ndarray:
    """Draw for n words the rank (0 is best) of the best kept one of m, or the last rank if none is.

    It is the first success of independent trials, starting at the best. That takes n random numbers
    instead of n x m.
    """
    return np.minimum(generator.geometric(keep, n), m) - 1


def _translations(
    queries: np.ndarray, keys: np.ndarray, half: np.ndarray, rank: np.ndarray
) -> tuple[np.ndarray, float]:
    """The key of the given rank by CSLS for each query; with the mean highest cosine.

    `half` has half of the mean cosine of each key with its nearest queries.
    """
    from cr5.search.kernels import by_rows

    def see(rows: slice, cosines: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return of_rank(cosines - half, rank[rows]), cosines.max(axis=1)

    columns, best = map(np.concatenate, zip(*by_rows(queries, keys, see), strict=True))
    return columns, float(best.mean(dtype=np.float64))


def of_rank(scores: np.ndarray, rank: np.ndarray) -> np.ndarray:
    """The first column of rank `rank[i]` (0 is the highest score) in each row of scores."""
    m, top = scores.shape[1], int(rank.max()) + 1
    if top == 1:
        return scores.argmax(axis=1)
    # Partitioning values is several times as fast as partitioning their indices.
    highest = np.sort(np.partition(scores, m - top, axis=1)[:, m - top :], axis=1)
    wanted = np.take_along_axis(highest, top - 1 - rank[:, None], axis=1)
    return (scores == wanted).argmax(axis=1)
