"""The word spaces of languages, pairs of their words, and a model of them once they are mapped.

Either each language is mapped onto one pivot language, where all meet. Or, if `directed`, each
language is mapped onto every other one, using only the data of that direction, as papers on word
translation fit and test.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np

from cr5.base.errors import LeftOutError, UserError
from cr5.base.languages import base_language
from cr5.base.rows import norms, unit_rows
from cr5.fitting.contract import Fit, TrainingSet
from cr5.fitting.seeds import Pair, Seeds
from cr5.models.contract import Model
from cr5.models.word_tables import WordTables
from cr5.systems.maps.search import about_mean, apply_map, centred

if TYPE_CHECKING:
    from cr5.systems.maps.family import OntoPivot
    from cr5.systems.maps.search import Mapped

NUMERAL = re.compile("[0-9]+")


@dataclass(frozen=True)
class Space:
    """The words of one language that have a vector, most frequent first.

    Their `rows` are those in the vocabulary. Vectors are n x d float32, unit rows; `lengths` are
    those that they had, None for ones.
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

    def mapped(self, W: np.ndarray) -> np.ndarray:
        """The vectors times W, scaled to unit length."""
        return apply_map(self.vectors, W)


def space_of(training: TrainingSet, language: str, system: OntoPivot) -> Space:
    """Select the words of a language that have a vector.

    Raises LeftOutError: no word of the vocabulary has one.
    """
    vectors, words = training.vectors[language], training.words[language]
    rows = np.flatnonzero(vectors.any(axis=1))
    if not len(rows):
        raise LeftOutError(
            f"word vectors of {language}: none of the {len(words)} words of the vocabulary has one"
        )
    given = directions(vectors[rows].astype(np.float32), system)
    return Space(language, [words[row] for row in rows], rows, *given)


def directions(rows: np.ndarray, system: OntoPivot) -> tuple[np.ndarray, np.ndarray | None]:
    """The vectors and the lengths of a `Space`; what has no own length is centred as unit rows."""
    if not system.own:
        rows = unit_rows(rows)
        return (centred(rows) if system.centre else rows), None
    rows = about_mean(rows) if system.centre else rows
    return unit_rows(rows), norms(rows, "l2").astype(np.float32)


def choose_pivot(languages: Sequence[str], wanted: str | None) -> str:
    """The pivot asked for; by default English, or else the first language.

    Raises UserError: it is not among the languages.
    """
    if wanted is None:
        english = [x for x in languages if base_language(x) == "en"]
        return "en" if "en" in english else (english or languages)[0]
    if wanted not in languages:
        raise UserError(
            f"option pivot: {wanted!r} is not a language of this setting "
            f"({', '.join(languages)}); choose one of them, or null."
        )
    return wanted


def fit_mapped(training: TrainingSet, system: OntoPivot, *, both_sides: bool) -> Fit:
    """Map the languages onto the pivot, or each onto every other.

    `both_sides` says whether the target's space is also changed. In the model words without a
    vector have rows of zeros; the report is by pair of languages, source-target. Nothing is
    validated, as in every fit without a choice.

    Raises LeftOutError: the target's space is also changed, and there are more than two languages;
    or a language has no vectors. UserError: the languages' vectors differ in length.
    """
    languages = training.languages
    if both_sides and len(languages) > 2:
        raise LeftOutError(
            f"this system changes the space of both languages, so that {', '.join(languages)} do "
            "not meet in one: fit it in a setting of kind pairwise."
        )
    spaces = {x: space_of(training, x, system) for x in languages}
    dimensions = {x: space.vectors.shape[1] for x, space in spaces.items()}
    if len(set(dimensions.values())) > 1:
        raise UserError(f"word vectors: the languages differ in dimension ({dimensions})")
    pivots = languages if system.directed else [choose_pivot(languages, system.pivot)]
    pairs = [(s, t) for s, t in permutations(languages, 2) if t in pivots]
    mapped = {(s, t): system.map(spaces[s], spaces[t], training) for s, t in pairs}
    report = {f"{s}-{t}": {"words": len(spaces[s].words), **mapped[s, t].report} for s, t in pairs}
    warnings = [f"{x}: {said}" for x, y in report.items() for said in y.pop("warnings", [])]
    return Fit(_model(training, spaces, mapped), {"pairs": report, "warnings": warnings})


def _model(
    training: TrainingSet, spaces: Mapping[str, Space], mapped: Mapping[Pair, Mapped]
) -> Model:
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


def seed_pairs(
    kind: str, source: Space, target: Space, seeds: Seeds | None, *, directed: bool
) -> np.ndarray:
    """The pairs of one kind without those that reveal a test answer, p x 2 row numbers.

    Identical strings (Smith et al. 2017), numerals (Artetxe et al. 2017), which are identical
    strings of digits, a dictionary, or dictionary and identical strings (Joulin et al. 2018); in
    the order of the source's words, or of the dictionary. `directed`: the map is for this direction
    alone, see `Seeds`.
    """
    languages, seeds, found = (source.language, target.language), seeds or Seeds(), []
    if kind.startswith("dictionary"):
        found += seeds.given(*languages, directed=directed)
    if kind != "dictionary":
        same = identical(source.words, target.words)
        if kind == "numerals":
            same = (pair for pair in same if NUMERAL.fullmatch(pair[0]))
        found += seeds.allowed(same, *languages, directed=directed)
    return rows_of(found, source.words, target.words)


def identical(source: Sequence[str], target: Sequence[str]) -> Iterator[Pair]:
    """Pair strings of both lists."""
    known = set(target)
    return ((word, word) for word in source if word in known)


def rows_of(pairs: Iterable[Pair], source: Sequence[str], target: Sequence[str]) -> np.ndarray:
    """Row numbers of the words of pairs, p x 2, without unknown words and duplicates."""
    sources, targets = ({word: row for row, word in enumerate(x)} for x in (source, target))
    known = [(sources[x], targets[y]) for x, y in pairs if x in sources and y in targets]
    return np.array(list(dict.fromkeys(known)), np.int64).reshape(-1, 2)
