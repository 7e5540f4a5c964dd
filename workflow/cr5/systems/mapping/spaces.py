"""The word space of a language, for the systems that map spaces."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from cr5.base.errors import LeftOutError, UserError
from cr5.base.rows import norms, unit_rows
from cr5.fitting.contract import TrainingSet


@dataclass(frozen=True)
class Space:
    """The words of one language that have a vector, most frequent first.

    Attributes:
        language: its code.
        words: n strings.
        rows: (n,) row of each word in the vocabulary.
        vectors: n x d float32, unit rows.
        lengths: (n,) float32, which each of them had; None for ones.
    """

    language: str
    words: list[str]
    rows: np.ndarray
    vectors: np.ndarray
    lengths: np.ndarray | None = None

    @property
    def own(self) -> np.ndarray:
        """The vectors with their lengths, n x d."""
        return self.scaled(self.vectors)

    def scaled(self, rows: np.ndarray) -> np.ndarray:
        """Give rows of the words, such as mapped ones, the lengths of the vectors."""
        return rows if self.lengths is None else rows * self.lengths[:, None]


def spaces_of(training: TrainingSet, *, centre: bool, own: bool = False) -> dict[str, Space]:
    """Make the spaces of all languages.

    Raises:
        LeftOutError: no word of a vocabulary has a vector.
        UserError: the languages' vectors differ in length.
    """
    spaces = {x: space_of(training, x, centre=centre, own=own) for x in training.languages}
    _check_dimensions(spaces)
    return spaces


def space_of(training: TrainingSet, language: str, *, centre: bool, own: bool = False) -> Space:
    """Select the words that have a vector, and scale the vectors to unit length.

    Args:
        training: with vectors.
        language: one of its languages.
        centre: subtract the mean first; unless `own`, that of unit vectors.
        own: keep the vectors' own lengths beside them.

    Raises:
        LeftOutError: no word of the vocabulary has a vector.
    """
    vectors, words = training.vectors[language], training.words[language]
    rows = np.flatnonzero(vectors.any(axis=1))
    if not len(rows):
        raise LeftOutError(
            f"word vectors of {language}: none of the {len(words)} words of the vocabulary has "
            "one; trained ones must be of the same text and tokens, with a lower min_count; given "
            "ones of this language, and of lower-cased words."
        )
    given = directions(vectors[rows].astype(np.float32), centre=centre, own=own)
    return Space(language, [words[row] for row in rows], rows, *given)


def centred(rows: np.ndarray) -> np.ndarray:
    """Subtract the mean of rows (n x d, float32), and scale them to unit length."""
    return unit_rows(_about_mean(rows))


def directions(
    rows: np.ndarray, *, centre: bool, own: bool
) -> tuple[np.ndarray, np.ndarray | None]:
    """Return the vectors and the lengths of a `Space`, given its words' vectors; see `space_of`."""
    if not own:
        rows = unit_rows(rows)
        return (centred(rows) if centre else rows), None
    rows = _about_mean(rows) if centre else rows
    return unit_rows(rows), norms(rows, "l2").astype(np.float32)


def _about_mean(rows: np.ndarray) -> np.ndarray:
    return rows - rows.mean(axis=0, dtype=np.float64).astype(np.float32)


def _check_dimensions(spaces: Mapping[str, Space]) -> None:
    dimensions = {language: space.vectors.shape[1] for language, space in spaces.items()}
    if len(set(dimensions.values())) > 1:
        raise UserError(
            f"word vectors: the languages differ in dimension ({dimensions}); "
            "all must have the same one."
        )
