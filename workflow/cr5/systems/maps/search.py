"""Translation by CSLS, its criterion, rotations, and how these refine a map in turn.

CSLS(x, y) = 2 cos(x, y) - r_T(x) - r_S(y) (Conneau et al. 2018, eq. 3): r_S(y) is the mean
cosine of a target word with its k nearest source words, which penalises hubs. r_T(x) is the same
for all translations of x and so never changes which one is the best. Rows are float32, of unit
length, most frequent word first; those of the source are mapped already. Light, as plans read what
imports it.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from cr5.fitting.options import FOUND_NOTHING

if TYPE_CHECKING:
    from cr5.systems.maps.family import Refined, Space

log = logging.getLogger(__name__)

NEIGHBOURS = 10  # k of CSLS
NEAR = 0.95  # of the best criterion: a start that ends there found the same map, or one as good
CHANCE = 2  # random rotations to refine, as a baseline of refinement
# Of what chance lacks of 1 a start must gain this share to be more than chance: on English, Spanish
# and Italian vectors of length 50 starts that failed gained up to .15, right maps .34 and more.
ABOVE = 0.25
# Above this chance says nothing: vectors of little text all point one way, so that any map brings
# words near others. On 500,000 words of documentation chance reached .95, a map from a dictionary,
# which translated 2 % right, .97.
TELLS = 0.9


@dataclass(frozen=True)
class Mapped:
    """Two word spaces brought together: unit rows, unless a map stretches; and a report.

    Without a target the source was mapped to the target's own vectors.
    """

    source: np.ndarray
    target: np.ndarray | None = None
    report: dict[str, Any] = field(default_factory=dict)


def generators(
    seed: int, source: Space, target: Space, starts: int
) -> Iterator[np.random.Generator]:
    """A generator for each start of a pair of languages, whatever their number and order."""
    names = [*source.language.encode(), 0, *target.language.encode()]
    return (np.random.default_rng([seed, start, *names]) for start in range(starts))


def translate(
    source: np.ndarray,
    target: np.ndarray,
    *,
    neighbours: int = NEIGHBOURS,
    rows: np.ndarray | None = None,
) -> np.ndarray:
    """The target word with the highest CSLS for each source word, the first of equal ones.

    Without neighbours, the highest cosine. Only `rows` are translated, but neighbours are among
    all.
    """
    from cr5.search.nearest import mean_top_k, nearest

    penalty = mean_top_k(target, source, neighbours) / 2 if neighbours else None
    queries = source if rows is None else source[rows]
    _, columns = nearest(queries, target, 1, penalty)
    return columns[:, 0]


def precision(
    source: np.ndarray, target: np.ndarray, pairs: np.ndarray, *, neighbours: int = NEIGHBOURS
) -> float:
    """Share of source words whose best translation is in a dictionary of p > 0 pairs (P@1)."""
    rows, word = np.unique(pairs[:, 0], return_inverse=True)
    found = translate(source, target, neighbours=neighbours, rows=rows)
    return len(np.unique(word[found[word] == pairs[:, 1]])) / len(rows)


def criterion(
    source: np.ndarray, target: np.ndarray, forward: np.ndarray, words: int = 10_000
) -> float:
    """Mean cosine of the most frequent source words with their translations.

    Needs no dictionary, and correlates with translation accuracy (Conneau et al. 2018, section
    2.2), so it chooses the epoch, the start and the round of refinement.
    """
    X, Y = source[:words], target[forward[:words]]
    return float(np.einsum("ij,ij->i", X, Y, dtype=np.float64).mean())


def orthogonal_map(X: np.ndarray, Y: np.ndarray) -> np.ndarray:
    """Minimise ||X W - Y||_F over orthogonal W (Schönemann 1966; Conneau et al. 2018, eq. 2).

    W is U V' of the singular value decomposition X'Y = U S V', d x d float32.
    """
    U, _, Vt = np.linalg.svd(X.T.astype(np.float64) @ Y.astype(np.float64))
    return (U @ Vt).astype(np.float32)


def map_of_pairs(X: np.ndarray, Y: np.ndarray, pairs: np.ndarray) -> np.ndarray:
    """As `orthogonal_map`, by the rows of X and of Y that are paired, p x 2."""
    return orthogonal_map(X[pairs[:, 0]], Y[pairs[:, 1]])


def apply_map(rows: np.ndarray, W: np.ndarray) -> np.ndarray:
    """Map rows (n x d) and rescale them to unit length: W may be only nearly orthogonal."""
    return unit((rows @ W).astype(np.float32))


def centred(rows: np.ndarray) -> np.ndarray:
    """Subtract the mean of rows, and scale them to unit length."""
    return unit(about_mean(rows))


def unit(rows: np.ndarray) -> np.ndarray:
    """Scale rows to unit length."""
    from cr5.base.rows import unit_rows

    return unit_rows(rows)


def about_mean(rows: np.ndarray) -> np.ndarray:
    """Subtract the mean of rows (n x d, float32)."""
    return rows - rows.mean(axis=0, dtype=np.float64).astype(np.float32)


def best_of(
    starts: Iterable[np.ndarray], source: Space, target: Space, system: Refined, chance: int = 0
) -> Mapped:
    """Refine each start, a map, and keep the best.

    The unsupervised criterion chooses among the refined maps: before refinement it hardly separates
    good starts from bad ones. If nothing else shows whether a start succeeded, it is compared with
    `chance` random rotations: those `succeeded` that ended at `NEAR` of the best criterion or
    above, and `ABOVE` chance. If only one of several did, another seed may well find nothing.
    """
    refined = [refine(source, target, W, system) for W in starts]
    criteria = [criterion for _, criterion in refined]
    best = int(np.argmax(criteria))
    report = {"best_start": best, "criteria": criteria}
    if chance:
        d, random = source.vectors.shape[1], []
        for generator in generators(0, source, target, chance):  # the same for any seed
            rotation = np.linalg.qr(generator.normal(size=(d, d)))[0].astype(np.float32)
            random.append(refine(source, target, rotation, system)[1])
        report |= _success(criteria, max(random))
    return Mapped(source.mapped(refined[best][0]), report=report)


def _success(criteria: list[float], chance: float) -> dict[str, Any]:
    least = max(NEAR * max(criteria), chance + ABOVE * (1 - chance))
    succeeded, n = sum(x >= least for x in criteria if chance <= TELLS), len(criteria)
    said = f"{succeeded} of {n} starts succeeded"
    said = f"{said}: another seed may find nothing" if succeeded else f"{FOUND_NOTHING}: {said}"
    warnings = [said] if succeeded < n else []
    return {"chance": chance, "succeeded": succeeded, "warnings": warnings}


def refine(
    source: Space, target: Space, W: np.ndarray, system: Refined
) -> tuple[np.ndarray, float]:
    """Translate, solve Procrustes by the pairs found, and again; keep the best by the criterion.

    Own lengths count in Procrustes. The map is orthogonal unless it is a start that is not.
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
                backward = translate(among, mapped)
                pairs = pairs[backward[forward] == pairs[:, 0]]
            log.info("round %d: criterion %.4f, %d pairs of words", step, score, len(pairs))
            W = map_of_pairs(X, Y, pairs)
    return best_W.astype(np.float32), best


def judged(
    source: Space, target: Space, W: np.ndarray, system: Refined
) -> tuple[np.ndarray, np.ndarray, float]:
    """Map and translate the words that refinement uses; with the unsupervised criterion."""
    n = system.dictionary_words
    mapped, among = apply_map(source.vectors[:n], W), target.vectors[:n]
    forward = translate(mapped, among)
    return mapped, forward, criterion(mapped, among, forward, system.criterion_words)
