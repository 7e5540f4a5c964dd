"""Documents of the same concepts: explicit semantic analysis, Cr5, and projections.

Cr5 and projections are closed forms, by dense inverses and eigenvectors.
"""

from itertools import chain, permutations

import numpy as np
from scipy import linalg
from sklearn.decomposition import TruncatedSVD
from sklearn.preprocessing import normalize

from tests.kit.inside import Plain
from tests.systems.oracles.bags import (
    Arrays,
    Options,
    Similarities,
    bits,
    by_tables,
    columns,
    cut,
    leading,
    oracle,
    prefix_overlap,
    products,
    stacked,
    tfidf,
)


def of_concepts(data: Plain, rows: Arrays, language: str) -> np.ndarray:
    """Concepts x columns: sums of the rows of each concept's documents."""
    n_concepts = 1 + stacked(data, data.concepts).max()
    is_of_concept = np.eye(n_concepts)[:, data.concepts[language]]
    return is_of_concept @ rows[language]


@oracle("cl_esa")
def cl_esa(data, options):
    trained = tfidf(data, "counts")
    rows = {language: of_concepts(data, trained, language) for language in data.languages}
    has_documents = [concepts.any(axis=1) for concepts in rows.values()]
    is_shared = np.all(has_documents, axis=0)
    tables = {}
    for language, concepts in rows.items():
        table = normalize(concepts[is_shared]).T
        if options["keep"]:
            order = (-table).argsort(axis=1, kind="stable")
            ranks = order.argsort(axis=1)
            table = np.where(ranks < options["keep"], table, 0)
        tables[language] = table
    return by_tables(data, tables)


@oracle("cr5")
def cr5(data, options):
    """Equations 12 and 14 with plain inverses, and orthonormal columns for Eq. 15."""
    W, _ = regression(data, options, stacked_words(data))
    rank = options.get("ranks") or options["rank"]
    T = linalg.orth(W[:, :rank])
    return by_tables(data, cut(data, T))


def stacked_words(data: Plain) -> np.ndarray:
    """Documents of all languages x words of all languages."""
    return linalg.block_diag(*tfidf(data, "counts").values())


def regression(data: Plain, options: Options, X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Phi' (columns by falling eigenvalue) and the eigenvalues, of centred X and concepts."""
    concepts = stacked(data, data.concepts)
    Y = np.eye(concepts.max() + 1)[concepts]
    Xhat = X - X.mean(axis=0)
    Yhat = Y - Y.mean(axis=0)
    A = Xhat.T @ Yhat
    B = Xhat.T @ Xhat + options["ridges"] * np.eye(X.shape[1])
    coefficients = np.linalg.inv(B) @ A
    M = A.T @ coefficients
    rising_mu, P_of_rising = np.linalg.eigh(M)
    mu = rising_mu[::-1]
    P = P_of_rising[:, ::-1]
    return coefficients @ P, mu


def with_prior(data: Plain, options: Options, N: np.ndarray) -> Similarities:
    """Cr5 on X F with F = [I, sqrt(gamma) N] / sqrt(1 + gamma), by eigenvalues; and means."""
    gamma = options.get("gammas", 1.0)
    rank = options["ranks"]
    n_words = len(N)
    F = np.hstack([np.eye(n_words), np.sqrt(gamma) * N]) / np.sqrt(1 + gamma)
    Phi, mu = regression(data, options, stacked_words(data) @ F)
    W = F @ (Phi[:, :rank] * mu[:rank])
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
    joined = {}
    for pair, cosines in learned.items():
        joined[pair] = (cosines + beta * alike[pair]) / (1 + beta)
    return joined


def spelling(data: Plain) -> np.ndarray:
    """Words of all languages x beginnings of 4, 5, 6 letters and words, weighed by ln (n / d_j)."""
    features_of_words = []
    names = set()
    for word in chain.from_iterable(data.words[language] for language in data.languages):
        beginnings_of_word = [word[:n] for n in (4, 5, 6) if n <= len(word)]
        features_of_words.append([word, *beginnings_of_word])
        names.update(features_of_words[-1])
    columns_of_names = sorted(names)
    rows = [np.isin(columns_of_names, features) for features in features_of_words]
    N = np.array(rows, float)
    d = N.sum(axis=0)
    return normalize(N * np.log(len(N) / d))


@oracle("cl_lsi")
def cl_lsi(data, options):
    merged = options.get("merged", True)
    chosen = columns(data, options, merged)
    sums = 0
    heaviest = []
    for language, places in chosen.places.items():
        sums = sums + of_concepts(data, data.counts, language) @ places
        weights_of_columns = chosen.weights[language][:, None] * places
        heaviest.append(weights_of_columns.max(axis=0))
    concepts = np.log2(1 + sums) * np.max(heaviest, axis=0)
    V = leading(concepts, options["dimensions"])
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
    vectors = svd.fit_transform(words)
    return onto_columns(data, vectors, bits(data, options, False, "every"))


@oracle("opca")
def opca(data, options):
    """Equations 9 to 11, with documents that may be missing."""
    merged = options.get("merged", True)
    trained = bits(data, options, merged, "counts")
    Z = stacked(data, trained)
    concepts = stacked(data, data.concepts)
    n = len(set(concepts))
    S = 0
    for rows in trained.values():
        covariance = np.cov(rows, rowvar=False, bias=True)
        S = S + len(rows) / n * covariance
    means = np.array([Z[concepts == concept].mean(axis=0) for concept in concepts])
    noise = Z - means
    N = noise.T @ noise / n
    vectors = of_pencil(options, S, N)
    return onto_columns(data, vectors, bits(data, options, merged, "every"))


@oracle("document_cca")
def document_cca(data, options):
    """Equations 12 and 13: covariances between languages, relative to those within."""
    n = len(set(stacked(data, data.concepts)))
    trained = bits(data, options, False, "counts")
    centred = {language: rows - rows.mean(axis=0) for language, rows in trained.items()}
    sums = {language: of_concepts(data, centred, language) for language in data.languages}
    S = 0
    for source, target in permutations(data.languages, 2):
        S = S + sums[source].T @ sums[target] / n
    N = 0
    for rows in centred.values():
        N = N + rows.T @ rows / n
    vectors = of_pencil(options, S, N)
    return onto_columns(data, vectors, bits(data, options, False, "every"))


def of_pencil(options: Options, S: np.ndarray, N: np.ndarray) -> np.ndarray:
    """The leading eigenvectors of S v = l (N + gamma I) v, as columns."""
    ridge = options["gammas"] * np.eye(len(N))
    _, vectors_of_rising = linalg.eigh(S, N + ridge)
    vectors = vectors_of_rising[:, ::-1]
    return vectors[:, : options["dimensions"]]


def onto_columns(data: Plain, vectors: np.ndarray, rows: Arrays) -> Similarities:
    """Cosines of rows that are mapped by the same vectors of columns, whatever the language."""
    return by_tables(data, dict.fromkeys(data.languages, vectors), rows)
