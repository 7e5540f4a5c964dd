"""The spelling of words as a prior, treated the same in all languages.

Words that are spelt alike, in one language or in two, have features in common: beginnings, which
inflected forms and loans keep. N_l are words x features, the weight of a feature is ln of (words /
words that have it), and the features of a word have unit length together. As the prior of a
regression N_l gives similar vectors to words that are spelt alike.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import permutations

import numpy as np
from scipy import sparse

from cr5.base.languages import folded
from cr5.base.rows import unit_rows
from cr5.counts.columns import SOFT_HYPHEN, beginning, untrained, widened
from cr5.fitting.contract import TrainingSet
from cr5.fitting.seeds import Seeds

LETTERS = (4, 5, 6)  # of a beginning
Words = Mapping[str, Sequence[str]]
Prior = dict[str, sparse.csr_matrix]


def prefixes(word: str) -> set[str]:
    """Its first four, five and six letters, and the word itself: at most four strings."""
    word = folded(word)
    return {word, *(word[:n] for n in LETTERS if n <= len(word))}


def spelt(words: Words) -> Prior:
    """N_l of the beginnings of words, words x features, in alphabetical order, rows of unit length.

    A row is of zeros if every word has all features of the word.
    """
    return _weighted(_prefixes(words))


def translations(words: Words, dictionary: Seeds) -> Prior:
    """As `spelt`, features of words from a dictionary: words that it pairs have one in common.

    The feature of a pair is its word of the language that has more pairs, such as English. So words
    of two other languages have a feature in common if they have a translation in common. Entries
    for words that did not train (`counts.columns`) are those words.
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


def joined(prior: Prior, dictionary: Prior, share: float) -> Prior:
    """Features of spelling and of a dictionary, with the latter's weight as a share of gamma."""
    if not share:
        return prior
    found = {x: [N, dictionary[x] * np.sqrt(share)] for x, N in prior.items()}
    return {x: sparse.hstack(each, "csr") for x, each in found.items()}


def with_unknown_words(
    training: TrainingSet, prior: Prior, dictionary: Seeds
) -> tuple[TrainingSet, Prior]:
    """Let the words end with entries for words that no training document has; see `unknown`."""
    entries, rows = unknown(training.words, dictionary)
    words = {x: [*each, *entries[x]] for x, each in training.words.items()}
    rare = {x: [max(each)] * len(entries[x]) for x, each in training.weights.items()}
    known_and_not = replace(
        training,
        words=words,
        features={x: widened(each, len(words[x])) for x, each in training.features.items()},
        weights={x: np.append(each, rare[x]) for x, each in training.weights.items()},
    )
    return known_and_not, {x: sparse.vstack([N, rows[x]], "csr") for x, N in prior.items()}


def unknown(words: Words, dictionary: Seeds) -> tuple[dict[str, list[str]], Prior]:
    """Make rows of N_l for words that no training document has.

    These are the words of a dictionary, and all others by their beginnings: the prefixes up to some
    length are known from two words or more, while the whole word is as good as new. All words with
    the same known prefixes have the same row.

    Returns per language entries (`counts.columns`) for the dictionary's other words, then for the
    longest known prefixes, each in alphabetical order; and for each entry a row of the features of
    `spelt`, which together with the weight of a new word has unit length.
    """
    numbers, ones, weights = _counted(_prefixes(words))
    having = sum(N.getnnz(axis=0) for N in ones.values())
    new = np.log(sum(map(len, words.values())))
    paired = {word for pair in _pairs(words, dictionary) for word in pair}
    entries, rows = {}, {}
    for x, N in ones.items():
        shared = (having > 1) & (N.getnnz(axis=0) > 0)
        single = sorted({word for y, word in paired if y == x}.difference(words[x]))
        begins = [each for each, i in numbers.items() if shared[i] and len(each) in LETTERS]
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


def _prefixes(words: Words) -> dict[str, list[set[str]]]:
    return {x: [prefixes(word) for word in words[x]] for x in sorted(words)}


def _weighted(of_words: Mapping[str, Sequence[Collection]]) -> Prior:
    _, ones, weights = _counted(of_words)
    return {x: unit_rows((N @ sparse.diags(weights)).tocsr()) for x, N in ones.items()}


def _counted(of_words: Mapping[str, Sequence[Collection]]) -> tuple[dict, Prior, np.ndarray]:
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
