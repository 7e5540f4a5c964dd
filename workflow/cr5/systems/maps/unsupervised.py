"""Word mappings without a dictionary: closest points, transport, stochastic self-learning."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Annotated

import numpy as np
from pydantic import Field, PositiveInt

from cr5.systems.maps.family import Space, Started
from cr5.systems.maps.search import (
    NEIGHBOURS,
    apply_map,
    centred,
    generators,
    map_of_pairs,
    orthogonal_map,
    translate,
    unit,
)

log = logging.getLogger(__name__)

SIGNS = np.array([-1, 1], np.float32)
POINTS_STEPS = 50  # of neighbours and rotation at most
ROWS = 512  # of similarities at a time

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
CHECKED = 10  # steps of transport between two checks of the sums
LARGEST = 1e4  # scaling that is absorbed into the kernel; both together still fit float32

# The values of Artetxe et al. 2018, section 3.3, and the authors' code.
PROFILE_WORDS = 4_000  # most frequent words that are compared at first
LEARNING_STEPS = 5_000  # at most
KEEP = 0.1  # probability with which a similarity counts at first
GROWTH = 2.0  # factor on it when the objective stands still, up to 1
IMPROVEMENT = 1e-6  # of the objective that counts as one


class Icp(Started):
    """Word mapping without a dictionary: iterative closest points (Hoshen and Wolf 2018).

    The principal axes of two similar spaces are alike, up to their signs and the order of those
    with nearly equal variance. Each trial starts with its own signs and alternates between nearest
    neighbours and the rotation that they induce. Few of many trials succeed; their distances
    between words and neighbours are much smaller than those of all others, so the error identifies
    them. The best trial is refined. Each start draws its own signs for all of its trials; the
    unsupervised criterion chooses.
    """

    title = "Closest points"
    reference = "Hoshen and Wolf, EMNLP 2018"
    cost = (1, 24)
    own = True

    # Tried on 50-dimensional spaces of 5 to 8 thousand words. Hoshen and Wolf 2018 (sections 3 and
    # 4) take 5,000 words, 50 of 300 axes and 500 trials.
    icp_words: Annotated[int, Field(ge=2)] = 1_500
    """Most frequent words of both languages."""
    axes: PositiveInt = 25
    """Principal axes kept, at most as many as the vectors have dimensions."""
    trials: PositiveInt = 100
    """Of signs; the one of the least error is kept."""

    def begin(self, source: Space, target: Space, seed: int) -> Iterator[np.ndarray]:
        """Find the map that the last neighbours of the best trial induce, for each start."""
        X, Y = source.own[: self.icp_words], target.own[: self.icp_words]
        A, B = (principal(space, min(self.axes, X.shape[1])) for space in (X, Y))
        for generator in generators(seed, source, target, self.starts):
            signs = (generator.choice(SIGNS, A.shape[1]) for _ in range(self.trials))
            trials = (descend(A, B, np.diag(each), POINTS_STEPS) for each in signs)
            _, pairs = min(trials, key=lambda trial: trial[0])
            yield map_of_pairs(X, Y, pairs)


def principal(X: np.ndarray, axes: int) -> np.ndarray:
    """Coordinates of the rows of X on their first principal axes: n x axes."""
    about_mean = X - X.mean(axis=0, dtype=np.float64)
    _, vectors = np.linalg.eigh(about_mean.T @ about_mean)
    return (about_mean @ vectors[:, ::-1][:, :axes]).astype(np.float32)


def descend(A: np.ndarray, B: np.ndarray, R: np.ndarray, steps: int) -> tuple[float, np.ndarray]:
    """Rotate A, from R on, onto its nearest neighbours in B and those of B in A.

    Until they stay the same; returns the error and the last pairs. The map back is the inverse of
    the rotation, so the cycle terms of the paper's loss vanish.
    """
    pairs, error = closest(A @ R, B)
    for _ in range(steps):
        before = pairs
        R = map_of_pairs(A, B, pairs)
        pairs, error = closest(A @ R, B)
        if (pairs == before).all():
            break
    return error, pairs


def closest(A: np.ndarray, B: np.ndarray) -> tuple[np.ndarray, float]:
    """Pair each row with the nearest one of the other side; with the mean squared distance."""
    pairs = both_ways(_nearest(A, B), _nearest(B, A))
    # Not from the products, which lose digits if the distance is small.
    difference = A[pairs[:, 0]] - B[pairs[:, 1]]
    squares = np.einsum("ij,ij->i", difference, difference, dtype=np.float64)
    return pairs, float(squares[: len(A)].mean() + squares[len(A) :].mean()) / 2


def _nearest(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    half = np.einsum("ij,ij->i", B, B) / 2
    parts = [A[first : first + ROWS] for first in range(0, len(A), ROWS)]
    return np.concatenate([(part @ B.T - half).argmax(axis=1) for part in parts])


def both_ways(forward: np.ndarray, backward: np.ndarray) -> np.ndarray:
    """Pair each source word with its translation, then each target word with its own."""
    there = np.column_stack([np.arange(len(forward)), forward])
    return np.vstack([there, np.column_stack([backward, np.arange(len(backward))])])


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
        for generator in generators(seed, source, target, self.starts):
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


def profiles(X: np.ndarray) -> np.ndarray:
    """Similarities of each word with all, in ascending order: n x n float32, centred unit rows.

    They hardly change if the space is turned or the words are renumbered, so equivalent words have
    similar ones in both languages. They are computed from M^(1/2) rather than M = X X', because it
    has the eigenvectors of M and the spectrum of X (Artetxe et al. 2018, ACL, section 3.2).
    """
    U, s, _ = np.linalg.svd(X.astype(np.float64), full_matrices=False)
    similarities = ((U * s) @ U.T).astype(np.float32)
    similarities.sort(axis=1)
    return centred(unit(similarities))


def sinkhorn(
    cost: np.ndarray, epsilon: float, *, tolerance: float = 1e-3, steps: int = 1_000
) -> np.ndarray:
    """Transport equal masses 1 / n on n rows to equal masses 1 / m on m columns: P, n x m.

    Minimise <P, C> - epsilon H(P) over P >= 0 with given row and column sums. The solution is P =
    diag(u) K diag(v), K = exp(-C / epsilon), and rows and columns are scaled in turn until the
    differences of the rows' sums from 1 / n, added up, are tolerable, or after so many steps
    (Sinkhorn 1967; Cuturi 2013). To avoid underflow for small epsilon, large scalings are absorbed
    into K as potentials (Schmitzer 2019, section 3.1).
    """
    cost = np.asarray(cost)
    (n, m), epsilon, done = cost.shape, cost.dtype.type(epsilon), 0
    # As in the Hungarian method: each row and each column of K then has an entry of 1.
    f = cost.min(axis=1)
    g = (cost - f[:, None]).min(axis=0)
    K, u, v = _kernel(cost, f, g, epsilon)
    while done < steps and np.abs(u * (K @ v) - 1 / n).sum(dtype=np.float64) > tolerance:
        for _ in range(min(CHECKED, steps - done)):
            u = 1 / (n * (K @ v))
            v = 1 / (m * (u @ K))
            if max(np.abs(np.log(u)).max(), np.abs(np.log(v)).max()) > np.log(LARGEST):
                f, g = f + epsilon * np.log(u), g + epsilon * np.log(v)
                K, u, v = _kernel(cost, f, g, epsilon)
            done += 1
    return u[:, None] * K * v


def _kernel(
    cost: np.ndarray, f: np.ndarray, g: np.ndarray, epsilon: np.floating
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """K = exp((f + g - C) / epsilon) with potentials f and g; and scalings of ones."""
    kernel = f[:, None] - cost
    kernel += g
    kernel /= epsilon
    return np.exp(kernel, out=kernel), np.ones_like(f), np.ones_like(g)


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
        for generator in generators(seed, source, target, self.starts):
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
