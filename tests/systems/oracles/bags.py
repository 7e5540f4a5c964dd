"""Documents as bags of words: what oracles share, then matches of words."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any

import numpy as np
import pandas as pd
from scipy import linalg
from sklearn.decomposition import TruncatedSVD
from sklearn.preprocessing import normalize

from tests.kit.inside import Plain

Options = Mapping[str, Any]
Similarities = dict[tuple[str, str], np.ndarray]
Arrays = dict[str, np.ndarray]  # by language

ORACLES: dict[str, Callable[[Plain, Options], Similarities]] = {}


def oracle(*names: str):
    """Keep a function as the oracle of systems."""

    def keep(function):
        ORACLES.update(dict.fromkeys(names, function))
        return function

    return keep


def idf(counts: np.ndarray) -> np.ndarray:
    """ln(n / d_j) + 1, where d_j is at least one."""
    n = len(counts)
    d = (counts > 0).sum(axis=0)
    return np.log(n / np.maximum(d, 1)) + 1


def tfidf(data: Plain, which: str = "every") -> Arrays:
    """Unit rows of ln(1 + f) idf, of all documents or those that train."""
    rows = getattr(data, which)
    weighted = {}
    for language in data.languages:
        logarithms = np.log1p(rows[language])
        weighted[language] = normalize(logarithms * idf(data.counts[language]))
    return weighted


def products(data: Plain, vectors: Arrays) -> Similarities:
    """Cosines of the documents of two languages."""
    units = {language: normalize(rows) for language, rows in vectors.items()}
    cosines = {}
    for source, target in permutations(data.languages, 2):
        cosines[source, target] = units[source] @ units[target].T
    return cosines


def by_tables(data: Plain, tables: Arrays, rows: Arrays | None = None) -> Similarities:
    """Cosines of documents as sums of the vectors of their words."""
    rows = rows or tfidf(data)
    return products(data, {language: rows[language] @ tables[language] for language in rows})


def stacked(data: Plain, parts: Mapping[str, np.ndarray]) -> np.ndarray:
    return np.concatenate([parts[language] for language in data.languages])


def cut(data: Plain, rows: np.ndarray) -> Arrays:
    """Rows of the words of all languages, by language."""
    n_words = [len(data.words[language]) for language in data.languages]
    parts = np.split(rows, np.cumsum(n_words)[:-1])
    return dict(zip(data.languages, parts, strict=True))


def leading(rows: np.ndarray, n: int) -> np.ndarray:
    """The first right singular vectors, as columns."""
    svd = TruncatedSVD(n, algorithm="arpack", random_state=0)
    return svd.fit(rows).components_.T


def strings(data: Plain, key: Callable[[str], str] = str) -> Arrays:
    """Words x distinct strings: a one where the word, or what is made of it, is the string."""
    strings_of_words = {}
    distinct = set()
    for language, words in data.words.items():
        strings_of_language = [key(word) for word in words]
        distinct.update(strings_of_language)
        strings_of_words[language] = np.array(strings_of_language)
    columns_of_strings = np.array(sorted(distinct))
    matrices = {}
    for language, strings_of_language in strings_of_words.items():
        is_string = strings_of_language[:, None] == columns_of_strings
        matrices[language] = is_string.astype(float)
    return matrices


@dataclass(frozen=True)
class Columns:
    """The columns of Platt et al. (2010): words x columns, and the weights of words."""

    places: Arrays
    weights: Arrays


def columns(data: Plain, options: Options, merged: bool = True) -> Columns:
    """Columns without the most frequent ones.

    Strings of all languages are one column, or one each: then each language has a list of its own.
    """
    if merged:
        return listed(data, options, data.languages)
    weights = {}
    blocks = []
    for language in data.languages:
        own_columns = listed(data, options, [language])
        weights |= own_columns.weights
        blocks.append(own_columns.places[language])
    return Columns(cut(data, linalg.block_diag(*blocks)), weights)


def listed(data: Plain, options: Options, languages: Sequence[str]) -> Columns:
    """One list of columns, of the words of some languages; weights are log2(n / d_j)."""
    places = strings(data)
    counts = np.vstack([data.counts[language] @ places[language] for language in languages])
    frequency = counts.sum(axis=0)
    order = np.argsort(-frequency, kind="stable")
    order = order[frequency[order] > 0]
    not_skipped = order[options.get("skip_words", 50) :]
    chosen = not_skipped[: options.get("max_words")]
    n = sum(len(rows) for rows in data.counts.values())
    d = (counts[:, chosen] > 0).sum(axis=0)
    weights_of_columns = np.log2(n / d)
    chosen_places = {}
    weights = {}
    for language in languages:
        chosen_places[language] = places[language][:, chosen]
        weights[language] = chosen_places[language] @ weights_of_columns
    return Columns(chosen_places, weights)


def bits(data: Plain, options: Options, merged: bool, which: str) -> Arrays:
    """Rows of log2(1 + f) log2(n / d_j) in these columns."""
    chosen = columns(data, options, merged)
    weighted = {}
    for language, counts in getattr(data, which).items():
        logarithms = np.log2(1 + counts) * chosen.weights[language]
        weighted[language] = logarithms @ chosen.places[language]
        if options.get("unit_rows"):
            weighted[language] = normalize(weighted[language])
    return weighted


# Matches of strings, and of words that tables translate.


@oracle("lexical_overlap")
def lexical_overlap(data, options):
    if options.get("paper_weights"):
        return products(data, bits(data, options, True, "every"))
    return by_tables(data, strings(data))


def beginnings(data: Plain, letters: int) -> Arrays:
    """Documents x beginnings: sums of sqrt(count), weighed by -ln of the largest share."""

    def beginning(word):
        return word[:letters]

    tables = strings(data, beginning)
    shares = []
    for language, counts in data.counts.items():
        has_beginning = (counts @ tables[language]) > 0
        n_having = has_beginning.sum(axis=0)
        shares.append((n_having + 0.5) / (len(counts) + 1))
    weights = -np.log(np.max(shares, axis=0))
    weighted = {}
    for language, counts in data.every.items():
        weighted[language] = np.sqrt(counts) @ tables[language] * weights
    return weighted


@oracle("prefix_overlap")
def prefix_overlap(data, options):
    return products(data, beginnings(data, options.get("letters", 5)))


def matches(data: Plain) -> Similarities:
    """Words x words: a one for the same string."""
    places = strings(data)
    same_strings = {}
    for source, target in permutations(data.languages, 2):
        same_strings[source, target] = places[source] @ places[target].T
    return same_strings


def translations(data: Plain) -> Similarities:
    """Words x words, the probabilities of the files; a word without any may stand for itself."""
    tables = {}
    for (source, target), same in matches(data).items():
        path = data.folder / f"{source}-{target}.tsv"
        entries = pd.read_csv(path, sep="\t", names=["source", "target", "p"])
        wide = entries.pivot_table(index="source", columns="target", values="p")
        wide = wide.reindex(index=data.words[source], columns=data.words[target])
        P = wide.fillna(0).to_numpy()
        has_none = ~P.any(axis=1, keepdims=True)
        tables[source, target] = P + same * has_none
    return tables


@oracle("bm25_translated")
def bm25_translated(data, options):
    return bm25(data, options, translations(data))


@oracle("bm25")
def bm25(data, options, tables=None):
    """Saturated queries, translated, against saturated documents; idf and means of what trains."""
    k1 = options["k1"]
    b = options["b"]
    rows = {}
    weighted = {}
    for language, trained in data.counts.items():
        counts = data.every[language]
        n = len(trained)
        lengths = counts.sum(axis=1, keepdims=True)
        mean_length = trained.sum() / n
        norms = k1 * (1 - b + b * lengths / mean_length)
        rows[language] = counts * (k1 + 1) / (counts + norms)
        d = (trained > 0).sum(axis=0)
        idf_of_words = np.log(1 + (n - d + 0.5) / (d + 0.5))
        weighted[language] = rows[language] * idf_of_words
    scores = {}
    for (source, target), P in (tables or matches(data)).items():
        scores[source, target] = rows[source] @ P @ weighted[target].T
    return scores


@oracle("word_by_word")
def word_by_word(data, options):
    """Queries in the words of the documents, or both in those of a language that is asked for."""
    weights = columns(data, options, merged=False).weights
    tables = translations(data)
    for language, words in data.words.items():
        tables[language, language] = np.eye(len(words))

    def translated(language, into):
        rows = np.log1p(data.every[language]) * weights[language]
        has_weight = weights[into] > 0
        words = rows @ tables[language, into] * has_weight
        if options.get("via") != "lsa":
            return normalize(words)
        trained = np.log1p(data.counts[into]) * weights[into]
        V = leading(trained, options["dimensions"])
        return normalize(words @ V)

    cosines = {}
    for source, target in permutations(data.languages, 2):
        into = options.get("into") or target
        cosines[source, target] = translated(source, into) @ translated(target, into).T
    return cosines
