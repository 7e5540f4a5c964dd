"""The spelling of words as a prior, treated the same in all languages.

Words that are spelt alike, in one language or in two, have features in common: beginnings, which
inflected forms and loans keep. N_l are words x features, the weight of a feature is ln of (words /
words that have it), and the features of a word have unit length together. As the prior of a
regression N_l gives similar vectors to words that are spelt alike.
"""

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, permutations
from typing import NamedTuple

import numpy as np
from scipy import sparse

from cr5.base.languages import folded
from cr5.base.rows import unit_rows
from cr5.contracts.seeds import Seeds
from cr5.contracts.training import TrainingSet
from cr5.contracts.vocabulary import NO_FALLBACKS, Fallbacks
from cr5.counts.columns import widened

LETTERS = (4, 5, 6)  # of a beginning
Words = Mapping[str, Sequence[str]]
Prior = dict[str, sparse.csr_matrix]


class DictionaryWord(NamedTuple):
    """A word of a dictionary and its language."""

    language: str
    word: str


@dataclass(frozen=True)
class FeatureTable:
    """The features of the words of all languages, in order, and their weights."""

    columns: dict[Hashable, int]  # of each feature
    incidences: Prior  # words x features: a one where a word has a feature
    n_words: np.ndarray  # that have the feature, in all languages
    weights: np.ndarray  # ln of (words / words that have the feature)


def prefixes(word: str) -> set[str]:
    """Return its first four, five and six letters, and the word itself: at most four strings."""
    word = folded(word)
    beginnings = {word[:length] for length in LETTERS if length <= len(word)}
    return beginnings | {word}


def spelt(words: Words) -> Prior:
    """Make N_l of the beginnings of words: words x features in alphabetical order, unit rows.

    A row is of zeros if every word has all features of the word.
    """
    return _weighted(_feature_table(_prefixes(words)))


def translations(words: Words, dictionary: Seeds, fallbacks: Mapping[str, Fallbacks]) -> Prior:
    """Make N_l of a dictionary, as `spelt` does of spelling: paired words have a feature in common.

    The feature of a pair is its word of the language that has more pairs, such as English. So words
    of two other languages have a feature in common if they have a translation in common. Fallbacks
    have rows behind those of the words; a beginning has no translation, and a row of zeros.
    """
    features_of_pairs = _features_of_pairs(words, dictionary)
    features = {}
    for language in sorted(words):
        of_language = fallbacks.get(language, NO_FALLBACKS)
        features[language] = [
            features_of_pairs.get(DictionaryWord(language, word), set())
            for word in (*words[language], *of_language.words)
        ]
        features[language] += [set() for _ in of_language.beginnings]
    return _weighted(_feature_table(features))


def _features_of_pairs(
    words: Words, dictionary: Seeds
) -> dict[DictionaryWord, set[DictionaryWord]]:
    """Return the features of each word that the dictionary pairs."""
    pairs = {frozenset(pair) for pair in _pairs(words, dictionary)}
    n_pairs = Counter(word.language for word in chain.from_iterable(pairs))

    def pairs_of_its_language(word: DictionaryWord) -> tuple[int, DictionaryWord]:
        return n_pairs[word.language], word

    features: dict[DictionaryWord, set[DictionaryWord]] = {}
    for pair in pairs:
        feature = max(pair, key=pairs_of_its_language)
        for word in pair:
            features.setdefault(word, set()).add(feature)
    return features


def joined(prior: Prior, dictionary: Prior, share: float) -> Prior:
    """Join features of spelling and of a dictionary, the latter's weight a share of gamma."""
    if not share:
        return prior
    features = {}
    for language, N in prior.items():
        scaled = dictionary[language] * np.sqrt(share)
        features[language] = sparse.hstack([N, scaled], "csr")
    return features


def with_unknown_words(
    training: TrainingSet, prior: Prior, dictionary: Seeds
) -> tuple[TrainingSet, Prior]:
    """Let columns follow for words that no training document has; see `unknown`."""
    fallbacks, rows_of_fallbacks = unknown(training.words, dictionary)
    features = {}
    weights = {}
    extended_prior = {}
    for language, words in training.words.items():
        n_fallbacks = len(fallbacks[language])
        features[language] = widened(training.features[language], len(words) + n_fallbacks)
        idf = training.weights[language]
        idf_of_fallbacks = np.full(n_fallbacks, idf.max())
        weights[language] = np.append(idf, idf_of_fallbacks)
    for language, N in prior.items():
        extended_prior[language] = sparse.vstack([N, rows_of_fallbacks[language]], "csr")
    extended = replace(training, features=features, weights=weights, fallbacks=fallbacks)
    return extended, extended_prior


