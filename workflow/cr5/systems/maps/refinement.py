"""Start maps, one or more, each refined; the unsupervised criterion chooses.

Refinement translates, builds a dictionary, solves Procrustes, and does so again.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from cr5.systems.maps import search
from cr5.systems.maps.search import Mapped, orthogonal_map

if TYPE_CHECKING:
    from cr5.systems.maps.family import Refined
    from cr5.systems.maps.spaces import Space

log = logging.getLogger(__name__)

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


def best_of(
    starts: Iterable[np.ndarray], source: Space, target: Space, system: Refined, chance: int = 0
) -> Mapped:
    """Refine each start, a map, and keep the best.

    The unsupervised criterion chooses among the refined maps: before refinement it hardly separates
    good starts from bad ones. The report has that of each start, and which one was kept
    (`best_start`). If nothing else shows whether a start succeeded, it is compared with `chance`
    random rotations: those `succeeded` that ended at `NEAR` of the best criterion or above, and
    `ABOVE` chance. If only one of several did, another seed may well find nothing; if none did,
    nothing was found.
    """
    refined = [refine(source, target, W, system) for W in starts]
    criteria = [criterion for _, criterion in refined]
    best = int(np.argmax(criteria))
    report = {"best_start": best, "criteria": criteria}
    if chance:
        d, random = source.vectors.shape[1], []
        for generator in search.generators(0, source, target, chance):  # the same for any seed
            rotation = np.linalg.qr(generator.normal(size=(d, d)))[0].astype(np.float32)
            random.append(refine(source, target, rotation, system)[1])
        report |= _success(criteria, max(random))
    return Mapped(source.mapped(refined[best][0]), report=report)


def _success(criteria: list[float], chance: float) -> dict[str, Any]:
    least = max(NEAR * max(criteria), chance + ABOVE * (1 - chance))
    succeeded, n = sum(x >= least for x in criteria if chance <= TELLS), len(criteria)
    said = "nothing was found" if not succeeded else "another seed may find nothing"
    warnings = [f"{succeeded} of {n} starts succeeded: {said}"] if succeeded < n else []
    return {"chance": chance, "succeeded": succeeded, "warnings": warnings}


def refine(
    source: Space, target: Space, W: np.ndarray, system: Refined
) -> tuple[np.ndarray, float]:
    """Improve a roughly correct map W (d x d); keep the best by the unsupervised criterion.

    Own lengths count in Procrustes. Returns the map, orthogonal unless it is a start that is not,
    and its criterion.
    """
    X, Y = source.own, target.own
    best, best_W = -np.inf, W
    for step in range(system.rounds + 1):
        mapped, forward, score = judged(source, target, W, system)
        if score > best:
            best, best_W = score, W
        if step < system.rounds:
            pairs = np.column_stack([np.arange(len(forward)), forward])
            if system.mutual:
                among = target.vectors[: system.dictionary_words]
                backward = search.translate(among, mapped)
                pairs = pairs[backward[forward] == pairs[:, 0]]
            log.info("round %d: criterion %.4f, %d pairs of words", step, score, len(pairs))
            W = orthogonal_map(X[pairs[:, 0]], Y[pairs[:, 1]])
    return best_W.astype(np.float32), best


def judged(
    source: Space, target: Space, W: np.ndarray, system: Refined
) -> tuple[np.ndarray, np.ndarray, float]:
    """Map and translate the words that refinement uses; with the unsupervised criterion."""
    n = system.dictionary_words
    mapped, among = search.apply_map(source.vectors[:n], W), target.vectors[:n]
    forward = search.translate(mapped, among)
    return mapped, forward, search.criterion(mapped, among, forward, system.criterion_words)
