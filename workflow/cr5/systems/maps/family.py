"""What systems that map word vectors have in common: pairs of words, starts, the model at the end.

Either each language is mapped onto one pivot language, where all meet. Or, if `directed`, each
language is mapped onto every other one, using only the data of that direction, as papers on word
translation fit and test. Light, as plans read it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import permutations
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np
from pydantic import PositiveInt

from cr5.base.errors import LeftOutError, UserError
from cr5.contracts.keys import Language
from cr5.contracts.system import System
from cr5.fitting.pivot import choose_pivot
from cr5.fitting.seeds import Pair
from cr5.systems.maps.refinement import RANDOM_ROTATIONS, Refined, best_of
from cr5.systems.maps.spaces import Mapped, Space, space_of

if TYPE_CHECKING:
    from cr5.contracts.model import Model
    from cr5.contracts.seeds import Seeds
    from cr5.contracts.training import Fit, TrainingSet

NUMERAL = re.compile("[0-9]+")


class OntoPivot(System):
    """Word vectors of each language, mapped onto those of one or of every other language."""

    keeps_lengths: ClassVar[bool] = False  # whether vectors keep their own lengths
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
        from cr5.contracts.training import Fit

        languages = training.languages
        if self.changes_target(*languages) and len(languages) > 2:
            raise LeftOutError(
                f"this system changes the space of both languages, so that {', '.join(languages)} "
                "do not meet in one: fit it in a setting of kind pairwise."
            )
        spaces = self._spaces(training)
        all_mapped = {}
        for source, target in self._directions(languages):
            all_mapped[source, target] = self.map(spaces[source], spaces[target], training)
        return Fit(_model(training, spaces, all_mapped), _report(spaces, all_mapped))

    def _spaces(self, training: TrainingSet) -> dict[str, Space]:
        """Return the word space of each language; UserError if they differ in dimension."""
        spaces = {}
        for language in training.languages:
            spaces[language] = space_of(
                training, language, keep_lengths=self.keeps_lengths, centre=self.centre
            )
        dimensions = {language: space.vectors.shape[1] for language, space in spaces.items()}
        if len(set(dimensions.values())) > 1:
            raise UserError(f"word vectors: the languages differ in dimension ({dimensions})")
        return spaces

    def _directions(self, languages: Sequence[str]) -> list[Pair]:
        """Return the pairs of languages, source and target, of which each has a map."""
        pivots = languages if self.directed else [choose_pivot(languages, self.pivot)]
        return [pair for pair in permutations(languages, 2) if pair[1] in pivots]

    def changes_target(self, *languages: str) -> bool:
        """Whether a map changes the target's space too: then three languages do not meet in one."""
        return self.both_sides

    def map(self, source: Space, target: Space, training: TrainingSet) -> Mapped:
        """Bring both spaces together, whatever pairs of languages were mapped before."""
        raise NotImplementedError


class Seeded(OntoPivot):
    """Maps fitted to pairs of words."""

    min_pairs: ClassVar[int | None] = None  # None for as many as vectors have dimensions
    needs = ("vectors", "seeds")

    seeds: Literal["dictionary", "identical", "numerals", "dictionary_and_identical"] = "dictionary"
    """Word pairs to begin with: of `dictionary`, strings or numerals of both languages, or the
    former two."""

    def map(self, source: Space, target: Space, training: TrainingSet) -> Mapped:
        """Find the seed pairs, and map by them."""
        pairs = self.pairs(source, target, training)
        X = source.full_vectors[pairs[:, 0]]
        Y = target.full_vectors[pairs[:, 1]]
        mapped = self.solve(source, target, X, Y)
        return replace(mapped, report={"seed_pairs": len(pairs)} | mapped.report)

    def pairs(self, source: Space, target: Space, training: TrainingSet) -> np.ndarray:
        """Find the seed pairs, p x 2 row numbers, without those that reveal a test answer.

        They are in the order of the dictionary, or of the source's words. LeftOutError: there are
        too few.
        """
        word_pairs = self._word_pairs(source, target, training.seeds)
        pairs = rows_of(word_pairs, source.words, target.words)
        min_pairs = self.min_pairs
        if min_pairs is None:
            min_pairs = source.vectors.shape[1]
        if len(pairs) < min_pairs:
            raise LeftOutError(
                f"{source.language}-{target.language}: {len(pairs)} pairs of words (seeds: "
                f"{self.seeds}), but at least {min_pairs} are needed: give a larger dictionary in "
                "this direction, or take other seeds"
            )
        return pairs

    def _word_pairs(self, source: Space, target: Space, seeds: Seeds) -> list[Pair]:
        """Return the pairs of the dictionary, then those of the same string."""
        word_pairs = []
        if self.seeds.startswith("dictionary"):
            word_pairs += seeds.pairs_between(
                source.language, target.language, directed=self.directed
            )
        if self.seeds != "dictionary":
            identical = ((word, word) for word in self._shared_words(source, target))
            word_pairs += seeds.allowed(
                identical, source.language, target.language, directed=self.directed
            )
        return word_pairs

    def _shared_words(self, source: Space, target: Space) -> Iterator[str]:
        """Yield the words, or the numerals, that both languages have."""
        target_words = set(target.words)
        for word in source.words:
            if word in target_words and (self.seeds != "numerals" or NUMERAL.fullmatch(word)):
                yield word

    def solve(self, source: Space, target: Space, X: np.ndarray, Y: np.ndarray) -> Mapped:
        """Bring both spaces together, by the vectors of paired words, p x d."""
        raise NotImplementedError


