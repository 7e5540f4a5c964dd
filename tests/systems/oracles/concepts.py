"""Documents of the same concepts: explicit semantic analysis, and Cr5 with what grew from it."""

import numpy as np
from scipy import linalg
from sklearn.preprocessing import normalize

from tests.kit.inside import Plain
from tests.systems.oracles.overlaps import prefix_overlap
from tests.systems.oracles.rows import (
    Arrays,
    Options,
    Similarities,
    by_tables,
    cut,
    oracle,
    products,
    stacked,
    tfidf,
)


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
