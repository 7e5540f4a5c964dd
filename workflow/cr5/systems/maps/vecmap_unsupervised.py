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
        X = source.vectors
        Y = target.vectors
        n_words = min(PROFILE_WORDS, len(X), len(Y))
        X_profiles = profiles(X[:n_words])
        Y_profiles = profiles(Y[:n_words])
        forward = translate(X_profiles, Y_profiles)
        backward = translate(Y_profiles, X_profiles)
        pairs = both_ways(forward, backward)
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
        X = source[: self.learning_words]
        Y = target[: self.learning_words]
        W = map_of_pairs(source, target, pairs)
        best_objective = -np.inf
        keep = KEEP
        steps_waited = 0
        for step in range(LEARNING_STEPS):
            pairs, objective = induce(apply_map(X, W), Y, keep, generator)
            steps_waited += 1
            if objective >= best_objective + IMPROVEMENT:
                best_objective = objective
                steps_waited = 0
            if steps_waited >= self.patience:
                log.info(
                    "step %d: objective %.4f with %.2f of similarities", step, best_objective, keep
                )
                if keep >= 1:
                    break
                keep = min(1.0, keep * GROWTH)
                steps_waited = 0
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

    n = len(mapped)
    m = len(target)
    target_penalty = mean_top_k(target, mapped, NEIGHBOURS) / 2
    mapped_penalty = mean_top_k(mapped, target, NEIGHBOURS) / 2
    forward_ranks = draw_ranks(n, m, keep, generator)
    forward, forward_cosine = _translations(mapped, target, target_penalty, forward_ranks)
    backward_ranks = draw_ranks(m, n, keep, generator)
    backward, backward_cosine = _translations(target, mapped, mapped_penalty, backward_ranks)
    return both_ways(forward, backward), (forward_cosine + backward_cosine) / 2


def draw_ranks(n: int, m: int, keep: float, generator: np.random.Generator) -> np.ndarray:
    """Draw for n words the rank (0 is best) of the best kept one of m, or the last rank if none is.

    It is the first success of independent trials, starting at the best. That takes n random numbers
    instead of n x m.
    """
    first_success = generator.geometric(keep, n)  # counted from 1
    return np.minimum(first_success, m) - 1


def _translations(
    queries: np.ndarray, keys: np.ndarray, penalty: np.ndarray, ranks: np.ndarray
) -> tuple[np.ndarray, float]:
    """Return the key of the given rank by CSLS for each query, and their mean highest cosine.

    `penalty` has half of the mean cosine of each key with its nearest queries.
    """
    from cr5.search.kernels import by_rows

    def translate_some(rows: slice, cosines: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        columns = columns_of_ranks(cosines - penalty, ranks[rows])
        return columns, cosines.max(axis=1)

    parts = by_rows(queries, keys, translate_some)
    columns = np.concatenate([part_columns for part_columns, _ in parts])
    highest = np.concatenate([part_highest for _, part_highest in parts])
    return columns, float(highest.mean(dtype=np.float64))


def columns_of_ranks(scores: np.ndarray, ranks: np.ndarray) -> np.ndarray:
    """Return the first column of rank `ranks[i]` (0 is the highest score) in each row of scores."""
    n_columns = scores.shape[1]
    n_highest = int(ranks.max()) + 1
    if n_highest == 1:
        return scores.argmax(axis=1)
    # Partitioning values is several times as fast as partitioning their indices.
    first = n_columns - n_highest
    highest = np.partition(scores, first, axis=1)[:, first:]
    highest = np.sort(highest, axis=1)  # ascending
    wanted = np.take_along_axis(highest, n_highest - 1 - ranks[:, None], axis=1)
    return (scores == wanted).argmax(axis=1)
