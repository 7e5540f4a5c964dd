"""N_l: words by features of their spelling, which all languages share.

Words that are spelt alike, in one language or in two, have features in common: beginnings, which
inflected forms and loans keep, or character n-grams. The weight of a feature is ln of (words /
words that have it), and the features of a word have unit length together. As the prior of a
regression (`cr5.systems.reduced_rank`) N_l gives similar vectors to words that are spelt alike.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
from scipy import sparse

from cr5.base.folding import folded
from cr5.base.rows import unit_rows

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
    _, ones, weights = _counted(words, kind)
    return {x: unit_rows((N @ sparse.diags(weights)).tocsr()) for x, N in ones.items()}


def unknown(
    words: Mapping[str, Sequence[str]],
) -> tuple[dict[str, list[str]], dict[str, sparse.csr_matrix]]:
    """Make rows of N_l for words that no training document has.

    Of such a word the prefixes up to some length are known from two words or more, while the whole
    word is as good as new. All words with the same known prefixes have the same row.

    Args:
        words: per language.

    Returns:
        Per language the longest known prefixes, as its own words have them, in alphabetical order;
        and for each a row of the features of `features` with `prefixes`, which together with the
        weight of a new word has unit length.
    """
    numbers, ones, weights = _counted(words, "prefixes")
    having = sum(N.getnnz(axis=0) for N in ones.values())
    new = np.log(sum(map(len, words.values())))
    begins, rows = {}, {}
    for x, N in ones.items():
        shared = (having > 1) & (N.getnnz(axis=0) > 0)
        begins[x] = [each for each, i in numbers.items() if shared[i] and len(each) in PREFIXES]
        of_each = [[each[:n] for n in PREFIXES if n <= len(each)] for each in begins[x]]
        known = _incidence(of_each, numbers) @ sparse.diags(weights)
        lengths = np.sqrt(np.asarray(known.power(2).sum(axis=1)).ravel() + new**2)
        rows[x] = (sparse.diags(1 / lengths) @ known).tocsr()
    return begins, rows


def _counted(
    words: Mapping[str, Sequence[str]], kind: str
) -> tuple[dict[str, int], dict[str, sparse.csr_matrix], np.ndarray]:
    """Features by number, which words have them, and their weights."""
    of_word = {x: [sorted(KINDS[kind](word)) for word in words[x]] for x in sorted(words)}
    strings = sorted({string for each in of_word.values() for found in each for string in found})
    numbers = {string: i for i, string in enumerate(strings)}
    ones = {x: _incidence(each, numbers) for x, each in of_word.items()}
    having = sum(np.bincount(N.indices, minlength=len(strings)) for N in ones.values())
    return numbers, ones, np.log(sum(map(len, words.values())) / having)


def _incidence(found: Iterable[Sequence[str]], numbers: Mapping[str, int]) -> sparse.csr_matrix:
    columns = [[numbers[string] for string in strings] for strings in found]
    indptr = np.cumsum([0, *map(len, columns)])
    indices = np.array([column for each in columns for column in each], np.int32)
    return sparse.csr_matrix((np.ones(len(indices)), indices, indptr), (len(columns), len(numbers)))
