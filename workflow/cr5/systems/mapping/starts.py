"""Start maps, one or more, each refined; the unsupervised criterion chooses."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from cr5.fitting.contract import Fit, TrainingSet
from cr5.systems.mapping.family import Refined, Started
from cr5.systems.mapping.maps import apply_map
from cr5.systems.mapping.pivot import Mapped, fit_mapped
from cr5.systems.mapping.refinement import Refinement, refine
from cr5.systems.mapping.spaces import Space

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


def fit_starts(
    training: TrainingSet,
    system: Started,
    starts: Callable[[Space, Space, int], Iterable[Start]],
    *,
    own: bool = False,
) -> Fit:
    """Map the languages by the best of several starts, chosen without any pair of words.

    Args:
        training: with vectors.
        system: says onto what, and how starts are refined.
        starts: makes the starts of a source space and a target space, by a seed.
        own: whether vectors keep their own lengths.
    """

    def solve(source: Space, target: Space) -> Mapped:
        begun = starts(source, target, training.seed)
        return best_of(begun, source, target, system, CHANCE)

    return fit_mapped(training, system, solve, own=own)


def best_of(
    starts: Iterable[Start],
    source: Space,
    target: Space,
    system: Refined,
    chance: int = 0,
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
    refined = [_refined(source, target, x.W, system) for x in begun]
    criteria = [result.criterion for result in refined]
    best = int(np.argmax(criteria))
    report = {
        "best_start": best,
        "criterion": criteria[best],
        **_success(criteria, list(_of_chance(source, target, system, chance))),
        "starts": [_report(*each) for each in zip(begun, refined, strict=True)],
    }
    return Mapped(apply_map(source.vectors, refined[best].W), report=report)


def _refined(source: Space, target: Space, W: np.ndarray, system: Refined) -> Refinement:
    return refine(source.vectors, target.vectors, W, system, (source.own, target.own))


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
        yield _refined(source, target, rotation, system).criterion


def _report(start: Start, refined: Refinement) -> dict[str, Any]:
    return start.report | {"refinement": refined.history, "best_round": refined.best}


def generators(
    seed: int, source: Space, target: Space, starts: int
) -> Iterator[np.random.Generator]:
    """Yield a generator for each start, specific to the pair of languages.

    The order in which languages are mapped and the number of starts do not change them.
    """
    names = [*source.language.encode(), 0, *target.language.encode()]
    return (np.random.default_rng([seed, start, *names]) for start in range(starts))
