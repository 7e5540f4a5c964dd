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
PLAN_EPSILON = 0.03, 0.003  # at the first step and the last, of the range of the costs; geometric
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
        X, Y = source.vectors, target.vectors
        plan = gromov(X, Y)
        # the map of a plan maximises <X W, P Y> over orthogonal W
        W = orthogonal_map(X[: len(plan)], plan @ Y[: len(plan)])
        for generator in random_generators(seed, source, target, self.starts):
            yield transported(X, Y, W, generator)


def transported(
    source: np.ndarray, target: np.ndarray, W: np.ndarray, generator: np.random.Generator
) -> np.ndarray:
    """Transport ever larger batches of words, and rotate towards their targets."""
    spaces = [rows[:TRANSPORT_WORDS] for rows in (source, target)]
    identity, batch, steps = np.eye(source.shape[1]), BATCH, STEPS
    for _ in range(EPOCHS):
        for _ in range(steps):
            x, y = (rows[generator.permutation(len(rows))[:batch]] for rows in spaces)
            plan = sinkhorn(-(x @ W) @ y.T, EPSILON)
            W = orthogonal_map(identity, W + RATE * (x.T @ plan @ y))
        batch, steps = 2 * batch, steps // 4
    return W


def gromov(source: np.ndarray, target: np.ndarray) -> np.ndarray:
    """Match frequent words so that similar words go to similar words: words x words, of sum 1.

    With similarities M = X X' and N = Y Y' the objective sum (M_ik - N_jl)^2 P_ij P_kl is, up to a
    constant of the fixed sums, -2 <M P N, P>, and M P N = X (X' P Y) Y' needs no words x words
    matrix except P (Peyré et al. 2016, proposition 1). It has many local optima: the first plan is
    that of the profiles, a lower bound of it (Mémoli 2011, section 6), and epsilon decreases.
    Spaces should not be centred: at first, a word's distance from the mean is most informative.
    """
    words = min(PLAN_WORDS, len(source), len(target))
    X, Y = source[:words], target[:words]

    def transport(cost: np.ndarray, epsilon: float) -> np.ndarray:
        return sinkhorn(cost, epsilon * float(np.ptp(cost)), steps=200)

    plan = transport(-profiles(X) @ profiles(Y).T, PROFILE_EPSILON)
    for epsilon in map(float, np.geomspace(*PLAN_EPSILON, PLAN_STEPS)):
        plan = transport(-(X @ (X.T @ plan @ Y)) @ Y.T, epsilon)
    return plan
