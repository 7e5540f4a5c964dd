"""What systems should find, computed without them: from counts, vectors and dictionaries as arrays.

An oracle maps a `Plain` and the options of a fit, with what validation chose in place of lists to
choose from, to similarities of all documents: by source and target language a matrix. Everything is
dense, by NumPy, SciPy, scikit-learn and gensim; where a paper has a formula it is written out.
"""

from collections.abc import Callable, Mapping
from itertools import permutations
from typing import Any

import numpy as np
import pandas as pd
from gensim.models import KeyedVectors
from scipy import linalg
from sklearn.cross_decomposition import CCA
from sklearn.decomposition import TruncatedSVD
from sklearn.linear_model import Ridge
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


# Documents as rows


def idf(counts: np.ndarray) -> np.ndarray:
    """ln(n / d_j) + 1, where d_j is at least one."""
    return np.log(len(counts) / np.maximum((counts > 0).sum(axis=0), 1)) + 1


def tfidf(data: Plain, which: str = "every", norm: str = "l2") -> Arrays:
    """Unit rows of ln(1 + f) idf, of all documents or those that train."""
    rows = getattr(data, which)
    return {x: normalize(np.log1p(rows[x]) * idf(data.counts[x]), norm) for x in data.languages}


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


# Strings


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
        there = order[frequency[order] > 0][o.get("skip_words", 50) :]
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


def translations(data: Plain, pass_on: bool = True) -> Similarities:
    """Words x words, the probabilities of the files; a word without any may stand for itself."""
    same, found = matches(data), {}
    for a, b in same:
        names = ["source", "target", "p"]
        read = pd.read_csv(data.folder / f"{a}-{b}.tsv", sep="\t", names=names)
        wide = read.pivot_table(index="source", columns="target", values="p")
        P = wide.reindex(index=data.words[a], columns=data.words[b]).fillna(0).to_numpy()
        found[a, b] = P + pass_on * same[a, b] * ~P.any(axis=1)[:, None]
    return found


@oracle("bm25", "bm25_translated")
def bm25(data, o):
    """Saturated queries, translated, against saturated documents; idf and means of what trains."""
    tables = translations(data, o["pass_on"]) if "pass_on" in o else matches(data)
    rows, idfs = {}, {}
    for x, trained in data.counts.items():
        c, mean, d = data.every[x], trained.sum() / len(trained), (trained > 0).sum(axis=0)
        n = c.sum(axis=1, keepdims=True)
        rows[x] = c * (o["k1"] + 1) / (c + o["k1"] * (1 - o["b"] + o["b"] * n / mean))
        idfs[x] = np.log(1 + (len(trained) - d + 0.5) / (d + 0.5))
    return {(a, b): rows[a] @ P * idfs[b] @ rows[b].T for (a, b), P in tables.items()}


@oracle("word_by_word")
def word_by_word(data, o):
    if o.get("weighting") == "corpus":
        weights = {x: idf(data.counts[x]) for x in data.languages}
    else:
        weights = columns(data, o, merged=False)[1]
    weigh = np.log1p if o.get("counts", "log") == "log" else np.asarray
    rows = {x: weigh(data.every[x]) * weights[x] for x in data.languages}
    tables = translations(data, o.get("pass_on", True))
    tables |= {(x, x): np.eye(len(data.words[x])) for x in data.languages}
    axes = dict.fromkeys(data.languages, 1.0)
    if o.get("via") == "lsa":
        trained = {x: weigh(data.counts[x]) * weights[x] for x in data.languages}
        axes = {x: leading(trained[x], o["dimensions"]) for x in data.languages}
    kept = {x: (weights[x] > 0) * 1.0 for x in data.languages}

    def translated(a, b):
        b = o.get("into") or b
        return np.dot(rows[a] @ tables[a, b] * kept[b], axes[b])

    return products(data, translated)


def leading(rows: np.ndarray, n: int) -> np.ndarray:
    """The first right singular vectors, as columns."""
    return TruncatedSVD(n, algorithm="arpack", random_state=0).fit(rows).components_.T


# Concepts


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
    return linalg.block_diag(*tfidf(data, "counts", o.get("row_norm", "l2")).values())


