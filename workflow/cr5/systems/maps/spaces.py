"""The word space of a language, two of them brought together, and the random numbers of a pair.

Light, as plans read what imports it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from cr5.base.errors import LeftOutError
from cr5.systems.maps.rows import apply_map, subtract_mean, unit

if TYPE_CHECKING:
    from cr5.contracts.training import TrainingSet


@dataclass(frozen=True)
class Space:
    """The words of one language that have a vector, most frequent first."""

    language: str
    words: list[str]
    rows: np.ndarray  # of the vocabulary
    vectors: np.ndarray  # n x d float32, unit rows
    lengths: np.ndarray | None = None  # that they had; None for ones

    @property
    def full_vectors(self) -> np.ndarray:
        """The vectors with their lengths, n x d."""
        return self.lengthened(self.vectors)

    def lengthened(self, rows: np.ndarray) -> np.ndarray:
        """Give rows of the words, such as mapped ones, the lengths of the vectors."""
        if self.lengths is None:
            return rows
        return rows * self.lengths[:, None]

    def mapped(self, W: np.ndarray) -> np.ndarray:
        """The vectors times W, scaled to unit length."""
        return apply_map(self.vectors, W)


@dataclass(frozen=True)
class Mapped:
    """Two word spaces brought together: unit rows, unless a map stretches; and a report.

    Without a target the source was mapped to the target's own vectors.
    """

    source: np.ndarray
    target: np.ndarray | None = None
    report: dict[str, Any] = field(default_factory=dict)


def space_of(training: TrainingSet, language: str, *, keep_lengths: bool, centre: bool) -> Space:
    """Select the words of a language that have a vector; LeftOutError if none has."""
    from cr5.base.rows import norms

    vocabulary = training.words[language]
    vectors = training.vectors[language]
    rows = np.flatnonzero(vectors.any(axis=1))
    if not len(rows):
        raise LeftOutError(
            f"word vectors of {language}: none of the {len(vocabulary)} words of the vocabulary "
            "has one"
        )
    words = [vocabulary[row] for row in rows]
    vectors = vectors[rows].astype(np.float32)
    if not keep_lengths:
        vectors = unit(vectors)  # so that long vectors do not decide on the mean
    if centre:
        vectors = subtract_mean(vectors)
    lengths = None
    if keep_lengths:
        lengths = norms(vectors, "l2").astype(np.float32)
    if keep_lengths or centre:
        vectors = unit(vectors)
    return Space(language, words, rows, vectors, lengths)


def random_generators(
    seed: int, source: Space, target: Space, n_starts: int
) -> Iterator[np.random.Generator]:
    """Yield a generator for each start of a pair of languages, whatever their number and order."""
    languages = source.language.encode() + b"\0" + target.language.encode()
    for start in range(n_starts):
        yield np.random.default_rng([seed, start, *languages])
