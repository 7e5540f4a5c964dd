"""Start maps, one or more, each refined; the unsupervised criterion chooses.

Refinement translates, builds a dictionary, solves Procrustes, and does so again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cr5.fitting.contract import Fit, TrainingSet
from cr5.systems.maps.search import apply_map, criterion, orthogonal_map, translate
from cr5.systems.maps.spaces import Mapped, Space, fit_mapped

if TYPE_CHECKING:
    from cr5.systems.maps.family import Refined, Started

NEAR = 0.95
"""Of the best criterion: a start that ends there has found the same map, or one as good."""

CHANCE = 2  # random rotations to refine, as a baseline of refinement
ABOVE = 0.25
"""Of what chance lacks of 1 a start must gain to be more than chance. On English, Spanish and
Italian vectors of length 50 chance reached .57 to .60, starts that failed up to .65, .15 of it, and
right maps .73 to .82, .34 of it and more."""

TELLS = 0.9
"""Above this chance says nothing: vectors of little text all point one way, so that any map brings
words near others. On help pages in Danish and English chance reached .94 and two wrong maps .97; of
500,000 words of documentation .95, and a map from a dictionary, which translated 2 % right, .97."""


@dataclass(frozen=True)
class Start:
    """Where refinement begins: a map W (d x d float32) and its report."""

    W: np.ndarray
    report: dict[str, Any]


@dataclass(frozen=True)
class Refinement:
    """The best map and how it came about.

    Attributes:
        W: d x d float32, orthogonal unless the best is a start that is not.
        history: one entry per map tried, round 0 being the start: round, criterion and
            pairs (size of the dictionary it was solved on; None for the start).
        best: the round whose map is W.
    """

    W: np.ndarray
    history: list[dict]
    best: int

    @property
    def criterion(self) -> float:
        """The criterion of the kept map."""
        return self.history[self.best]["criterion"]


def fit_starts(training: TrainingSet, system: Started) -> Fit:
    """Map the languages by the best of several starts, chosen without any pair of words."""

    def solve(source: Space, target: Space) -> Mapped:
        begun = system.begin(source, target, training.seed)
        return best_of(begun, source, target, system, CHANCE)

    return fit_mapped(training, system, solve)


def best_of(
    starts: Iterable[Start], source: Space, target: Space, system: Refined, chance: int = 0
) -> Mapped:
    """Refine each start and keep the best.

    The unsupervised criterion chooses among the refined maps: before refinement it hardly
    separates good starts from bad ones.

    Args:
        starts: at least one.
        source: whose words are mapped.
        target: onto whose words.
        system: says how they are refined.
        chance: number of random rotations to compare with, if nothing else shows whether a start
            succeeded: `CHANCE`, or 0 if there are pairs of words.

    Returns:
        The source's words mapped; the report has the history of each start, which one was kept
        (`best_start`) and, with `chance`, the criterion that it reaches and how many starts
        `succeeded`: they ended at `NEAR` of the best criterion or above, and `ABOVE` chance. If
        only one of several did, another seed may well find nothing; if none did, nothing was
        found.
    """
    begun = list(starts)
    refined = [refine(source, target, x.W, system) for x in begun]
    criteria = [result.criterion for result in refined]
    best = int(np.argmax(criteria))
    report = {
        "best_start": best,
        "criterion": criteria[best],
        **_success(criteria, list(_of_chance(source, target, system, chance))),
        "starts": [
            x.report | {"refinement": y.history, "best_round": y.best}
            for x, y in zip(begun, refined, strict=True)
        ],
    }
    return Mapped(apply_map(source.vectors, refined[best].W), report=report)


def _success(criteria: list[float], of_chance: list[float]) -> dict[str, Any]:
    if not of_chance:
        return {}
    chance = max(of_chance)
    least = max(NEAR * max(criteria), chance + ABOVE * (1 - chance))
    succeeded, n = sum(x >= least for x in criteria if chance <= TELLS), len(criteria)
    said = "nothing was found" if not succeeded else "another seed may find nothing"
    warnings = [f"{succeeded} of {n} starts succeeded: {said}"] if succeeded < n else []
    return {"chance": chance, "succeeded": succeeded, "warnings": warnings}


def _of_chance(source: Space, target: Space, system: Refined, n: int) -> Iterator[float]:
    """Criteria of refined random rotations, which are the same for a pair of languages."""
    d = source.vectors.shape[1]
    for generator in generators(0, source, target, n):
        rotation = np.linalg.qr(generator.normal(size=(d, d)))[0].astype(np.float32)
        yield refine(source, target, rotation, system).criterion


def generators(
    seed: int, source: Space, target: Space, starts: int
) -> Iterator[np.random.Generator]:
    """Yield a generator for each start, specific to the pair of languages.

    The order in which languages are mapped and the number of starts do not change them.
    """
    names = [*source.language.encode(), 0, *target.language.encode()]
    return (np.random.default_rng([seed, start, *names]) for start in range(starts))


def refine(source: Space, target: Space, W: np.ndarray, system: Refined) -> Refinement:
    """Improve a roughly correct map; keep the best by the unsupervised criterion.

    Args:
        source: whose own lengths count in Procrustes, as do the target's.
        target: likewise.
        W: d x d, the start: from adversarial training, or `orthogonal_map` of a seed dictionary.
        system: says how often, and with which words.
    """
    X, Y = source.own, target.own
    history, best, best_W, pairs = [], 0, W, None
    for step in range(system.rounds + 1):
        mapped, forward, score = judged(source, target, W, system)
        size = None if pairs is None else len(pairs)
        history.append({"round": step, "pairs": size, "criterion": score})
        if score > history[best]["criterion"]:
            best, best_W = step, W
        if step < system.rounds:
            pairs = np.column_stack([np.arange(len(forward)), forward])
            if system.mutual:
                among = target.vectors[: system.dictionary_words]
                backward = translate(among, mapped, neighbours=system.neighbours)
                pairs = pairs[backward[forward] == pairs[:, 0]]
            W = orthogonal_map(X[pairs[:, 0]], Y[pairs[:, 1]])
    return Refinement(best_W.astype(np.float32), history, best)


def judged(
    source: Space, target: Space, W: np.ndarray, system: Refined
) -> tuple[np.ndarray, np.ndarray, float]:
    """Map and translate the words that refinement uses; with the unsupervised criterion."""
    n = system.dictionary_words
    mapped, among = apply_map(source.vectors[:n], W), target.vectors[:n]
    forward = translate(mapped, among, neighbours=system.neighbours)
    return mapped, forward, criterion(mapped, among, forward, system.criterion_words)
