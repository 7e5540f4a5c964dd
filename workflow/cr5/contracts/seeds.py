"""Word pairs that a system may start from."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

Pair = tuple[str, str]


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
        """Return the words of a language that any test asks for.

        Those of a test of another direction, too: two maps could combine what each has learnt.
        """
        words: set[str] = set()
        for (source, _), words_of_pair in self.asked.items():
            if source == language:
                words |= words_of_pair
        return frozenset(words)
