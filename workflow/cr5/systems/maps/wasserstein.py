"""Wasserstein-Procrustes: words are matched by transport, and the map follows the match."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from cr5.systems.maps.family import Started
from cr5.systems.maps.profiles import profiles
from cr5.systems.maps.rotations import orthogonal_map
from cr5.systems.maps.spaces import Space, random_generators
from cr5.systems.maps.transport import sinkhorn

# Words of the match, and the weights of its entropy, were tried on 50-dimensional spaces of 5 to 8
# thousand words.
PLAN_WORDS = 1_000  # most frequent words of both languages that are matched
PLAN_STEPS = 30  # of linearising the objective and transporting
PROFILE_EPSILON = 0.005  # of the range of the profiles' distances
# Weights of the plan's entropy decrease geometrically; both are of the range of the costs.
FIRST_PLAN_EPSILON = 0.03
LAST_PLAN_EPSILON = 0.003
# The values of Grave et al. 2018 (authors' code) for a batch. They take 5,000 steps and 5 epochs;
# starting from a correct plan, as ours is if it works, so many change little.
TRANSPORT_WORDS = 20_000  # most frequent words that batches are drawn from
EPOCHS = 3  # the batch doubles after each, and the steps become a fourth
STEPS = 100  # of the first epoch
BATCH = 500  # words of each language in a step of the first epoch
EPSILON = 0.05
RATE = 500.0  # of the gradient of W


class Wasserstein(Started):
    """Word mapping without a dictionary: optimal transport of words.

    Words are matched so that similar words of one language go to similar words of the other
    (Gromov-Wasserstein: Alvarez-Melis and Jaakkola 2018), which needs no map. Then the map is found
    by stochastic steps of transporting batches of words and rotating (Wasserstein-Procrustes: Grave
    et al. 2018, section 3). All starts share the match, which is deterministic, and draw their own
    batches; the unsupervised criterion chooses. Not centred: the match relies on the similarities
    that centring levels.
    """

    title = "Wasserstein-Procrustes"
    reference = "Alvarez-Melis and Jaakkola, EMNLP 2018; Grave, Joulin and Berthet, 2018"
    cost = (1, 8)

    def begin(self, source: Space, target: Space, seed: int) -> Iterator[np.ndarray]:
        """Match the words once, and find a map for each start."""
        X = source.vectors
        Y = target.vectors
        plan = match_words(X, Y)
        n_words = len(plan)
        # the map of a plan maximises <X W, P Y> over orthogonal W
        W = orthogonal_map(X[:n_words], plan @ Y[:n_words])
        for generator in random_generators(seed, source, target, self.starts):
            yield transport_batches(X, Y, W, generator)


def transport_batches(
    source: np.ndarray, target: np.ndarray, W: np.ndarray, generator: np.random.Generator
) -> np.ndarray:
    """Transport ever larger batches of words, and rotate towards their targets.

    With X and Y of a batch and their plan P, a step along the gradient X' P Y of <X W, P Y> is
    rounded to a rotation.
    """
    frequent_source = source[:TRANSPORT_WORDS]
    frequent_target = target[:TRANSPORT_WORDS]
    identity = np.eye(source.shape[1])
    batch_size = BATCH
    n_steps = STEPS
    for _ in range(EPOCHS):
        for _ in range(n_steps):
            source_batch = _draw(frequent_source, batch_size, generator)
            target_batch = _draw(frequent_target, batch_size, generator)
            plan = sinkhorn(-(source_batch @ W) @ target_batch.T, EPSILON)
            gradient = source_batch.T @ plan @ target_batch
            W = orthogonal_map(identity, W + RATE * gradient)
        batch_size *= 2
        n_steps //= 4
    return W


def _draw(rows: np.ndarray, size: int, generator: np.random.Generator) -> np.ndarray:
    """Draw rows without replacement."""
    return rows[generator.permutation(len(rows))[:size]]


def match_words(source: np.ndarray, target: np.ndarray) -> np.ndarray:
    """Match frequent words so that similar words go to similar words: words x words, of sum 1.

    With similarities M = X X' and N = Y Y' the objective sum (M_ik - N_jl)^2 P_ij P_kl is, up to a
    constant of the fixed sums, -2 <M P N, P>, and

        M P N = X (X' P Y) Y'

    needs no words x words matrix except P (Peyré et al. 2016, proposition 1). It has many local
    optima: the first plan is that of the profiles, a lower bound of it (Mémoli 2011, section 6),
    and epsilon decreases. Spaces should not be centred: at first, a word's distance from the mean
    is most informative.
    """
    n_words = min(PLAN_WORDS, len(source), len(target))
    X = source[:n_words]
    Y = target[:n_words]
    plan = _transport(-profiles(X) @ profiles(Y).T, PROFILE_EPSILON)
    epsilons = np.geomspace(FIRST_PLAN_EPSILON, LAST_PLAN_EPSILON, PLAN_STEPS)
    for epsilon in epsilons.tolist():
        XtPY = X.T @ plan @ Y
        plan = _transport(-(X @ XtPY) @ Y.T, epsilon)
    return plan


def _transport(cost: np.ndarray, epsilon: float) -> np.ndarray:
    """Transport at a cost; epsilon is a share of its range."""
    return sinkhorn(cost, epsilon * float(np.ptp(cost)), steps=200)
