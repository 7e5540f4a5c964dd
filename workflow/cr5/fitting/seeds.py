"""Word pairs to learn mappings from, without any that a test asks for."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the plan imports this section, and should not wait for pandas
    import pandas as pd

Pair = tuple[str, str]
DIRECTION = ["query", "target"]
DICTIONARY = "dictionary"  # section of the configuration: the pairs to learn from


@dataclass(frozen=True)
class Seeds:
    """The entries of a training dictionary, by directed pair of languages.

    If a model is `directed`, used from source to target alone, words that tests ask for in other
    directions are allowed.
    """

    pairs: Mapping[Pair, list[Pair]] = field(default_factory=dict)
    asked: Mapping[Pair, frozenset[str]] = field(default_factory=dict)  # in lower case

    def given(self, source: str, target: str, *, directed: bool) -> list[Pair]:
        """Return the pairs of a dictionary; not directed, those of the other one may do as well."""
        pairs = self.pairs.get((source, target), [])
        if not (pairs or directed):
            opposite = self.pairs.get((target, source), [])
            pairs = [(translation, word) for word, translation in opposite]
        return self.allowed(pairs, source, target, directed=directed)

    def allowed(
        self, pairs: Iterable[Pair], source: str, target: str, *, directed: bool
    ) -> list[Pair]:
        """Return the pairs that do not reveal a test answer."""
        if directed:
            source_words = self.asked.get((source, target), frozenset())
            target_words = frozenset()
        else:
            source_words = self._asked_in(source)
            target_words = self._asked_in(target)
        return [
            (word, translation)
            for word, translation in pairs
            if word.lower() not in source_words and translation.lower() not in target_words
        ]

    def _asked_in(self, language: str) -> frozenset[str]:
        """Words of a language that any test asks for: two maps could combine what each learnt."""
        of_language = [words for (source, _), words in self.asked.items() if source == language]
        return frozenset().union(*of_language)


def seeds_of(dictionary: "pd.DataFrame | None", tested: "Iterable[pd.DataFrame]") -> Seeds:
    """Gather the entries (query, target, word, translation) of a dictionary and of tests."""
    asked: dict[Pair, frozenset[str]] = {}
    for entries in tested:
        for direction, of_direction in entries.groupby(DIRECTION):
            words = frozenset(of_direction["word"].str.lower())
            asked[direction] = asked.get(direction, frozenset()) | words
    pairs: dict[Pair, list[Pair]] = {}
    if dictionary is not None:
        for direction, of_direction in dictionary.groupby(DIRECTION):
            columns = of_direction[["word", "translation"]]
            pairs[direction] = list(columns.itertuples(index=False, name=None))
    return Seeds(pairs, asked)
