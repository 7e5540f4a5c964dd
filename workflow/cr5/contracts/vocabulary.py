"""The words that a model has, and what stands for words that it does not have."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from cr5.base.languages import folded

LENGTHS = (6, 5, 4)  # letters of beginnings that words are looked up by; the longest first


@dataclass(frozen=True)
class Fallbacks:
    """What stands for words that no training document has.

    A word counts as itself if a dictionary translates it, or else as its longest beginning here.
    """

    words: Sequence[str] = ()  # of a dictionary; none of them is a word of the model
    beginnings: Sequence[str] = ()  # the first letters of words, without accents

    def __len__(self) -> int:
        """Return the number of both."""
        return len(self.words) + len(self.beginnings)


NO_FALLBACKS = Fallbacks()


@dataclass(frozen=True)
class Vocabulary:
    """The columns of one language: words, then fallback words, then beginnings."""

    words: Sequence[str]
    fallbacks: Fallbacks = NO_FALLBACKS

    def __len__(self) -> int:
        """Return the number of columns."""
        return len(self.words) + len(self.fallbacks)

    @property
    def labels(self) -> list[str]:
        """What a reader is shown for each column; a beginning ends with three dots."""
        beginnings = [f"{letters}…" for letters in self.fallbacks.beginnings]
        return [*self.words, *self.fallbacks.words, *beginnings]

    def columns(self, words: Iterable[str]) -> list[int | None]:
        """Return the column in which each word counts, None if there is none."""
        if not len(self.fallbacks):
            return [self._of_words.get(word) for word in words]
        return [self._column(word) for word in words]

    def _column(self, word: str) -> int | None:
        """Return the column of a word, or else that of the first fallback that stands for it."""
        for columns in (self._of_words, self._of_fallback_words):
            if word in columns:
                return columns[word]
        letters = folded(word)
        for length in LENGTHS:
            if length <= len(letters) and letters[:length] in self._of_beginnings:
                return self._of_beginnings[letters[:length]]
        return None

    @cached_property
    def _of_words(self) -> dict[str, int]:
        return _numbered(self.words, 0)

    @cached_property
    def _of_fallback_words(self) -> dict[str, int]:
        return _numbered(self.fallbacks.words, len(self.words))

    @cached_property
    def _of_beginnings(self) -> dict[str, int]:
        return _numbered(self.fallbacks.beginnings, len(self.words) + len(self.fallbacks.words))


def _numbered(strings: Sequence[str], first: int) -> dict[str, int]:
    return {string: number for number, string in enumerate(strings, start=first)}
