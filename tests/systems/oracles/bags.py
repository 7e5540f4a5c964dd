"""Documents as bags of words: what oracles share, then matches, concepts and projections."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, permutations
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
    weighted = {}
    for language in data.languages:
        logarithms = np.log1p(rows[language])
        weighted[language] = normalize(logarithms * idf(data.counts[language]))
    return weighted


def products(data: Plain, vectors: Arrays) -> Similarities:
    """Cosines of the documents of two languages."""
    units = {language: normalize(rows) for language, rows in vectors.items()}
    pairs = permutations(data.languages, 2)
    return {(source, target): units[source] @ units[target].T for source, target in pairs}


def by_tables(data: Plain, tables: Arrays, rows: Arrays | None = None) -> Similarities:
    """Cosines of documents as sums of the vectors of their words."""
    rows = rows or tfidf(data)
    return products(data, {language: rows[language] @ tables[language] for language in rows})


def stacked(data: Plain, parts: Mapping[str, np.ndarray]) -> np.ndarray:
    return np.concatenate([parts[language] for language in data.languages])


def cut(data: Plain, rows: np.ndarray) -> Arrays:
    """Rows of the words of all languages, by language."""
    ends = np.cumsum([len(data.words[language]) for language in data.languages])
    return dict(zip(data.languages, np.split(rows, ends[:-1]), strict=True))


def leading(rows: np.ndarray, n: int) -> np.ndarray:
    """The first right singular vectors, as columns."""
    return TruncatedSVD(n, algorithm="arpack", random_state=0).fit(rows).components_.T


def strings(data: Plain, key: Callable[[str], str] = str) -> Arrays:
    """Words x distinct strings: a one where the word, or what is made of it, is the string."""
    keys = {language: [key(word) for word in words] for language, words in data.words.items()}
    distinct = np.array(sorted(set().union(*keys.values())))
    return {language: 1.0 * (np.array(own)[:, None] == distinct) for language, own in keys.items()}


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
    lists = [listed(data, options, [language]) for language in data.languages]
    weights = {}
    for group in lists:
        weights |= group.weights
    blocks = [stacked_places for group in lists for stacked_places in group.places.values()]
    return Columns(cut(data, linalg.block_diag(*blocks)), weights)


def listed(data: Plain, options: Options, languages: Sequence[str]) -> Columns:
    """One list of columns, of the words of some languages; weights are log2(n / d_j)."""
    places = strings(data)
    counts = np.vstack([data.counts[language] @ places[language] for language in languages])
    frequency = counts.sum(axis=0)
    order = np.argsort(-frequency, kind="stable")
    order = order[frequency[order] > 0]
    chosen = order[options.get("skip_words", 50) :][: options.get("max_words")]
    n_documents = sum(len(rows) for rows in data.counts.values())
    bits = np.log2(n_documents / (counts[:, chosen] > 0).sum(axis=0))
    selected = {language: places[language][:, chosen] for language in languages}
    return Columns(selected, {language: rows @ bits for language, rows in selected.items()})


def bits(data: Plain, options: Options, merged: bool, which: str) -> Arrays:
    """Rows of log2(1 + f) log2(n / d_j) in these columns."""
    chosen = columns(data, options, merged)
    weighted = {}
    for language, counts in getattr(data, which).items():
        logarithms = np.log2(1 + counts) * chosen.weights[language]
        rows = logarithms @ chosen.places[language]
        weighted[language] = normalize(rows) if options.get("unit_rows") else rows
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
        n_having = ((counts @ tables[language]) > 0).sum(axis=0)
        shares.append((n_having + 0.5) / (len(counts) + 1))
    weights = -np.log(np.max(shares, axis=0))
    rows = data.every
    return {language: np.sqrt(rows[language]) @ tables[language] * weights for language in rows}


@oracle("prefix_overlap")
def prefix_overlap(data, options):
    return products(data, beginnings(data, options.get("letters", 5)))


def matches(data: Plain) -> Similarities:
    """Words x words: a one for the same string."""
    places = strings(data)
    pairs = permutations(data.languages, 2)
    return {(source, target): places[source] @ places[target].T for source, target in pairs}


def translations(data: Plain) -> Similarities:
    """Words x words, the probabilities of the files; a word without any may stand for itself."""
    tables = {}
    for (source, target), same in matches(data).items():
        path = data.folder / f"{source}-{target}.tsv"
        entries = pd.read_csv(path, sep="\t", names=["source", "target", "p"])
        wide = entries.pivot_table(index="source", columns="target", values="p")
        wide = wide.reindex(index=data.words[source], columns=data.words[target])
        P = wide.fillna(0).to_numpy()
        tables[source, target] = P + same * ~P.any(axis=1)[:, None]
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
        share = counts.sum(axis=1, keepdims=True) / (trained.sum() / len(trained))
        rows[language] = counts * (k1 + 1) / (counts + k1 * (1 - b + b * share))
        d = (trained > 0).sum(axis=0)
        idf_of_words = np.log(1 + (len(trained) - d + 0.5) / (d + 0.5))
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
        words = rows @ tables[language, into] * (weights[into] > 0)
        if options.get("via") != "lsa":
            return normalize(words)
        trained = np.log1p(data.counts[into]) * weights[into]
        return normalize(words @ leading(trained, options["dimensions"]))

    cosines = {}
    for source, target in permutations(data.languages, 2):
        into = options.get("into") or target
        cosines[source, target] = translated(source, into) @ translated(target, into).T
    return cosines


# Documents of the same concepts: explicit semantic analysis, and Cr5 with what grew from it.


def of_concepts(data: Plain, rows: Arrays, language: str) -> np.ndarray:
    """Concepts x columns: sums of the rows of each concept's documents."""
    n_concepts = 1 + stacked(data, data.concepts).max()
    return np.eye(n_concepts)[:, data.concepts[language]] @ rows[language]


