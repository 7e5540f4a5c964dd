"""What systems that map word vectors have in common; light, as plans read it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, NonNegativeInt, PositiveFloat, PositiveInt

from cr5.base.parts import Language, System


class OntoPivot(System):
    """Word vectors of each language, mapped onto those of one or of every other language."""

    pivot: Language | None = None
    """The language onto which others are mapped; null: English, or else the first."""
    directed: bool = False
    """Whether each language is mapped onto every other one instead."""
    centre: bool = False
    """Whether the mean of all vectors is subtracted first."""

    @property
    def needs(self) -> tuple[str, ...]:
        """Word vectors."""
        return ("vectors",)


class Seeded(OntoPivot):
    """Maps fitted to pairs of words."""

    seeds: Literal["dictionary", "identical", "numerals", "dictionary_and_identical"] = "dictionary"
    """Word pairs to begin with: of `dictionary`, strings or numerals of both languages, or the
    former two."""
    min_length: PositiveInt = 1
    """Characters of identical strings; short ones are more often false friends."""

    @property
    def needs(self) -> tuple[str, ...]:
        """Word vectors, and pairs of words."""
        return ("vectors", "seeds")


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


class Started(OntoPivot):
    """Maps found from several starts without any pair of words."""

    starts: PositiveInt = 3
    """Independent ones, each refined; the unsupervised criterion chooses."""


class Game(System):
    """A discriminator that tells mapped words from others, and a map that deceives it.

    The values of Conneau et al. 2018 (section 3.1 and the authors' code).
    """

    epochs: PositiveInt = 5
    """After each the criterion is computed and the rate changed."""
    samples: PositiveInt = 1_000_000
    """Words drawn from each language per epoch."""
    batch: PositiveInt = 32
    """Words of each language per step."""
    frequent_words: PositiveInt = 75_000
    """Most frequent words that batches are drawn from."""
    hidden: PositiveInt = 2048
    """Width of both hidden layers of the discriminator."""
    discriminator_steps: PositiveInt = 5
    """Per step of the mapping."""
    rate: PositiveFloat = 0.1
    """Learning rate of both players at the start."""
    rate_shrink: Annotated[float, Field(gt=0, le=1)] = 0.5
    """Further factor from the second time on that the criterion is below its best."""
    orthogonality: Annotated[float, Field(ge=0, le=1)] = 0.001
    """Beta of Eq. 7."""
