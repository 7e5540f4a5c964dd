"""N_l: words by features of their spelling, or of a dictionary, which all languages share.

Words that are spelt alike, in one language or in two, have features in common: beginnings, which
inflected forms and loans keep, or character n-grams. The weight of a feature is ln of (words /
words that have it), and the features of a word have unit length together. As the prior of a
regression (`cr5.systems.reduced_rank`) N_l gives similar vectors to words that are spelt alike.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import permutations

import numpy as np
from scipy import sparse

from cr5.base.folding import folded
from cr5.base.rows import unit_rows
from cr5.counts.columns import beginning, untrained
from cr5.counts.tokens import SOFT_HYPHEN
from cr5.fitting.seeds import Seeds

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
    return _weighted(_spelt(words, kind))


def translations(
    words: Mapping[str, Sequence[str]], dictionary: Seeds
) -> dict[str, sparse.csr_matrix]:
    """Make features of words from a dictionary: words that it pairs have one in common.

    The feature of a pair is its word of the language that has more pairs, such as English. So words
    of two other languages have a feature in common if they have a translation in common.

    Args:
        words: per language; entries for words that did not train (`counts.columns`) are those.
        dictionary: pairs of words.

    Returns:
        As `features`; the row of a word that is not in the dictionary is zero.
    """
    pairs = set(map(frozenset, _pairs(words, dictionary)))
    n_pairs = Counter(language for pair in pairs for language, _ in pair)
    related: dict[tuple[str, str], set] = {}
    for pair in pairs:
        common = max(pair, key=lambda word: (n_pairs[word[0]], word))
        for each in pair:
            related.setdefault(each, set()).add(common)
    as_given = {x: [word.removesuffix(SOFT_HYPHEN) for word in words[x]] for x in sorted(words)}
    return _weighted({x: [related.get((x, w), set()) for w in as_given[x]] for x in as_given})


def unknown(
    words: Mapping[str, Sequence[str]], dictionary: Seeds
) -> tuple[dict[str, list[str]], dict[str, sparse.csr_matrix]]:
    """Make rows of N_l for words that no training document has.

    These are the words of a dictionary, and all others by their beginnings: the prefixes up to some
    length are known from two words or more, while the whole word is as good as new. All words with
    the same known prefixes have the same row.

    Args:
        words: per language.
        dictionary: pairs of words.

    Returns:
        Per language entries (`counts.columns`) for the dictionary's other words, then for the
        longest known prefixes, as its own words have them, each in alphabetical order; and for each
        entry a row of the features of `features` with `prefixes`, which together with the weight of
        a new word has unit length.
    """
    numbers, ones, weights = _counted(_spelt(words, "prefixes"))
    having = sum(N.getnnz(axis=0) for N in ones.values())
    new = np.log(sum(map(len, words.values())))
    paired = {word for pair in _pairs(words, dictionary) for word in pair}
    entries, rows = {}, {}
    for x, N in ones.items():
        shared = (having > 1) & (N.getnnz(axis=0) > 0)
        single = sorted({word for y, word in paired if y == x}.difference(words[x]))
        begins = [each for each, i in numbers.items() if shared[i] and len(each) in PREFIXES]
        of_each = [sorted(prefixes(each) & numbers.keys()) for each in [*single, *begins]]
        known = _incidence(of_each, numbers) @ sparse.diags(weights)
        lengths = np.sqrt(np.asarray(known.power(2).sum(axis=1)).ravel() + new**2)
        rows[x] = (sparse.diags(1 / lengths) @ known).tocsr()
        entries[x] = [*map(untrained, single), *map(beginning, begins)]
    return entries, rows


def _pairs(languages: Iterable[str], dictionary: Seeds) -> Iterator[tuple]:
    """The dictionary's pairs, of languages and words."""
    for source, target in permutations(sorted(languages), 2):
        for word, translation in dictionary.given(source, target, directed=False):
            yield (source, word), (target, translation)


def _spelt(words: Mapping[str, Sequence[str]], kind: str) -> dict[str, list[set[str]]]:
    """Features of each word's spelling."""
    return {x: [KINDS[kind](word) for word in words[x]] for x in sorted(words)}


def _weighted(of_words: Mapping[str, Sequence[Collection]]) -> dict[str, sparse.csr_matrix]:
    _, ones, weights = _counted(of_words)
    return {x: unit_rows((N @ sparse.diags(weights)).tocsr()) for x, N in ones.items()}


def _counted(
    of_words: Mapping[str, Sequence[Collection]],
) -> tuple[dict, dict[str, sparse.csr_matrix], np.ndarray]:
    """Features by number, which words have them, and their weights."""
    every = sorted({each for found in of_words.values() for of_word in found for each in of_word})
    numbers = {each: i for i, each in enumerate(every)}
    ones = {x: _incidence(map(sorted, found), numbers) for x, found in of_words.items()}
    having = sum(np.bincount(N.indices, minlength=len(every)) for N in ones.values())
    return numbers, ones, np.log(sum(map(len, of_words.values())) / having)


def _incidence(found: Iterable[Sequence], numbers: Mapping) -> sparse.csr_matrix:
    columns = [[numbers[each] for each in of_word] for of_word in found]
    indptr = np.cumsum([0, *map(len, columns)])
    indices = np.array([column for each in columns for column in each], np.int32)
    return sparse.csr_matrix((np.ones(len(indices)), indices, indptr), (len(columns), len(numbers)))