@oracle("cl_esa")
def cl_esa(data, options):
    trained = tfidf(data, "counts")
    rows = {language: of_concepts(data, trained, language) for language in data.languages}
    shared = np.all([concepts.any(axis=1) for concepts in rows.values()], axis=0)
    tables = {language: normalize(concepts[shared]).T for language, concepts in rows.items()}
    if options["keep"]:
        for language, table in tables.items():
            ranks = (-table).argsort(axis=1, kind="stable").argsort(axis=1)
            tables[language] = np.where(ranks < options["keep"], table, 0)
    return by_tables(data, tables)


@oracle("cr5")
def cr5(data, options):
    """Equations 12 and 14 with plain inverses, and orthonormal columns for Eq. 15."""
    W, _ = regression(data, options, stacked_words(data))
    rank = options.get("ranks") or options["rank"]
    return by_tables(data, cut(data, linalg.orth(W[:, :rank])))


def stacked_words(data: Plain) -> np.ndarray:
    """Documents of all languages x words of all languages."""
    return linalg.block_diag(*tfidf(data, "counts").values())


def regression(data: Plain, options: Options, X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Phi' (columns by falling eigenvalue) and the eigenvalues, of centred X and concepts."""
    concepts = stacked(data, data.concepts)
    Y = np.eye(concepts.max() + 1)[concepts]
    X = X - X.mean(axis=0)
    A = X.T @ (Y - Y.mean(axis=0))
    B = X.T @ X + options["ridges"] * np.eye(X.shape[1])
    coefficients = np.linalg.inv(B) @ A
    mu, P = np.linalg.eigh(A.T @ coefficients)
    return coefficients @ P[:, ::-1], mu[::-1]


def with_prior(data: Plain, options: Options, N: np.ndarray) -> Similarities:
    """Cr5 on [X, sqrt(gamma) X N] / sqrt(1 + gamma), scaled by eigenvalues; and the means."""
    gamma = options.get("gammas", 1.0)
    X = stacked_words(data)
    Z = np.hstack([X, np.sqrt(gamma) * X @ N]) / np.sqrt(1 + gamma)
    Phi, mu = regression(data, options, Z)
    Phi = Phi[:, : options["ranks"]] * mu[: options["ranks"]]
    W = (Phi[: len(N)] + np.sqrt(gamma) * N @ Phi[len(N) :]) / np.sqrt(1 + gamma)
    rows = tfidf(data)
    trained = tfidf(data, "counts")
    vectors = {}
    for language, T in cut(data, W).items():
        mean = (trained[language] @ T).mean(axis=0)
        vectors[language] = rows[language] @ T + options["shift"] * mean
    return products(data, vectors)


@oracle("cr5_spelling")
def cr5_spelling(data, options):
    learned = with_prior(data, options, spelling(data))
    beta = options.get("string_weights", 0)
    alike = prefix_overlap(data, {})
    return {pair: (cosines + beta * alike[pair]) / (1 + beta) for pair, cosines in learned.items()}


def spelling(data: Plain) -> np.ndarray:
    """Words of all languages x beginnings of 4, 5, 6 letters and words, weighed by ln (n / d_j)."""
    features = []
    for word in chain(*(data.words[language] for language in data.languages)):
        features.append({word, *(word[:n] for n in (4, 5, 6) if n <= len(word))})
    names = sorted(set().union(*features))
    N = np.array([np.isin(names, list(own)) for own in features], float)
    return normalize(N * np.log(len(N) / N.sum(axis=0)))


# Projections: closed forms by dense eigenvectors.


@oracle("cl_lsi")
def cl_lsi(data, options):
    merged = options.get("merged", True)
    chosen = columns(data, options, merged)
    sums = 0
    heaviest = []
    for language, places in chosen.places.items():
        sums = sums + of_concepts(data, data.counts, language) @ places
        heaviest.append((chosen.weights[language][:, None] * places).max(axis=0))
    V = leading(np.log2(1 + sums) * np.max(heaviest, axis=0), options["dimensions"])
    return onto_columns(data, V, bits(data, options, merged, "every"))


@oracle("sogaard")
def sogaard(data, options):
    """Words as unit rows over concepts, reduced: vectors of words are U S."""
    chosen = columns(data, options, merged=False)
    total = 0
    for language, places in chosen.places.items():
        counts = np.log2(1 + of_concepts(data, data.counts, language))
        total = total + counts * chosen.weights[language] @ places
    words = normalize(total.T)
    svd = TruncatedSVD(options["dimensions"], algorithm="arpack", random_state=0)
    return onto_columns(data, svd.fit_transform(words), bits(data, options, False, "every"))


@oracle("opca")
def opca(data, options):
    """Equations 9 to 11, with documents that may be missing."""
    merged = options.get("merged", True)
    trained = bits(data, options, merged, "counts")
    Z = stacked(data, trained)
    concepts = stacked(data, data.concepts)
    n = len(set(concepts))
    S = sum(len(rows) / n * np.cov(rows, rowvar=False, bias=True) for rows in trained.values())
    means = np.array([Z[concepts == concept].mean(axis=0) for concept in concepts])
    apart = Z - means
    rows = bits(data, options, merged, "every")
    return onto_columns(data, of_pencil(options, S, apart.T @ apart / n), rows)


@oracle("document_cca")
def document_cca(data, options):
    """Equations 12 and 13: covariances between languages, relative to those within."""
    n = len(set(stacked(data, data.concepts)))
    trained = bits(data, options, False, "counts")
    centred = {language: rows - rows.mean(axis=0) for language, rows in trained.items()}
    sums = {language: of_concepts(data, centred, language) for language in data.languages}
    pairs = permutations(data.languages, 2)
    S = sum(sums[source].T @ sums[target] for source, target in pairs) / n
    N = sum(rows.T @ rows for rows in centred.values()) / n
    rows = bits(data, options, False, "every")
    return onto_columns(data, of_pencil(options, S, N), rows)


def of_pencil(options: Options, S: np.ndarray, N: np.ndarray) -> np.ndarray:
    """The leading eigenvectors of S v = l (N + gamma I) v, as columns."""
    _, vectors = linalg.eigh(S, N + options["gammas"] * np.eye(len(N)))
    return vectors[:, ::-1][:, : options["dimensions"]]


def onto_columns(data: Plain, vectors: np.ndarray, rows: Arrays) -> Similarities:
    """Cosines of rows that are mapped by the same vectors of columns, whatever the language."""
    return by_tables(data, dict.fromkeys(data.languages, vectors), rows)
