"""What systems that map word vectors have in common: spaces, pairs of words, the model at the end.

Either each language is mapped onto one pivot language, where all meet. Or, if `directed`, each
language is mapped onto every other one, using only the data of that direction, as papers on word
translation fit and test. Light, as plans read it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np
from pydantic import NonNegativeInt, PositiveInt

from cr5.base.errors import LeftOutError, UserError
from cr5.base.parts import Language, System
from cr5.fitting.pivot import choose_pivot
from cr5.fitting.seeds import Pair
from cr5.systems.maps.search import (
    CHANCE,
    Mapped,
    about_mean,
    apply_map,
    best_of,
    unit,
)

if TYPE_CHECKING:
    from cr5.fitting.contract import Fit, TrainingSet
    from cr5.models.contract import Model

NUMERAL = re.compile("[0-9]+")


@dataclass(frozen=True)
class Space:
    """The words of one language that have a vector, most frequent first."""

    language: str
    words: list[str]
    rows: np.ndarray  # of the vocabulary
    vectors: np.ndarray  # n x d float32, unit rows
    lengths: np.ndarray | None = None  # that they had; None for ones

    @property
    def own(self) -> np.ndarray:
        """The vectors with their lengths, n x d."""
        return self.scaled(self.vectors)

    def scaled(self, rows: np.ndarray) -> np.ndarray:
        """Give rows of the words, such as mapped ones, the lengths of the vectors."""
        return rows if self.lengths is None else rows * self.lengths[:, None]

    def mapped(self, W: np.ndarray) -> np.ndarray:
        """The vectors times W, scaled to unit length."""
        return apply_map(self.vectors, W)


class OntoPivot(System):
    """Word vectors of each language, mapped onto those of one or of every other language."""

    own: ClassVar[bool] = False  # whether vectors keep their own lengths
    both_sides: ClassVar[bool] = False  # whether the target's space is changed too
    needs = ("vectors",)

    pivot: Language | None = None
    """The language onto which others are mapped; null: English, or else the first."""
    directed: bool = False
    """Whether each language is mapped onto every other one instead."""
    centre: bool = False
    """Whether the mean of all vectors is subtracted first."""

    def fit(self, training: TrainingSet) -> Fit:
        """Map the languages onto the pivot, or each onto every other.

        The report is by pair of languages, source-target.
        """
        from cr5.fitting.contract import Fit

        languages = training.languages
        if self.changes_target(*languages) and len(languages) > 2:
            raise LeftOutError(
                f"this system changes the space of both languages, so that {', '.join(languages)} "
                "do not meet in one: fit it in a setting of kind pairwise."
            )
        spaces = {x: space_of(training, x, self) for x in languages}
        dimensions = {x: space.vectors.shape[1] for x, space in spaces.items()}
        if len(set(dimensions.values())) > 1:
            raise UserError(f"word vectors: the languages differ in dimension ({dimensions})")
        pivots = languages if self.directed else [choose_pivot(languages, self.pivot)]
        pairs = [(s, t) for s, t in permutations(languages, 2) if t in pivots]
        mapped = {(s, t): self.map(spaces[s], spaces[t], training) for s, t in pairs}
        report = {
            f"{s}-{t}": {"words": len(spaces[s].words), **mapped[s, t].report} for s, t in pairs
        }
        warnings = [f"{x}: {said}" for x, y in report.items() for said in y.pop("warnings", [])]
        return Fit(_model(training, spaces, mapped), {"pairs": report, "warnings": warnings})

    def changes_target(self, *languages: str) -> bool:
        """Whether a map changes the target's space too: then three languages do not meet in one."""
        return self.both_sides

    def map(self, source: Space, target: Space, training: TrainingSet) -> Mapped:
        """Bring both spaces together, whatever pairs of languages were mapped before."""
        raise NotImplementedError


