"""Matches of strings and of words that tables translate."""

from itertools import permutations

import numpy as np
import pandas as pd

from tests.kit.inside import Plain
from tests.systems.oracles.rows import (
    Arrays,
    Similarities,
    bits,
    by_tables,
    columns,
    leading,
    oracle,
    products,
    strings,
)


@oracle("lexical_overlap")
def lexical_overlap(data, o):
    if o.get("paper_weights"):
        rows = bits(data, o, True, "every")
        return products(data, lambda x, _: rows[x])
    return by_tables(data, strings(data))


def beginnings(data: Plain, letters: int) -> Arrays:
    """Documents x beginnings: sums of sqrt(count), weighed by -ln of the largest share."""
    table = strings(data, lambda word: word[:letters])
    having = [((data.counts[x] @ table[x]) > 0) for x in data.languages]
    shares = np.max([(h.sum(axis=0) + 0.5) / (len(h) + 1) for h in having], axis=0)
    return {x: np.sqrt(data.every[x]) @ table[x] * -np.log(shares) for x in data.languages}


@oracle("prefix_overlap")
def prefix_overlap(data, o):
    rows = beginnings(data, o.get("letters", 5))
    return products(data, lambda x, _: rows[x])


def matches(data: Plain) -> Similarities:
    """Words x words: a one for the same string."""
    own = strings(data)
    return {(a, b): own[a] @ own[b].T for a, b in permutations(data.languages, 2)}


def translations(data: Plain) -> Similarities:
    """Words x words, the probabilities of the files; a word without any may stand for itself."""
    same, found = matches(data), {}
    for a, b in same:
        names = ["source", "target", "p"]
        read = pd.read_csv(data.folder / f"{a}-{b}.tsv", sep="\t", names=names)
        wide = read.pivot_table(index="source", columns="target", values="p")
        P = wide.reindex(index=data.words[a], columns=data.words[b]).fillna(0).to_numpy()
        found[a, b] = P + same[a, b] * ~P.any(axis=1)[:, None]
    return found


@oracle("bm25_translated")
def bm25_translated(data, o):
    return bm25(data, o, translations(data))


@oracle("bm25")
def bm25(data, o, tables=None):
    """Saturated queries, translated, against saturated documents; idf and means of what trains."""
    tables = tables or matches(data)
    rows, idfs = {}, {}
    for x, trained in data.counts.items():
        c, mean, d = data.every[x], trained.sum() / len(trained), (trained > 0).sum(axis=0)
        n = c.sum(axis=1, keepdims=True)
        rows[x] = c * (o["k1"] + 1) / (c + o["k1"] * (1 - o["b"] + o["b"] * n / mean))
        idfs[x] = np.log(1 + (len(trained) - d + 0.5) / (d + 0.5))
    return {(a, b): rows[a] @ P * idfs[b] @ rows[b].T for (a, b), P in tables.items()}


@oracle("word_by_word")
def word_by_word(data, o):
    weights = columns(data, o, merged=False)[1]
    rows = {x: np.log1p(data.every[x]) * weights[x] for x in data.languages}
    tables = translations(data)
    tables |= {(x, x): np.eye(len(data.words[x])) for x in data.languages}
    axes = dict.fromkeys(data.languages, 1.0)
    if o.get("via") == "lsa":
        trained = {x: np.log1p(data.counts[x]) * weights[x] for x in data.languages}
        axes = {x: leading(trained[x], o["dimensions"]) for x in data.languages}
    kept = {x: (weights[x] > 0) * 1.0 for x in data.languages}

    def translated(a, b):
        b = o.get("into") or b
        return np.dot(rows[a] @ tables[a, b] * kept[b], axes[b])

    return products(data, translated)