class Started(Refined, OntoPivot):
    """Maps found from several starts without any pair of words."""

    starts: PositiveInt = 3
    """Independent ones, each refined; the unsupervised criterion chooses."""

    def map(self, source: Space, target: Space, training: TrainingSet) -> Mapped:
        """Keep the best of the starts, and say how many were better than chance."""
        starts = self.begin(source, target, training.seed)
        return best_of(starts, source, target, self, RANDOM_ROTATIONS)

    def begin(self, source: Space, target: Space, seed: int) -> Iterator[np.ndarray]:
        """Find the maps, d x d float32, from which refinement begins."""
        raise NotImplementedError


def _report(spaces: Mapping[str, Space], all_mapped: Mapping[Pair, Mapped]) -> dict[str, object]:
    """Report on each pair of languages, and gather the warnings of all."""
    pairs = {}
    warnings = []
    for (source, target), mapped in all_mapped.items():
        name = f"{source}-{target}"
        pairs[name] = {"words": len(spaces[source].words)} | mapped.report
        pair_warnings = pairs[name].pop("warnings", [])
        warnings += [f"{name}: {warning}" for warning in pair_warnings]
    return {"pairs": pairs, "warnings": warnings}


def _model(
    training: TrainingSet, spaces: Mapping[str, Space], all_mapped: Mapping[Pair, Mapped]
) -> Model:
    """Make tables of all words, towards each language if there are several pivots."""
    from cr5.models.word_tables import WordTables

    tables = {language: {} for language in training.languages}
    for (source, target), mapped in all_mapped.items():
        target_rows = spaces[target].vectors if mapped.target is None else mapped.target
        tables[source][target] = _table(training, spaces[source], mapped.source)
        tables[target][target] = _table(training, spaces[target], target_rows)
    pivots = {target for _, target in all_mapped}
    if len(pivots) > 1:
        return WordTables(
            training.words, tables, training.weights, term_frequency=training.term_frequency
        )
    [pivot] = pivots
    return WordTables.of(
        training, {language: tables[language][pivot] for language in training.languages}
    )


def _table(training: TrainingSet, space: Space, rows: np.ndarray) -> np.ndarray:
    """Return a row for each word of the vocabulary: zeros for one without a vector."""
    n_words = len(training.words[space.language])
    table = np.zeros((n_words, rows.shape[1]), np.float32)
    table[space.rows] = space.lengthened(rows)
    return table


def rows_of(pairs: Iterable[Pair], source: Sequence[str], target: Sequence[str]) -> np.ndarray:
    """Return row numbers of the words of pairs, p x 2, without unknown words and duplicates."""
    source_rows = {word: row for row, word in enumerate(source)}
    target_rows = {word: row for row, word in enumerate(target)}
    row_pairs = {}  # a dictionary has its keys once, and in order
    for word, translation in pairs:
        if word in source_rows and translation in target_rows:
            row_pairs[source_rows[word], target_rows[translation]] = None
    return np.array(list(row_pairs), np.int64).reshape(-1, 2)
