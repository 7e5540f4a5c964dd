"""Word pairs that a system may start from."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

Pair = tuple[str, str]  # of languages
WordPair = tuple[str, str]  # a word and its translation


@dataclass(frozen=True)
class Seeds:
    """Word pairs of a training dictionary, and the words that tests ask for, which are no seeds.

    A model that is `directed` is used from its source to its target language alone: it may start
    from words that tests ask for in other directions.

    Attributes:
        pairs: the entries of the dictionary, by source and target language.
        asked: the query words of tests, in lower case, by query and target language.
    """

    pairs: Mapping[Pair, list[WordPair]] = field(default_factory=dict)
    asked: Mapping[Pair, frozenset[str]] = field(default_factory=dict)

    def pairs_between(self, source: str, target: str, *, directed: bool) -> list[WordPair]:
        """Return the allowed word pairs of the dictionary from source to target.

        Where this dictionary has no pairs and the model is not directed, the pairs of the opposite
        dictionary are returned, each the other way round.
        """
        pairs = self.pairs.get((source, target), [])
        if not (pairs or directed):
            opposite = self.pairs.get((target, source), [])
            pairs = [(translation, word) for word, translation in opposite]
        return self.allowed(pairs, source, target, directed=directed)

    def allowed(
        self, pairs: Iterable[WordPair], source: str, target: str, *, directed: bool
    ) -> list[WordPair]:
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
