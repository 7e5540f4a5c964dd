"""What systems that map word vectors have in common; light, as plans read it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import NonNegativeInt, PositiveInt

from cr5.base.errors import LeftOutError
from cr5.base.parts import Language, System

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np

    from cr5.fitting.contract import Fit, TrainingSet
    from cr5.systems.maps.search import Mapped
    from cr5.systems.maps.spaces import Space


class OntoPivot(System):
    """Word vectors of each language, mapped onto those of one or of every other language.

    Attributes:
        own: whether vectors keep their own lengths.
        both_sides: whether the target's space is changed too.
    """

    own: ClassVar[bool] = False
    both_sides: ClassVar[bool] = False
    needs: ClassVar = ("vectors",)

    pivot: Language | None = None
    """The language onto which others are mapped; null: English, or else the first."""
    directed: bool = False
    """Whether each language is mapped onto every other one instead."""
    centre: bool = False
    """Whether the mean of all vectors is subtracted first."""

    def fit(self, training: TrainingSet) -> Fit:
        """Map the languages onto the pivot, or each onto every other; see `fit_mapped`."""
        from cr5.systems.maps.spaces import fit_mapped

        return fit_mapped(training, self, both_sides=self.both_sides)

    def map(self, source: Space, target: Space, training: TrainingSet) -> Mapped:
        """Bring both spaces together, whatever pairs of languages were mapped before."""
        raise NotImplementedError


class Seeded(OntoPivot):
    """Maps fitted to pairs of words.

    Attributes:
        least: number of pairs; None for the number of dimensions of the vectors.
    """

    least: ClassVar[int | None] = None
    needs: ClassVar = ("vectors", "seeds")

    seeds: Literal["dictionary", "identical", "numerals", "dictionary_and_identical"] = "dictionary"
    """Word pairs to begin with: of `dictionary`, strings or numerals of both languages, or the
    former two."""

    def map(self, source: Space, target: Space, training: TrainingSet) -> Mapped:
        """Find the seed pairs, and map by them.

        Raises:
            LeftOutError: there are fewer than the system needs.
        """
        from cr5.systems.maps.spaces import seed_pairs

        pairs = seed_pairs(self.seeds, source, target, training.seeds, directed=self.directed)
        needed = source.vectors.shape[1] if self.least is None else self.least
        if len(pairs) < needed:
            raise LeftOutError(
                f"{source.language}-{target.language}: {len(pairs)} pairs of words (seeds: "
                f"{self.seeds}), but at least {needed} are needed: give a larger dictionary in "
                "this direction, or take other seeds"
            )
        found = self.solve(source, target, pairs, training)
        return replace(found, report={"seed_pairs": len(pairs), **found.report})

    def solve(
        self, source: Space, target: Space, pairs: np.ndarray, training: TrainingSet
    ) -> Mapped:
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
    criterion_words: PositiveInt = 10_000
    """Most frequent words over which the unsupervised criterion is the mean."""
    mutual: bool = False
    """Whether each word of a pair must be the other's best translation."""


class Started(Refined, OntoPivot):
    """Maps found from several starts without any pair of words."""

    starts: PositiveInt = 3
    """Independent ones, each refined; the unsupervised criterion chooses."""

    def map(self, source: Space, target: Space, training: TrainingSet) -> Mapped:
        """Keep the best of the starts, and say how many were better than chance."""
        from cr5.systems.maps.refinement import CHANCE, best_of

        return best_of(self.begin(source, target, training.seed), source, target, self, CHANCE)

    def begin(self, source: Space, target: Space, seed: int) -> Iterator[np.ndarray]:
        """Find the maps, d x d float32, from which refinement begins."""
        raise NotImplementedError
