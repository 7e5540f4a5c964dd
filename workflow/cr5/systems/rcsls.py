"""RCSLS: a map that maximises CSLS of the seed pairs (Joulin et al. 2018).

Subgradient descent from the Procrustes map. The rate, the number of epochs and, if asked for,
whether the vectors are centred are chosen by translating a held-out share of the dictionary; then
the map is fitted on all of it.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import Any

import numpy as np

from cr5.fitting.contract import Fit, TrainingSet
from cr5.systems.mapping import csls
from cr5.systems.mapping.maps import apply_map, orthogonal_map
from cr5.systems.mapping.pivot import Mapped
from cr5.systems.mapping.rcsls_loss import Lexicon, lexicon, loss
from cr5.systems.mapping.seeded import OPTIONS as SEEDED
from cr5.systems.mapping.seeded import fit_seeded
from cr5.systems.mapping.spaces import Space, centred

TITLE = "RCSLS"
REFERENCE = "Joulin, Bojanowski, Mikolov and Grave, preprint, 2018"
COST = (1, 24)  # a fit for each rate, each epoch a search among all words
NEEDS = ("vectors", "seeds")

# The values of Joulin et al. 2018 (section 3 of the preprint, and the authors' code).
OPTIONS = {
    **SEEDED,
    # Joulin et al. centre for English and Chinese alone (section 3).
    "choose_centre": ([], "languages whose pairs choose `centre` too"),
    # With `none` only the number of epochs bounds the map: it can always grow.
    "constraint": (
        "spectral",
        ("spectral", "frobenius", "none"),
        "no singular value above 1; no larger than a rotation; none",
    ),
    "neighbourhoods": ("full", ("full", "seeds"), "among all words, or those of the dictionary"),
    "neighbours": (10, {"ge": 1}, "of CSLS"),
    "rates": ([1.0, 10.0, 25.0, 50.0], {"gt": 0}, "learning rates to choose from"),
    "epochs": ([10], {"ge": 1}, "numbers of epochs to choose from"),
    "held_out": (
        0.1,
        {"gt": 0, "lt": 1},
        "share of the dictionary's words by whose translations these are chosen",
    ),
    "held_out_words": (
        20_000,
        {"ge": 1},
        "most frequent words among which those held out are translated",
    ),
    "rounded": (False, "whether the rotation nearest to the map takes its place in the end"),
}


def fit(training: TrainingSet, options: dict) -> Fit:
    """Fit the map of each pair of languages to its seed pairs; see `fit_seeded`."""
    chooses = not set(options["choose_centre"]).isdisjoint(training.languages)
    centre = options["centre"] and not chooses
    options = options | {"choose_centre": chooses, "centre": centre}
    return fit_seeded(training, options, partial(solve, training), both_sides=chooses)


def solve(
    training: TrainingSet,
    source: Space,
    target: Space,
    pairs: np.ndarray,
    options: Mapping[str, Any],
) -> Mapped:
    """Map the source space, with what is best for the pair of all that is to be chosen."""
    seed = [training.seed, *f"{source.language}-{target.language}".encode()]
    spaces = {options["centre"]: (source.vectors, target.vectors)}
    if options["choose_centre"]:
        spaces[True] = tuple(map(centred, spaces[False]))
    found, trials = [], []
    for centre, (X, Y) in spaces.items():
        generator = np.random.default_rng(seed)
        W, report = train(X, Y, pairs, options, generator, threads=training.threads)
        trials += [{"centre": centre, **trial} for trial in report["trials"]]
        best = max((trial["precision"] for trial in report["trials"]), default=0)
        found.append((best, Mapped(apply_map(X, W), Y, {"centre": centre, **report})))
    _, mapped = max(found, key=lambda each: each[0])  # the first of equal ones
    return replace(mapped, report=mapped.report | {"trials": trials})


@dataclass(frozen=True)
class Step:
    """An epoch.

    Attributes:
        W: d x d float64, within the constraint.
        loss: of W.
        rate: of the step that was tried.
        accepted: False if the step did not lower the loss, so W is unchanged.
    """

    W: np.ndarray
    loss: float
    rate: float
    accepted: bool


def train(
    source: np.ndarray,
    target: np.ndarray,
    pairs: np.ndarray,
    options: Mapping[str, Any],
    generator: np.random.Generator,
    threads: int = 1,
) -> tuple[np.ndarray, dict[str, Any]]:
    """Choose the rate and the number of epochs, and fit on all pairs.

    Args:
        source: n x d float32, unit rows, most frequent word first.
        target: m x d float32, likewise.
        pairs: p x 2 row numbers, source and target, of at least two source words.
        options: see `OPTIONS`.
        generator: draws the held-out words.
        threads: for the search of neighbours; their number changes no byte.

    Returns:
        The map, d x d float32; and a report: the chosen `rate` and number of `epochs`; an entry for
        each rate and number of epochs, `trials`: rate, epochs, precision (P@1 by CSLS of the words
        held out), none if there was nothing to choose; and an entry for each epoch of the fit on
        all pairs, `rcsls`: loss, rate, accepted.
    """
    full, k = options["neighbourhoods"] == "full", options["neighbours"]
    taken = partial(lexicon, source, target, full=full, neighbours=k, threads=threads)
    trials = []
    if len(options["rates"]) * len(options["epochs"]) > 1 or options["choose_centre"]:
        kept, held_out = split(pairs, options, generator)
        judge = partial(_precision, source, target, held_out, options)
        trials = list(_trials(taken(kept), judge, options)) if len(held_out) else []
    first = {"rate": options["rates"][0], "epochs": options["epochs"][0], "precision": None}
    best = max(trials or [first], key=lambda trial: trial["precision"])  # the first of equal ones
    tried = steps(taken(pairs), best["rate"], options["constraint"])
    history = list(islice(tried, best["epochs"]))
    W = history[-1].W.astype(np.float32)
    if options["rounded"]:
        W = orthogonal_map(np.eye(len(W), dtype=np.float32), W)
    told = [{"loss": x.loss, "rate": x.rate, "accepted": x.accepted} for x in history]
    chosen = {"rate": best["rate"], "epochs": best["epochs"]}
    return W, {**chosen, "trials": trials, "rcsls": told}


def split(
    pairs: np.ndarray, options: Mapping[str, Any], generator: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Hold out a share of the frequent source words with all their pairs: at least one.

    Args:
        pairs: p x 2 row numbers, source and target, of at least two source words.
        options: its `held_out` and `held_out_words`.
        generator: draws the words.

    Returns:
        The kept pairs, at least those of one word; and the held-out pairs, of frequent words,
        possibly none. Both in order.
    """
    frequent = (pairs < options["held_out_words"]).all(axis=1)
    words = np.unique(pairs[frequent, 0])
    most = min(len(words), len(np.unique(pairs[:, 0])) - 1)
    size = min(max(1, round(options["held_out"] * len(words))), most)
    drawn = np.isin(pairs[:, 0], generator.permutation(words)[:size])
    return pairs[~drawn], pairs[drawn & frequent]


