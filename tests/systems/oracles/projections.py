"""Projections of bags of words: closed forms by dense eigenvectors."""

from itertools import permutations

import numpy as np
from scipy import linalg
from sklearn.decomposition import TruncatedSVD
from sklearn.preprocessing import normalize

from tests.kit.inside import Plain
from tests.systems.oracles.concepts import of_concepts
from tests.systems.oracles.rows import (
    Arrays,
    Options,
    Similarities,
    bits,
    by_tables,
    columns,
    leading,
    oracle,
    stacked,
)


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
