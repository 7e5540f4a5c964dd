"""What maps end with; translation by CSLS, its criterion, and rotations.

CSLS(x, y) = 2 cos(x, y) - r_T(x) - r_S(y) (Conneau et al. 2018, eq. 3): r_S(y) is the mean
cosine of a target word with its k nearest source words, which penalises hubs. r_T(x) is the same
for all translations of x and so never changes which one is the best. Rows are float32, of unit
length, most frequent word first; those of the source are mapped already. Light, as plans read what
imports it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from cr5.systems.maps.spaces import Space

NEIGHBOURS = 10  # k of CSLS


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
    return nearest(queries, target, 1, penalty).columns[:, 0]


def precision(
    source: np.ndarray, target: np.ndarray, pairs: np.ndarray, *, neighbours: int = NEIGHBOURS
) -> float:
    """Share of source words whose best translation is in a dictionary of p > 0 pairs (P@1)."""
    rows, word = np.unique(pairs[:, 0], return_inverse=True)
    found = translate(source, target, neighbours=neighbours, rows=rows)
    return len(np.unique(word[found[word] == pairs[:, 1]])) / len(rows)


def both_ways(forward: np.ndarray, backward: np.ndarray) -> np.ndarray:
    """Pair each source word with its translation, then each target word with its own."""
    there = np.column_stack([np.arange(len(forward)), forward])
    return np.vstack([there, np.column_stack([backward, np.arange(len(backward))])])


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
