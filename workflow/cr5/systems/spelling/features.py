"""N_l: words by features of their spelling, which all languages share.

Words that are spelt alike, in one language or in two, have features in common: beginnings, which
inflected forms and loans keep, or character n-grams. The weight of a feature is ln of (words /
words that have it), and the features of a word have unit length together. As the prior of a
regression (`cr5.systems.reduced_rank`) N_l gives similar vectors to words that are spelt alike.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
from scipy import sparse

from cr5.base.rows import unit_rows
from cr5.systems.spelling.scripts import folded

PREFIXES = (4, 5, 6)  # letters
NGRAMS = (3, 4, 5)


def prefixes(word: str) -> set[str]:
    """Its first four, five and six letters, and the word itself: at most four strings."""
    word = folded(word)
    return {word, *(word[:n] for n in PREFIXES if n <= len(word))}


def ngrams(word: str) -> set[str]:
    """Runs of three to five characters of <word>: 21 for a word of eight letters."""
    marked = f"<{folded(word)}>"
    return {marked[i : i + n] for n in NGRAMS for i in range(len(marked) - n + 1)}


KINDS: dict[str, Callable[[str], set[str]]] = {"prefixes": prefixes, "ngrams": ngrams}


def features(words: Mapping[str, Sequence[str]], kind: str) -> dict[str, sparse.csr_matrix]:
    """Make N_l.

    Args:
        words: per language.
        kind: of `KINDS`.

    Returns:
        Per language words x features, float64, rows of unit length, or of zeros if every word has
        all features of a word. Features are in alphabetical order, words in the given order.
    """
    of_word = {x: [sorted(KINDS[kind](word)) for word in words[x]] for x in sorted(words)}
    strings = sorted({string for each in of_word.values() for found in each for string in found})
    numbers = {string: i for i, string in enumerate(strings)}
    ones = {x: _incidence(each, numbers) for x, each in of_word.items()}
    having = sum(np.bincount(N.indices, minlength=len(strings)) for N in ones.values())
    weights = np.log(sum(map(len, words.values())) / having)
    return {x: unit_rows((N @ sparse.diags(weights)).tocsr()) for x, N in ones.items()}


def _incidence(found: Iterable[Sequence[str]], numbers: Mapping[str, int]) -> sparse.csr_matrix:
    columns = [[numbers[string] for string in strings] for strings in found]
    indptr = np.cumsum([0, *map(len, columns)])
    indices = np.array([column for each in columns for column in each], np.int32)
    return sparse.csr_matrix((np.ones(len(indices)), indices, indptr), (len(columns), len(numbers)))