def steps(given: Lexicon, rate: float, constraint: str) -> Iterator[Step]:
    """Descend from the Procrustes map, without end; the loss never rises.

    A step that does not lower the loss is undone, and the next is half as long.
    """
    project = CONSTRAINTS[constraint]
    x, y = given.pairs.T
    W = orthogonal_map(given.X[x], given.Y[y]).astype(np.float64)
    value, gradient = loss(W, given)
    while True:
        tried = project(W - rate * gradient)
        tried_value, tried_gradient = loss(tried, given)
        accepted = tried_value < value
        if accepted:
            W, value, gradient = tried, tried_value, tried_gradient
        yield Step(W, value, rate, accepted)
        rate = rate if accepted else rate / 2


def spectral(W: np.ndarray) -> np.ndarray:
    """Project on the maps that lengthen no vector: the convex hull of the orthogonal ones."""
    U, s, Vt = np.linalg.svd(W)
    return (U * np.minimum(s, 1)) @ Vt


def frobenius(W: np.ndarray) -> np.ndarray:
    """Project on the ball of radius sqrt(d), on which the orthogonal maps lie."""
    return W * min(1.0, np.sqrt(len(W)) / np.linalg.norm(W))


CONSTRAINTS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "spectral": spectral,
    "frobenius": frobenius,
    "none": lambda W: W,
}


def _trials(
    kept: Lexicon, judge: Callable[[np.ndarray], float], options: Mapping[str, Any]
) -> Iterator[dict]:
    for rate in options["rates"]:
        tried = steps(kept, rate, options["constraint"])
        for epoch, step in enumerate(islice(tried, max(options["epochs"])), 1):
            if epoch in options["epochs"]:
                yield {"rate": rate, "epochs": epoch, "precision": judge(step.W)}


def _precision(
    source: np.ndarray,
    target: np.ndarray,
    held_out: np.ndarray,
    options: Mapping[str, Any],
    W: np.ndarray,
) -> float:
    few = options["held_out_words"]
    mapped = apply_map(source[:few], W.astype(np.float32))
    return csls.precision(mapped, target[:few], held_out, neighbours=options["neighbours"])
