"""Maps where refinement begins: one or more, each refined; the unsupervised criterion chooses."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from cr5.systems.mapping.pivot import Mapped
from cr5.systems.mapping.refinement import Refinement, RefinementSettings, apply_map, refine
from cr5.systems.mapping.spaces import Space

NEAR = 0.95
"""Of the best criterion: a start that ends there has found the same map, or one as good."""


@dataclass(frozen=True)
class Start:
    """Where refinement begins: a map W (d x d float32) and what to report of it."""

    W: np.ndarray
    report: dict[str, Any]


def best_of(
    starts: Iterable[Start], source: Space, target: Space, settings: RefinementSettings
) -> Mapped:
    """Refine each start and keep the best.

    The unsupervised criterion chooses among the refined maps: before refinement it hardly tells a
    good start from a bad one.

    Args:
        starts: at least one.
        source: whose words are mapped.
        target: onto whose words.
        settings: of the refinement.

    Returns:
        The source's words mapped; the report has the history of each start, which was kept
        (`best_start`), and how many ended at `NEAR` of its criterion or above (`succeeded`): where
        that is one of several, another seed may well find nothing.
    """
    begun = list(starts)
    refined = [refine(source.vectors, target.vectors, x.W, settings) for x in begun]
    criteria = [result.criterion for result in refined]
    best = int(np.argmax(criteria))
    report = {
        "best_start": best,
        "criterion": criteria[best],
        "succeeded": sum(x >= NEAR * criteria[best] for x in criteria),
        "starts": [_report(*each) for each in zip(begun, refined, strict=True)],
    }
    return Mapped(apply_map(source.vectors, refined[best].W), report=report)


def _report(start: Start, refined: Refinement) -> dict[str, Any]:
    return start.report | {"refinement": refined.history, "best_round": refined.best}
