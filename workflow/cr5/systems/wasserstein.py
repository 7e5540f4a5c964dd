"""Word mapping without a dictionary: optimal transport of words.

Words are matched so that similar words of one language go to similar words of the other
(Gromov-Wasserstein: Alvarez-Melis and Jaakkola 2018), which needs no map. Then the map is found by
stochastic steps of transporting batches of words and rotating (Wasserstein-Procrustes: Grave et
al. 2018, section 3). All starts share the match, which is deterministic, and draw their own
batches; the unsupervised criterion chooses.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from cr5.fitting.contract import Fit, TrainingSet
from cr5.systems.mapping.maps import orthogonal_map
from cr5.systems.mapping.profiles import profiles
from cr5.systems.mapping.refinement import OPTIONS as REFINEMENT
from cr5.systems.mapping.sinkhorn import Transport, sinkhorn
from cr5.systems.mapping.spaces import Space
from cr5.systems.mapping.starts import OPTIONS as STARTS
from cr5.systems.mapping.starts import Start, fit_starts, generators

TITLE = "Wasserstein-Procrustes"
REFERENCE = "Alvarez-Melis and Jaakkola, EMNLP 2018; Grave, Joulin and Berthet, 2018"
COST = (1, 8)
NEEDS = ("vectors",)

PROFILE_EPSILON = 0.005  # of the range of the profiles' distances

# Not centred: the match relies on the similarities that centring levels.
OPTIONS = {
    **STARTS,
    # Words and epsilon were tried on 50-dimensional spaces of 5 to 8 thousand words.
    "plan_words": (1_000, {"ge": 1}, "most frequent words of both languages that are matched"),
    "plan_steps": (30, {"ge": 1}, "of linearising the objective and transporting"),
    "first_epsilon": (
        0.03,
        {"gt": 0},
        "weight of the entropy at the first step, of the range of the costs",
    ),
    "last_epsilon": (0.003, {"gt": 0}, "likewise at the last one; it falls geometrically"),
    # Batch, rate and epsilon as in Grave et al. 2018 (authors' code). They take 5,000 steps and 5
    # epochs; starting from a correct plan, as ours is if it works, so many change little.
    "transport_words": (20_000, {"ge": 1}, "most frequent words that batches are drawn from"),
    "epochs": (3, {"ge": 0}, "the batch doubles after each, and the steps become a fourth"),
    "steps": (100, {"ge": 1}, "of the first epoch"),
    "batch": (500, {"ge": 1}, "words of each language in a step of the first epoch"),
    "rate": (500.0, {"gt": 0}, "of the gradient of W"),
    "epsilon": (0.05, {"gt": 0}, "weight of the entropy"),
    **REFINEMENT,
}


def fit(training: TrainingSet, options: dict) -> Fit:
    """Match the words, find the maps, refine the best of each; see `fit_starts`."""
    return fit_starts(training, options, starts)


def starts(source: Space, target: Space, options: Mapping[str, Any], seed: int) -> Iterator[Start]:
    """Match the words once, and find a map for each start."""
    X, Y = source.vectors, target.vectors
    plan, history = gromov(X, Y, options)
    W = map_of(plan, X, Y)
    for generator in generators(seed, source, target, options["starts"]):
        found = wasserstein_procrustes(X, Y, W, options, generator)
        yield Start(found, {"match": history})


def gromov(
    source: np.ndarray, target: np.ndarray, options: Mapping[str, Any]
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
        options: see `OPTIONS`.

    Returns:
        The plan, words x words, which sums to 1; and an entry for each step: epsilon, objective (of
        Gromov-Wasserstein up to a constant, lower is better: minus the squared norm of X' P Y) and
        sinkhorn_steps.
    """
    words = min(options["plan_words"], len(source), len(target))
    X, Y = source[:words], target[:words]
    history = []
    plan = transport(-profiles(X) @ profiles(Y).T, PROFILE_EPSILON).plan
    for epsilon in np.geomspace(
        options["first_epsilon"], options["last_epsilon"], options["plan_steps"]
    ):
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
    options: Mapping[str, Any],
    generator: np.random.Generator,
) -> np.ndarray:
    """Transport batches of words and rotate towards their targets, with ever larger batches.

    Args:
        source: n x d float32, unit rows, most frequent word first.
        target: m x d float32, likewise.
        W: d x d, orthogonal, roughly correct.
        options: see `OPTIONS`.
        generator: draws the batches.

    Returns:
        W, d x d float32, orthogonal.
    """
    X, Y = source[: options["transport_words"]], target[: options["transport_words"]]
    identity = np.eye(X.shape[1])
    batch, steps = options["batch"], options["steps"]
    for _ in range(options["epochs"]):
        for _ in range(steps):
            x, y = (draw(space, batch, generator) for space in (X, Y))
            plan = sinkhorn(-(x @ W) @ y.T, options["epsilon"]).plan
            W = orthogonal_map(identity, W + options["rate"] * (x.T @ plan @ y))
        batch, steps = 2 * batch, steps // 4
    return W


def draw(space: np.ndarray, n: int, generator: np.random.Generator) -> np.ndarray:
    """Draw n distinct rows, or take all if there are no more."""
    return space[generator.permutation(len(space))[:n]]