class Seeded(OntoPivot):
    """Maps fitted to pairs of words."""

    least: ClassVar[int | None] = None  # of pairs; None for as many as vectors have dimensions
    needs = ("vectors", "seeds")

    seeds: Literal["dictionary", "identical", "numerals", "dictionary_and_identical"] = "dictionary"
    """Word pairs to begin with: of `dictionary`, strings or numerals of both languages, or the
    former two."""

    def map(self, source: Space, target: Space, training: TrainingSet) -> Mapped:
        """Find the seed pairs, and map by them."""
        pairs = self.pairs(source, target, training)
        found = self.solve(source, target, source.own[pairs[:, 0]], target.own[pairs[:, 1]])
        return replace(found, report={"seed_pairs": len(pairs), **found.report})

    def pairs(self, source: Space, target: Space, training: TrainingSet) -> np.ndarray:
        """Find the seed pairs, p x 2 row numbers, without those that reveal a test answer.

        They are in the order of the dictionary, or of the source's words. LeftOutError: there are
        too few.
        """
        languages, found = (source.language, target.language), []
        if self.seeds.startswith("dictionary"):
            found += training.seeds.given(*languages, directed=self.directed)
        if self.seeds != "dictionary":
            known = {*target.words}
            same = (word for word in source.words if word in known)
            same = filter(NUMERAL.fullmatch, same) if self.seeds == "numerals" else same
            given = ((word, word) for word in same)
            found += training.seeds.allowed(given, *languages, directed=self.directed)
        pairs = rows_of(found, source.words, target.words)
        needed = source.vectors.shape[1] if self.least is None else self.least
        if len(pairs) < needed:
            raise LeftOutError(
                f"{source.language}-{target.language}: {len(pairs)} pairs of words (seeds: "
                f"{self.seeds}), but at least {needed} are needed: give a larger dictionary in "
                "this direction, or take other seeds"
            )
        return pairs

    def solve(self, source: Space, target: Space, X: np.ndarray, Y: np.ndarray) -> Mapped:
        """Bring both spaces together, by the vectors of paired words, p x d."""
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
        return best_of(self.begin(source, target, training.seed), source, target, self, CHANCE)

    def begin(self, source: Space, target: Space, seed: int) -> Iterator[np.ndarray]:
        """Find the maps, d x d float32, from which refinement begins."""
        raise NotImplementedError


def space_of(training: TrainingSet, language: str, system: OntoPivot) -> Space:
    """Select the words of a language that have a vector; LeftOutError if none has."""
    from cr5.base.rows import norms

    vectors, words = training.vectors[language], training.words[language]
    rows = np.flatnonzero(vectors.any(axis=1))
    if not len(rows):
        raise LeftOutError(
            f"word vectors of {language}: none of the {len(words)} words of the vocabulary has one"
        )
    found = vectors[rows].astype(np.float32)
    found = found if system.own else unit(found)  # what has no own length is centred as unit rows
    found = about_mean(found) if system.centre else found
    lengths = norms(found, "l2").astype(np.float32) if system.own else None
    found = unit(found) if system.own or system.centre else found
    return Space(language, [words[row] for row in rows], rows, found, lengths)


def _model(
    training: TrainingSet, spaces: Mapping[str, Space], mapped: Mapping[Pair, Mapped]
) -> Model:
    """Tables of all words, towards each language if there are several pivots; zeros without one."""
    from cr5.models.word_tables import WordTables

    tables = {x: {} for x in training.languages}
    for (s, t), found in mapped.items():
        of_target = spaces[t].vectors if found.target is None else found.target
        for x, rows in ((s, found.source), (t, of_target)):
            table = np.zeros((len(training.words[x]), rows.shape[1]), np.float32)
            table[spaces[x].rows] = spaces[x].scaled(rows)
            tables[x][t] = table
    frequency, pivots = training.term_frequency, {t for _, t in mapped}
    if len(pivots) > 1:
        return WordTables(training.words, tables, training.weights, term_frequency=frequency)
    [pivot] = pivots
    return training.model({x: tables[x][pivot] for x in training.languages})


def rows_of(pairs: Iterable[Pair], source: Sequence[str], target: Sequence[str]) -> np.ndarray:
    """Row numbers of the words of pairs, p x 2, without unknown words and duplicates."""
    sources, targets = ({word: row for row, word in enumerate(x)} for x in (source, target))
    known = [(sources[x], targets[y]) for x, y in pairs if x in sources and y in targets]
    return np.array(list(dict.fromkeys(known)), np.int64).reshape(-1, 2)
