"""A map by optimal transport of words (Alvarez-Melis and Jaakkola 2018; Grave et al. 2018)."""

import numpy as np

from cr5.systems.mapping.maps import orthogonal_map
from cr5.systems.mapping.profiles import profiles
from cr5.systems.mapping.sinkhorn import Transport, sinkhorn

# Weights of the entropy. Those of the match were tried on 50-dimensional spaces of 5 to 8 thousand
# words; that of a batch and the rate are those of the code of Grave et al.
PROFILE_EPSILON = 0.005  # of the range of the profiles' distances
PLAN_EPSILON = 0.03, 0.003  # at the first step and the last, of the range of the costs; geometric
EPSILON = 0.05  # of a batch
RATE = 500.0  # of the gradient of W


def gromov(
    source: np.ndarray, target: np.ndarray, words: int, steps: int
) -> tuple[np.ndarray, list[dict]]:
    """Match the most frequent words so that similar words go to similar words.

    With similarities M = X X' and N = Y Y' the objective sum (M_ik - N_jl)^2 P_ij P_kl is, up to
    a constant of the fixed sums, -2 <M P N, P>, and M P N = X (X' P Y) Y' needs no words x words
    matrix except P (Peyré et al. 2016, proposition 1). It has many local optima: the first plan is
    that of the profiles, a lower bound of it (Mémoli 2011, section 6), and epsilon decreases.
    Spaces should not be centred: at first, a word's distance from the mean is most informative.

    Args:
        source: n x d float32, unit rows, most frequent word first.
        target: m x d float32, likewise.
        words: number of frequent words of both languages.
        steps: of linearising the objective and transporting.

    Returns:
        The plan, words x words, which sums to 1; and an entry for each step: epsilon, objective (of
        Gromov-Wasserstein up to a constant, lower is better: minus the squared norm of X' P Y) and
        sinkhorn_steps.
    """
    words = min(words, len(source), len(target))
    X, Y = source[:words], target[:words]
    history = []
    plan = transport(-profiles(X) @ profiles(Y).T, PROFILE_EPSILON).plan
    for epsilon in np.geomspace(*PLAN_EPSILON, steps):
        found = transport(-(X @ (X.T @ plan @ Y)) @ Y.T, float(epsilon))
        plan = found.plan
        objective = -float(np.square(X.T @ plan @ Y, dtype=np.float64).sum())
        entry = {"epsilon": float(epsilon), "objective": objective}
        history.append(entry | {"sinkhorn_steps": found.steps})
    return plan, history


def transport(cost: np.ndarray, epsilon: float) -> Transport:
    """Transport with the weight of the entropy relative to the range of the costs."""
    return sinkhorn(cost, epsilon * float(np.ptp(cost)), steps=200)


def map_of(plan: np.ndarray, source: np.ndarray, target: np.ndarray) -> np.ndarray:
    """Solve for the map of a plan: maximise <X W, P Y> over orthogonal W (d x d float32)."""
    n, m = plan.shape
    return orthogonal_map(source[:n], plan @ target[:m])


def wasserstein_procrustes(
    source: np.ndarray,
    target: np.ndarray,
    W: np.ndarray,
    generator: np.random.Generator,
    *,
    words: int,
    epochs: int,
    steps: int,
    batch: int,
) -> np.ndarray:
    """Transport batches of words and rotate towards their targets, with ever larger batches.

    Args:
        source: n x d float32, unit rows, most frequent word first.
        target: m x d float32, likewise.
        W: d x d, orthogonal, roughly correct.
        generator: draws the batches.
        words: number of frequent words that batches are drawn from.
        epochs: the batch doubles after each, and the steps become a fourth.
        steps: of the first epoch.
        batch: words of each language in a step of the first epoch.

    Returns:
        W, d x d float32, orthogonal.
    """
    X, Y = source[:words], target[:words]
    identity = np.eye(X.shape[1])
    for _ in range(epochs):
        for _ in range(steps):
            x, y = (draw(space, batch, generator) for space in (X, Y))
            plan = sinkhorn(-(x @ W) @ y.T, EPSILON).plan
            W = orthogonal_map(identity, W + RATE * (x.T @ plan @ y))
        batch, steps = 2 * batch, steps // 4
    return W


def draw(space: np.ndarray, n: int, generator: np.random.Generator) -> np.ndarray:
    """Draw n distinct rows, or take all if there are no more."""
    return space[generator.permutation(len(space))[:n]]
