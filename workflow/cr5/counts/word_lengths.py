"""Whether the words of a language look like words: those of unsegmented text are too long.

Mean lengths in characters, measured on Wikipedia's articles, FLORES-200, Tatoeba and XQuAD, of
words as `tokens` finds them, and of the same text without segmentation:

    Chinese, Japanese             1.6 to 1.9     7.5 to 10.7
    Thai, Lao, Khmer, Burmese     4.1 to 6.1    14.7 and more
    twelve with spaces            3.3 to 6.5
"""

from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

# How a word begins, and the mean length beyond which such strings are not words.
LIMITS = {
    r"^[\p{Han}\p{Hiragana}\p{Katakana}]": 4,
    r"^[\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]": 10,
    "^": 15,
}
SHARE = 0.25  # minimum share of all characters: names in other scripts make up less
SHOWN = 20  # characters of the example
ADVICE = (
    "is it text without spaces that was not cut into words? Name the language by its code (zh, "
    "ja, th, km, lo or my; variants such as zh_tw), or put spaces between the words"
)


@dataclass
class WordLengths:
    """Sums over the words of a language, added in batches.

    Attributes:
        tokens: number of tokens of each kind in `LIMITS`.
        characters: of these tokens.
        examples: for each kind, the most frequent word beyond the limit, and its frequency.
    """

    tokens: list[int] = field(default_factory=lambda: [0] * len(LIMITS))
    characters: list[int] = field(default_factory=lambda: [0] * len(LIMITS))
    examples: list[tuple[int, str]] = field(default_factory=lambda: [(0, "")] * len(LIMITS))

    def add(self, words: pa.Array | pa.ChunkedArray, frequencies: np.ndarray) -> None:
        """Add distinct words and their collection frequencies."""
        lengths = pc.utf8_length(words).to_numpy().astype(np.int64)
        for kind, (begin, limit) in enumerate(LIMITS.items()):
            chosen = pc.match_substring_regex(words, begin).to_numpy(zero_copy_only=False)
            its = np.where(chosen, frequencies, 0)
            self.tokens[kind] += int(its.sum())
            self.characters[kind] += int(its @ lengths)
            its[lengths <= limit] = 0
            if its.any():
                row = int(its.argmax())
                found = (int(its[row]), words[row].as_py())
                self.examples[kind] = max(self.examples[kind], found, key=lambda pair: pair[0])

    def warning(self, language: str) -> str:
        """Say what is wrong with the words and what to do; empty if they look right."""
        for kind, limit in enumerate(LIMITS.values()):
            tokens, characters = self.tokens[kind], self.characters[kind]
            if characters > max(limit * tokens, SHARE * self.characters[-1]):
                example = self.examples[kind][1]
                shown = example[:SHOWN] + "..." * (len(example) > SHOWN)
                return (
                    f"Language {language!r}: its words look wrong: {characters / tokens:.1f} "
                    f"characters on average, such as {shown!r}, where words of this script have "
                    f"fewer than {limit}; {ADVICE}"
                )
        return ""
