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
        found = self.pairs.get((source, target), [])
        if not (found or directed):
            found = [(word, x) for x, word in self.pairs.get((target, source), [])]
        return self.allowed(found, source, target, directed=directed)

    def allowed(
        self, pairs: Iterable[Pair], source: str, target: str, *, directed: bool
    ) -> list[Pair]:
        """Return the pairs that do not reveal a test answer."""
        if directed:
            asked, back = self.asked.get((source, target), frozenset()), frozenset()
        else:
            asked, back = self._asked_in(source), self._asked_in(target)
        return [(w, x) for w, x in pairs if w.lower() not in asked and x.lower() not in back]

    def _asked_in(self, language: str) -> frozenset[str]:
        """Words of a language that any test asks for: two maps could combine what each learnt."""
        found = (words for (source, _), words in self.asked.items() if source == language)
        return frozenset().union(*found)


def seeds_of(dictionary: "pd.DataFrame | None", tested: "Iterable[pd.DataFrame]") -> Seeds:
    """Gather the entries (query, target, word, translation) of a dictionary and of tests."""
    asked: dict[Pair, frozenset[str]] = {}
    for entries in tested:
        for pair, words in entries.groupby(DIRECTION):
            asked[pair] = asked.get(pair, frozenset()) | frozenset(words["word"].str.lower())
    found = {} if dictionary is None else dict(iter(dictionary.groupby(DIRECTION)))
    columns = ["word", "translation"]
    pairs = {
        pair: list(each[columns].itertuples(index=False, name=None)) for pair, each in found.items()
    }
    return Seeds(pairs, asked)