def unknown(words: Words, dictionary: Seeds) -> tuple[dict[str, Fallbacks], Prior]:
    """Make rows of N_l for words that no training document has.

    These are the words of a dictionary, and all others by their beginnings: the prefixes up to some
    length are known from two words or more, while the whole word is as good as new. All words with
    the same known prefixes have the same row.

    Returns per language the dictionary's other words, and the known prefixes, each in alphabetical
    order; and for each of both a row of the features of `spelt`, which together with the weight of
    a new word has unit length.
    """
    table = _feature_table(_prefixes(words))
    paired_words: dict[str, set[str]] = {language: set() for language in words}
    for entry in chain.from_iterable(_pairs(words, dictionary)):
        paired_words[entry.language].add(entry.word)
    weight_of_new_word = np.log(_n_words(words))
    fallbacks = {}
    rows = {}
    for language in table.incidences:
        new_words = sorted(paired_words[language].difference(words[language]))
        beginnings = _known_beginnings(table, language)
        fallbacks[language] = Fallbacks(new_words, beginnings)
        rows[language] = _rows_of_unknown(new_words + beginnings, table, weight_of_new_word)
    return fallbacks, rows


def _known_beginnings(table: FeatureTable, language: str) -> list[str]:
    """Return the beginnings of two words or more, at least one of them in the language."""
    is_in_language = table.incidences[language].getnnz(axis=0) > 0
    is_known = (table.n_words > 1) & is_in_language
    return [
        feature
        for feature, column in table.columns.items()
        if is_known[column] and len(feature) in LETTERS
    ]


def _rows_of_unknown(
    words: Iterable[str], table: FeatureTable, weight_of_new_word: float
) -> sparse.csr_matrix:
    """Return the rows of N_l of new words, of which only known features are columns."""
    known_features = [sorted(prefixes(word) & table.columns.keys()) for word in words]
    known = _incidence(known_features, table.columns) @ sparse.diags(table.weights)
    squares = np.asarray(known.power(2).sum(axis=1)).ravel()
    lengths = np.sqrt(squares + weight_of_new_word**2)
    return (sparse.diags(1 / lengths) @ known).tocsr()


def _pairs(
    languages: Iterable[str], dictionary: Seeds
) -> Iterator[tuple[DictionaryWord, DictionaryWord]]:
    """Yield the dictionary's pairs of words, of each two languages in both directions."""
    for source, target in permutations(sorted(languages), 2):
        for word, translation in dictionary.pairs_between(source, target, directed=False):
            yield DictionaryWord(source, word), DictionaryWord(target, translation)


def _prefixes(words: Words) -> dict[str, list[set[str]]]:
    features = {}
    for language in sorted(words):
        features[language] = [prefixes(word) for word in words[language]]
    return features


def _n_words(words: Mapping[str, Sequence]) -> int:
    return sum(len(words_of_language) for words_of_language in words.values())


def _feature_table(features: Mapping[str, Sequence[Collection]]) -> FeatureTable:
    """Number the features, find out which words have them, and weigh them."""
    distinct = set()
    for features_of_words in features.values():
        distinct.update(chain.from_iterable(features_of_words))
    columns = {feature: column for column, feature in enumerate(sorted(distinct))}
    incidences = {}
    n_words = np.zeros(len(columns), np.int64)
    for language, features_of_words in features.items():
        incidences[language] = _incidence(map(sorted, features_of_words), columns)
        n_words += incidences[language].getnnz(axis=0)
    weights = np.log(_n_words(features) / n_words)
    return FeatureTable(columns, incidences, n_words, weights)


def _weighted(table: FeatureTable) -> Prior:
    """Return the weights of each word's features as a row of unit length."""
    weights = sparse.diags(table.weights)
    prior = {}
    for language, incidence in table.incidences.items():
        prior[language] = unit_rows((incidence @ weights).tocsr())
    return prior


def _incidence(features: Iterable[Sequence], columns: Mapping[Hashable, int]) -> sparse.csr_matrix:
    """Return words x features: a one in the column of each feature of a word."""
    indices: list[int] = []
    indptr = [0]
    for features_of_word in features:
        indices.extend(columns[feature] for feature in features_of_word)
        indptr.append(len(indices))
    ones = np.ones(len(indices))
    shape = (len(indptr) - 1, len(columns))
    return sparse.csr_matrix((ones, np.array(indices, np.int32), indptr), shape)
