"""Documents as bags of words: what oracles share, then matches, concepts and projections."""

from collections.abc import Callable, Mapping
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


# Matches of strings, and of words that tables translate.


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


# Documents of the same concepts: explicit semantic analysis, and Cr5 with what grew from it.


def of_concepts(data: Plain, rows: Arrays, x: str) -> np.ndarray:
    """Concepts x columns: sums of the rows of each concept's documents."""
    n = 1 + max(each.max() for each in data.concepts.values())
    return np.eye(n)[:, data.concepts[x]] @ rows[x]


@oracle("cl_esa")
def cl_esa(data, o):
    rows = {x: of_concepts(data, tfidf(data, "counts"), x) for x in data.languages}
    shared = np.all([rows[x].any(axis=1) for x in data.languages], axis=0)
    tables = {x: normalize(rows[x][shared]).T for x in data.languages}
    if o["keep"]:
        ranks = {x: (-T).argsort(axis=1, kind="stable").argsort(axis=1) for x, T in tables.items()}
        tables = {x: np.where(ranks[x] < o["keep"], T, 0) for x, T in tables.items()}
    return by_tables(data, tables)


@oracle("cr5")
def cr5(data, o):
    """Equations 12 and 14 with plain inverses, and orthonormal columns for Eq. 15."""
    W, _ = regression(data, o, stacked_words(data, o))
    rank = o.get("ranks") or o["rank"]
    return by_tables(data, cut(data, linalg.orth(W[:, :rank])))


def stacked_words(data: Plain, o: Options) -> np.ndarray:
    """Documents of all languages x words of all languages."""
    return linalg.block_diag(*tfidf(data, "counts").values())


def regression(data: Plain, o: Options, X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Phi' (columns by falling eigenvalue) and the eigenvalues, of centred X and concepts."""
    concepts = stacked(data, data.concepts)
    Y = np.eye(concepts.max() + 1)[concepts]
    X, Y = X - X.mean(axis=0), Y - Y.mean(axis=0)
    A = X.T @ Y
    coefficients = np.linalg.inv(X.T @ X + o["ridges"] * np.eye(X.shape[1])) @ A
    mu, P = np.linalg.eigh(A.T @ coefficients)
    return coefficients @ P[:, ::-1], mu[::-1]


def with_prior(data: Plain, o: Options, N: np.ndarray) -> Similarities:
    """Cr5 on [X, sqrt(gamma) X N] / sqrt(1 + gamma), scaled by eigenvalues; and the means."""
    gamma, X = o.get("gammas", 1.0), stacked_words(data, o)
    Z = np.hstack([X, np.sqrt(gamma) * X @ N]) / np.sqrt(1 + gamma)
    Phi, mu = regression(data, o, Z)
    Phi = Phi[:, : o["ranks"]] * mu[: o["ranks"]]
    W = (Phi[: len(N)] + np.sqrt(gamma) * N @ Phi[len(N) :]) / np.sqrt(1 + gamma)
    T, rows, trained = cut(data, W), tfidf(data), tfidf(data, "counts")
    means = {x: o["shift"] * (trained[x] @ T[x]).mean(axis=0) for x in data.languages}
    return products(data, lambda x, _: rows[x] @ T[x] + means[x])


@oracle("cr5_spelling")
def cr5_spelling(data, o):
    learned = with_prior(data, o, spelling(data, o))
    beta, alike = o.get("string_weights", 0), prefix_overlap(data, {})
    return {pair: (found + beta * alike[pair]) / (1 + beta) for pair, found in learned.items()}


def spelling(data: Plain, o: Options) -> np.ndarray:
    """Words of all languages x beginnings of 4, 5, 6 letters and words, weighed by ln (n / d_j)."""
    words = [word for x in data.languages for word in data.words[x]]
    having = [{word, *(word[:n] for n in (4, 5, 6) if n <= len(word))} for word in words]
    every = sorted(set().union(*having))
    N = np.array([[feature in found for feature in every] for found in having], float)
    return normalize(N * np.log(len(N) / N.sum(axis=0)))


# Projections: closed forms by dense eigenvectors.


@oracle("cl_lsi")
def cl_lsi(data, o):
    merged = o.get("merged", True)
    places, weights = columns(data, o, merged)
    sums = sum(of_concepts(data, data.counts, x) @ places[x] for x in data.languages)
    of_columns = np.max([(weights[x][:, None] * places[x]).max(axis=0) for x in weights], axis=0)
    V = leading(np.log2(1 + sums) * of_columns, o["dimensions"])
    return by_tables(data, dict.fromkeys(data.languages, V), bits(data, o, merged, "every"))


@oracle("sogaard")
def sogaard(data, o):
    """Words as unit rows over concepts, reduced: vectors of words are U S."""
    places, weights = columns(data, o, merged=False)
    sums = {x: np.log2(1 + of_concepts(data, data.counts, x)) for x in data.languages}
    words = normalize(sum(sums[x] * weights[x] @ places[x] for x in data.languages).T)
    vectors = TruncatedSVD(o["dimensions"], algorithm="arpack", random_state=0).fit_transform(words)
    rows = bits(data, o, False, "every")
    return by_tables(data, dict.fromkeys(data.languages, vectors), rows)


@oracle("opca")
def opca(data, o):
    """Equations 9 to 11, with documents that may be missing."""
    merged = o.get("merged", True)
    trained = bits(data, o, merged, "counts")
    Z, concept = stacked(data, trained), stacked(data, data.concepts)
    n = len(set(concept))
    S = sum(len(z) / n * np.cov(z, rowvar=False, bias=True) for z in trained.values())
    apart = Z - np.array([Z[concept == c].mean(axis=0) for c in concept])
    return of_pencil(data, o, S, apart.T @ apart / n, bits(data, o, merged, "every"))


@oracle("document_cca")
def document_cca(data, o):
    """Equations 12 and 13: covariances between languages, relative to those within."""
    trained = bits(data, o, False, "counts")
    n = len(set(stacked(data, data.concepts)))
    centred = {x: z - z.mean(axis=0) for x, z in trained.items()}
    sums = {x: of_concepts(data, centred, x) for x in data.languages}
    S = sum(sums[a].T @ sums[b] for a, b in permutations(data.languages, 2)) / n
    N = sum(z.T @ z for z in centred.values()) / n
    return of_pencil(data, o, S, N, bits(data, o, False, "every"))


def of_pencil(data: Plain, o: Options, S, N, rows: Arrays) -> Similarities:
    V = linalg.eigh(S, N + o["gammas"] * np.eye(len(N)))[1][:, ::-1][:, : o["dimensions"]]
    return by_tables(data, dict.fromkeys(data.languages, V), rows)
