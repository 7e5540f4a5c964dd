"""Refinement of a map, and the choice among several that were refined.

A map translates words, the translations make a better map, and again (Conneau et al. 2018, section
2.2). Light, as plans read it.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from pydantic import NonNegativeInt, PositiveInt

from cr5.contracts.system import System
from cr5.fitting.options import FOUND_NOTHING
from cr5.systems.maps.rotations import map_of_pairs
from cr5.systems.maps.rows import apply_map
from cr5.systems.maps.spaces import Mapped, Space, random_generators
from cr5.systems.maps.translation import translate, unsupervised_criterion

log = logging.getLogger(__name__)

NEAR = 0.95  # of the best criterion: a start that ends there found the same map, or one as good
RANDOM_ROTATIONS = 2  # to refine; their best criterion is that of chance, refinement's baseline
# Of what chance lacks of 1 a start must gain this share to be more than chance: on English, Spanish
# and Italian vectors of length 50 starts that failed gained up to .15, right maps .34 and more.
ABOVE = 0.25
# Above this chance says nothing: vectors of little text all point one way, so that any map brings
# words near others. On 500,000 words of documentation chance reached .95, a map from a dictionary,
# which translated 2 % right, .97.
TELLS = 0.9


class Refined(System):
    """Maps that are refined: translate, build a dictionary, solve Procrustes, and again.

    The values of Conneau et al. 2018 (section 2.2 and the authors' code). There the first
    `dictionary_words` are translated among all target words, and later ones dropped from the pairs;
    here neither dictionary nor criterion knows them.
    """

    rounds: NonNegativeInt = 5
    """Of refinement: a dictionary is built, and a map solved."""
    dictionary_words: PositiveInt = 15_000
    """Most frequent words that may enter a dictionary."""
    criterion_words: PositiveInt = 10_000
    """Most frequent words over which the unsupervised criterion is the mean."""
    mutual: bool = False
    """Whether each word of a pair must be the other's best translation."""


@dataclass(frozen=True)
class Translated:
    """The frequent source words by a map, and how well it translates them."""

    mapped: np.ndarray  # n x d float32, unit rows
    translations: np.ndarray  # (n,) numbers of target words
    criterion: float  # the unsupervised one


def best_of(
    starts: Iterable[np.ndarray],
    source: Space,
    target: Space,
    system: Refined,
    random_rotations: int = 0,
) -> Mapped:
    """Refine each start, a map, and keep the best.

    The unsupervised criterion chooses among the refined maps: before refinement it hardly separates
    good starts from bad ones. If nothing else shows whether a start succeeded, it is compared with
    chance, the best of some random rotations: those `succeeded` that ended at `NEAR` of the best
    criterion or above, and `ABOVE` chance. If only one of several did, another seed may well find
    nothing.
    """
    refined = [refine(source, target, W, system) for W in starts]
    criteria = [criterion for _, criterion in refined]
    best_start = int(np.argmax(criteria))
    report = {"best_start": best_start, "criteria": criteria}
    if random_rotations:
        chance = _criterion_of_chance(source, target, system, random_rotations)
        report |= _success(criteria, chance)
    best_map, _ = refined[best_start]
    return Mapped(source.mapped(best_map), report=report)


def _criterion_of_chance(
    source: Space, target: Space, system: Refined, random_rotations: int
) -> float:
    """Return the best criterion of refined random rotations."""
    d = source.vectors.shape[1]
    criteria = []
    for generator in random_generators(0, source, target, random_rotations):  # whatever the seed
        rotation, _ = np.linalg.qr(generator.normal(size=(d, d)))
        _, criterion = refine(source, target, rotation.astype(np.float32), system)
        criteria.append(criterion)
    return max(criteria)


def _success(criteria: list[float], chance: float) -> dict[str, Any]:
    """Report how many starts succeeded, and warn if one failed."""
    threshold = max(NEAR * max(criteria), chance + ABOVE * (1 - chance))
    succeeded = 0
    if chance <= TELLS:
        succeeded = sum(criterion >= threshold for criterion in criteria)
    warnings = []
    if succeeded < len(criteria):
        warning = f"{succeeded} of {len(criteria)} starts succeeded"
        if succeeded:
            warnings.append(f"{warning}: another seed may find nothing")
        else:
            warnings.append(f"{FOUND_NOTHING}: {warning}")
    return {"chance": chance, "succeeded": succeeded, "warnings": warnings}


def refine(
    source: Space, target: Space, W: np.ndarray, system: Refined
) -> tuple[np.ndarray, float]:
    """Translate, solve Procrustes by the pairs found, and again: the best map and its criterion.

    Own lengths count in Procrustes. The map is orthogonal unless it is a start that is not.
    """
    X = source.full_vectors
    Y = target.full_vectors
    best_criterion = -np.inf
    best_map = W
    for step in range(system.rounds + 1):
        translated = translate_frequent(source, target, W, system)
        criterion = translated.criterion
        if criterion > best_criterion:
            best_criterion = criterion
            best_map = W
        if step < system.rounds:
            pairs = _dictionary(translated, target, system)
            log.info("round %d: criterion %.4f, %d pairs of words", step, criterion, len(pairs))
            W = map_of_pairs(X, Y, pairs)
    return best_map.astype(np.float32), best_criterion


def _dictionary(translated: Translated, target: Space, system: Refined) -> np.ndarray:
    """Pair words with their translations, p x 2; if `mutual` only those that agree both ways."""
    forward = translated.translations
    pairs = np.column_stack([np.arange(len(forward)), forward])
    if system.mutual:
        candidates = target.vectors[: system.dictionary_words]
        backward = translate(candidates, translated.mapped)
        pairs = pairs[backward[forward] == pairs[:, 0]]
    return pairs


def translate_frequent(source: Space, target: Space, W: np.ndarray, system: Refined) -> Translated:
    """Map and translate the words that refinement uses; with the unsupervised criterion."""
    n_words = system.dictionary_words
    mapped = apply_map(source.vectors[:n_words], W)
    candidates = target.vectors[:n_words]
    translations = translate(mapped, candidates)
    criterion = unsupervised_criterion(mapped, candidates, translations, system.criterion_words)
    return Translated(mapped, translations, criterion)