def regression(data: Plain, o: Options, X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Phi' (columns by falling eigenvalue) and the eigenvalues, of centred X and concepts."""
    concepts = stacked(data, data.concepts)
    Y = np.eye(concepts.max() + 1)[concepts]
    X, Y = X - X.mean(axis=0), Y - Y.mean(axis=0)
    A = X.T @ Y
    coefficients = np.linalg.inv(X.T @ X + o["ridges"] * np.eye(X.shape[1])) @ A
    mu, P = np.linalg.eigh(A.T @ coefficients)
    return coefficients @ P[:, ::-1], mu[::-1]


@oracle("cr5 concepts", "cr5 concepts l1")
def cr5_concepts(data, o):
    """At full rank, scores of concepts are those of scikit-learn's ridge regression."""
    concepts = stacked(data, data.concepts)
    Y = np.eye(concepts.max() + 1)[concepts]
    model = Ridge(alpha=o["ridges"]).fit(stacked_words(data, o), Y)
    T, rows = cut(data, model.coef_.T), tfidf(data, norm=o.get("row_norm", "l2"))
    return products(data, lambda x, _: rows[x] @ T[x] + model.intercept_)


def with_prior(data: Plain, o: Options, N: np.ndarray) -> Similarities:
    """Cr5 on [X, sqrt(gamma) X N] / sqrt(1 + gamma), scaled by eigenvalues; and the means."""
    gamma, X = o.get("gamma", 1.0), stacked_words(data, o)
    Z = np.hstack([X, np.sqrt(gamma) * X @ N]) / np.sqrt(1 + gamma)
    Phi, mu = regression(data, o, Z)
    Phi = Phi[:, : o["ranks"]] * mu[: o["ranks"]]
    W = (Phi[: len(N)] + np.sqrt(gamma) * N @ Phi[len(N) :]) / np.sqrt(1 + gamma)
    T, rows, trained = cut(data, W), tfidf(data), tfidf(data, "counts")
    means = {x: o["shifts"] * (trained[x] @ T[x]).mean(axis=0) for x in data.languages}
    return products(data, lambda x, _: rows[x] @ T[x] + means[x])


@oracle("cr5_spelling")
def cr5_spelling(data, o):
    learned = with_prior(data, o, spelling(data, o))
    beta, alike = o.get("string_weights", 0), prefix_overlap(data, {})
    return {pair: (found + beta * alike[pair]) / (1 + beta) for pair, found in learned.items()}


def spelling(data: Plain, o: Options) -> np.ndarray:
    """Words of all languages x beginnings of 4, 5, 6 letters and words, weighed by ln (n / d_j).

    Or x runs of 3, 4 and 5 characters.
    """
    words = [word for x in data.languages for word in data.words[x]]
    having = [{word, *(word[:n] for n in (4, 5, 6) if n <= len(word))} for word in words]
    if o.get("prior") == "ngrams":
        runs = [(f"<{word}>", n) for word in words for n in (3, 4, 5)]
        runs = [{w[i : i + n] for i in range(len(w) - n + 1)} for w, n in runs]
        having = [set().union(*runs[i : i + 3]) for i in range(0, len(runs), 3)]
    every = sorted(set().union(*having))
    N = np.array([[feature in found for feature in every] for found in having], float)
    return normalize(N * np.log(len(N) / N.sum(axis=0)))


@oracle("cr5_features")
def cr5_features(data, o):
    """Features by word from the files; those that all languages share by name."""
    names = ["word", "feature", "weight"]
    frames = {
        x: pd.read_csv(data.folder / f"{x}.features", sep="\t", names=names, keep_default_na=False)
        for x in data.languages
    }
    every = sorted(set().union(*(frame["feature"] for frame in frames.values())))
    parts = [
        frame.pivot_table(index="word", columns="feature", values="weight")
        .reindex(index=data.words[x], columns=every)
        .fillna(0)
        for x, frame in frames.items()
    ]
    return with_prior(data, o, normalize(np.vstack(parts)))


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
    if o.get("relative_gamma"):
        o = o | {"gammas": o["gammas"] * np.square(Z).sum(axis=1).mean()}
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


# Vectors


@oracle("pretrained")
def pretrained(data, o):
    tables = {}
    for x, words in data.words.items():
        read = KeyedVectors.load_word2vec_format(str(data.folder / f"{x}.vec"))
        tables[x] = np.array([read[word] for word in words], float)
    return by_tables(data, tables)


@oracle("encoder")
def encoder(data, o):
    """A text, with the prefix before it, is the mean of its words' vectors."""
    read = KeyedVectors.load_word2vec_format(str(data.folder / "encoder.vec"))
    rows = {
        x: np.array([np.mean(read[(o["prefix"] + text).split()], axis=0) for text in texts])
        for x, texts in data.texts.items()
    }
    return products(data, lambda x, _: rows[x])


def space(data: Plain, x: str, centre: bool) -> np.ndarray:
    """Unit rows, centred and of unit length again; zeros for words without a vector."""
    rows = normalize(data.vectors[x])
    has = rows.any(axis=1)
    return normalize((rows - rows[has].mean(axis=0)) * has[:, None]) if centre else rows


def seeds(data: Plain, o: Options, x: str, y: str) -> tuple[np.ndarray, np.ndarray]:
    """Rows of the words that are paired, where both have a vector."""
    pairs = [] if o["seeds"] == "identical" else data.pairs[x, y]
    if "identical" in o["seeds"]:
        pairs = pairs + [(word, word) for word in data.words[x] if word in data.words[y]]
    numbers = {z: {word: i for i, word in enumerate(data.words[z])} for z in (x, y)}
    has = {z: data.vectors[z].any(axis=1) for z in (x, y)}
    known = [p for p in dict.fromkeys(pairs) if p[0] in numbers[x] and p[1] in numbers[y]]
    rows = [(numbers[x][v], numbers[y][w]) for v, w in known]
    kept = np.array([(i, j) for i, j in rows if has[x][i] and has[y][j]])
    return kept[:, 0], kept[:, 1]


def onto(data: Plain, o: Options, find, centre: bool = False) -> Similarities:
    """Map each language onto English by what a function makes of two spaces and pairs."""
    spaces = {x: space(data, x, o.get("centre", centre)) for x in data.languages}
    tables = {"en": spaces["en"]}
    for x in data.languages:
        if x != "en":
            i, j = seeds(data, o, x, "en")
            tables[x] = normalize(find(spaces[x], spaces["en"], i, j))
    return by_tables(data, tables)


@oracle("least_squares")
def least_squares(data, o):
    """Of scikit-learn's ridge regression, or SciPy's least squares."""

    def find(X, Y, i, j):
        if o.get("ridge"):
            return X @ Ridge(alpha=o["ridge"], fit_intercept=False).fit(X[i], Y[j]).coef_.T
        return X @ linalg.lstsq(X[i], Y[j])[0]

    return onto(data, o, find)


@oracle("procrustes")
def procrustes(data, o):
    return onto(data, o, lambda X, Y, i, j: X @ linalg.orthogonal_procrustes(X[i], Y[j])[0])


@oracle("vecmap_self_learning")
def vecmap_self_learning(data, o):
    """Rotate, translate every word, and again by these pairs; keep the map that fits best."""

    def find(X, Y, i, j):
        has, there = X.any(axis=1), np.flatnonzero(Y.any(axis=1))
        S, T, best, best_W = X[i], Y[j], -np.inf, None
        for _ in range(o["rounds"]):
            W = linalg.orthogonal_procrustes(S, T)[0]
            cosines = X[has] @ W @ Y[there].T
            found, before = cosines.max(axis=1).mean(), best
            if found > best:
                best, best_W = found, W
            if found - before < 1e-6:
                break
            S, T = X[has], Y[there][cosines.argmax(axis=1)]
        return X @ best_W

    return onto(data, o, find, centre=True)


def root(rows: np.ndarray, power: float, ridge: float = 0.0) -> np.ndarray:
    """A power of X'X + ridge I."""
    return linalg.fractional_matrix_power(rows.T @ rows + ridge * np.eye(rows.shape[1]), power)


@oracle("multicca")
def multicca(data, o):
    """A B^-1 is Cxx^-1/2 R Cyy^1/2, R the orthogonal factor of Cxx^-1/2 Cxy Cyy^-1/2."""

    def find(X, Y, i, j):
        hasX, hasY = X.any(axis=1), Y.any(axis=1)
        x, y = X[i] - X[i].mean(axis=0), Y[j] - Y[j].mean(axis=0)
        ridge = len(i) * o.get("ridge", 0)
        Cx, Cy = root(x, -0.5, ridge), root(y, -0.5, ridge)
        R, _ = linalg.polar(Cx @ x.T @ y @ Cy)
        mapped = (X - X[hasX].mean(axis=0)) @ Cx @ R @ np.linalg.inv(Cy) + Y[hasY].mean(axis=0)
        return mapped * hasX[:, None]

    return onto(data, o, find)


def both(data: Plain, o: Options, find, centre: bool = False) -> Similarities:
    """Map two languages to where they meet."""
    x, y = data.languages
    X, Y = (space(data, z, o.get("centre", centre)) for z in (x, y))
    i, j = seeds(data, o, x, y)
    tables = zip((x, y), map(normalize, find(X, Y, i, j)), strict=True)
    return by_tables(data, dict(tables))


@oracle("word_cca")
def word_cca(data, o):
    """Scikit-learn's variates, scaled to the variance that they have in the paper: one."""

    def find(X, Y, i, j):
        n = int(np.ceil(o.get("share", 0.5) * X.shape[1]))
        model = CCA(n, scale=False, max_iter=50_000, tol=1e-13).fit(X[i], Y[j])
        for rows, k, turn in ((X, i, model.x_rotations_), (Y, j, model.y_rotations_)):
            spread = (rows[k] - rows[k].mean(axis=0)) @ turn
            has = rows.any(axis=1)
            projected = (rows - rows[has].mean(axis=0)) @ (turn / spread.std(axis=0))
            yield projected * has[:, None]

    return both(data, o, find)


@oracle("vecmap_supervised")
def vecmap_supervised(data, o):
    """Whiten, rotate, weigh by a power of the agreement, and de-whiten (steps 1 to 4)."""
    powers = o.get("source_power", 0.5), o.get("target_power", 0.5)

    def find(X, Y, i, j):
        x, y = X[i], Y[j]
        U, s, Vt = np.linalg.svd(root(x, -0.5) @ x.T @ y @ root(y, -0.5))
        for rows, own, turn, power in zip((X, Y), (x, y), (U, Vt.T), powers, strict=True):
            back = turn.T @ root(own, 0.5) @ turn
            yield rows @ root(own, -0.5) @ turn @ np.diag(s**power) @ back

    return both(data, o, find, centre=True)
