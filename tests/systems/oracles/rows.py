"""What oracles share: the register of them, documents as rows, strings as columns."""

from collections.abc import Callable, Mapping
from itertools import permutations
from typing import Any

import numpy as np
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
    return np.log(len(counts) / np.maximum((counts > 0).sum(axis=0), 1)) + 1


def tfidf(data: Plain, which: str = "every") -> Arrays:
    """Unit rows of ln(1 + f) idf, of all documents or those that train."""
    rows = getattr(data, which)
    return {x: normalize(np.log1p(rows[x]) * idf(data.counts[x])) for x in data.languages}


def products(data: Plain, rows: Callable[[str, str], np.ndarray]) -> Similarities:
    """Cosines of what a function makes of the documents of a language, towards another one."""
    return {
        (a, b): normalize(rows(a, b)) @ normalize(rows(b, b)).T
        for a, b in permutations(data.languages, 2)
    }


def by_tables(data: Plain, tables: Arrays, rows: Arrays | None = None) -> Similarities:
    """Cosines of documents as sums of the vectors of their words."""
    found = rows or tfidf(data)
    return products(data, lambda x, _: found[x] @ tables[x])


def stacked(data: Plain, parts: Mapping[str, np.ndarray]) -> np.ndarray:
    return np.concatenate([parts[x] for x in data.languages])


def cut(data: Plain, rows: np.ndarray) -> Arrays:
    """Rows of the words of all languages, by language."""
    ends = np.cumsum([len(data.words[x]) for x in data.languages])
    return dict(zip(data.languages, np.split(rows, ends[:-1]), strict=True))


def leading(rows: np.ndarray, n: int) -> np.ndarray:
    """The first right singular vectors, as columns."""
    return TruncatedSVD(n, algorithm="arpack", random_state=0).fit(rows).components_.T


def strings(data: Plain, key: Callable[[str], str] = str) -> Arrays:
    """Words x distinct strings: a one where the word, or what is made of it, is the string."""
    every = sorted({key(word) for words in data.words.values() for word in words})
    return {
        x: (np.array([key(word) for word in words])[:, None] == np.array(every)) * 1.0
        for x, words in data.words.items()
    }


def columns(data: Plain, o: Options, merged: bool = True) -> tuple[Arrays, Arrays]:
    """Of Platt et al. (2010): words x columns without the most frequent ones; weights of words.

    Strings of all languages are one column, or one each: then each language has a list of its own.
    """
    places = strings(data)
    groups = [data.languages] if merged else [[x] for x in data.languages]
    n = sum(map(len, data.counts.values()))
    chosen, weights = {}, {}
    for number, group in enumerate(groups):
        counts = np.vstack([data.counts[x] @ places[x] for x in group])
        frequency = counts.sum(axis=0)
        order = np.argsort(-frequency, kind="stable")
        there = order[frequency[order] > 0][o.get("skip_words", 50) :][: o.get("max_words")]
        bits = np.log2(n / (counts[:, there] > 0).sum(axis=0))
        for x in group:
            own = places[x][:, there]
            chosen[x], weights[x] = (number, own), own @ bits
    widths = {number: own.shape[1] for number, own in chosen.values()}
    spread = {
        x: np.hstack([own if i == number else np.zeros((len(own), w)) for i, w in widths.items()])
        for x, (number, own) in chosen.items()
    }
    return spread, weights


def bits(data: Plain, o: Options, merged: bool, which: str) -> Arrays:
    """Rows of log2(1 + f) log2(n / d_j) in these columns."""
    places, weights = columns(data, o, merged)
    rows = getattr(data, which)
    found = {x: np.log2(1 + rows[x]) * weights[x] @ places[x] for x in data.languages}
    return {x: normalize(z) for x, z in found.items()} if o.get("unit_rows") else found
