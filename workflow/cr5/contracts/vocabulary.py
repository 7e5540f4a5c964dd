"""The words that a model has, and what stands for words that it does not have."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat

from cr5.base.languages import folded

NO_COLUMN = -1  # of a word that counts nowhere
BEGINNING_LENGTHS = (6, 5, 4)  # in letters, in the order in which they are looked up


@dataclass(frozen=True)
class Fallbacks:
    """What stands for words that no training document has.

    Such a word is counted in the column of the word itself if it is in `words`, or else in that of
    its longest beginning in `beginnings`.
    """

    words: Sequence[str] = ()  # that a dictionary translates; none is a word of the model
    beginnings: Sequence[str] = ()  # the first letters of words, without accents

    def __len__(self) -> int:
        """Return the number of words and beginnings together."""
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

    def columns(self, words: Iterable[str]) -> list[int]:
        """Return the column in which each word counts, `NO_COLUMN` if there is none."""
        if not len(self.fallbacks):
            return list(map(self._column_of_word.get, words, repeat(NO_COLUMN)))
        return [self._column(word) for word in words]

    def _column(self, word: str) -> int:
        """Return the column of a word, or else that of the first fallback that stands for it."""
        for columns in (self._column_of_word, self._column_of_fallback_word):
            if word in columns:
                return columns[word]
        letters = folded(word)
        for length in BEGINNING_LENGTHS:
            if length <= len(letters) and letters[:length] in self._column_of_beginning:
                return self._column_of_beginning[letters[:length]]
        return NO_COLUMN

    @cached_property
    def _column_of_word(self) -> dict[str, int]:
        return _column_by_string(self.words, 0)

    @cached_property
    def _column_of_fallback_word(self) -> dict[str, int]:
        return _column_by_string(self.fallbacks.words, len(self.words))

    @cached_property
    def _column_of_beginning(self) -> dict[str, int]:
        first = len(self.words) + len(self.fallbacks.words)
        return _column_by_string(self.fallbacks.beginnings, first)


def _column_by_string(strings: Sequence[str], first: int) -> dict[str, int]:
    """Number the strings by their columns, which follow one another from `first` on."""
    return {string: column for column, string in enumerate(strings, start=first)}
