"""What systems that map word vectors have in common; light, as plans read it."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import NonNegativeInt, PositiveInt

from cr5.base.parts import Language, System

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np

    from cr5.fitting.contract import Fit, TrainingSet
    from cr5.systems.maps.search import Mapped, Start
    from cr5.systems.maps.spaces import Space


class OntoPivot(System):
    """Word vectors of each language, mapped onto those of one or of every other language.

    Attributes:
        own: whether vectors keep their own lengths.
    """

    own: ClassVar[bool] = False
    needs: ClassVar = ("vectors",)

    pivot: Language | None = None
    """The language onto which others are mapped; null: English, or else the first."""
    directed: bool = False
    """Whether each language is mapped onto every other one instead."""
    centre: bool = False
    """Whether the mean of all vectors is subtracted first."""


class Seeded(OntoPivot):
    """Maps fitted to pairs of words.

    Attributes:
        both_sides: whether the target's space is changed too.
        least: number of pairs; None for the number of dimensions of the vectors.
    """

    both_sides: ClassVar[bool] = False
    least: ClassVar[int | None] = None
    needs: ClassVar = ("vectors", "seeds")

    seeds: Literal["dictionary", "identical", "numerals", "dictionary_and_identical"] = "dictionary"
    """Word pairs to begin with: of `dictionary`, strings or numerals of both languages, or the
    former two."""

    def fit(self, training: TrainingSet) -> Fit:
        """Map each pair of languages by its seed pairs; see `fit_seeded`."""
        from cr5.systems.maps.spaces import fit_seeded

        return fit_seeded(training, self, self.solve, both_sides=self.both_sides)

    def solve(self, source: Space, target: Space, pairs: np.ndarray) -> Mapped:
        """Bring both spaces together, by p x 2 row numbers of their words."""
        raise NotImplementedError


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
    neighbours: PositiveInt = 10
    """Of CSLS."""
    criterion_words: PositiveInt = 10_000
    """Most frequent words over which the unsupervised criterion is the mean."""
    mutual: bool = False
    """Whether each word of a pair must be the other's best translation."""


class Started(Refined, OntoPivot):
    """Maps found from several starts without any pair of words."""

    starts: PositiveInt = 3
    """Independent ones, each refined; the unsupervised criterion chooses."""

    def fit(self, training: TrainingSet) -> Fit:
        """Map each pair of languages by the best of its starts; see `fit_starts`."""
        from cr5.systems.maps.refinement import fit_starts

        return fit_starts(training, self)

    def begin(self, source: Space, target: Space, seed: int) -> Iterator[Start]:
        """Find the maps from which refinement begins."""
        raise NotImplementedError
