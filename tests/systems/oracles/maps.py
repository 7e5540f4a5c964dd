"""Word vectors: as they are, and mapped from one language onto another."""

import numpy as np
from gensim.models import KeyedVectors
from scipy import linalg
from sklearn.cross_decomposition import CCA
from sklearn.preprocessing import normalize

from tests.kit.inside import Plain
from tests.systems.oracles.bags import Options, Similarities, by_tables, oracle, products


@oracle("pretrained")
def pretrained(data, o):
    tables = {}
    for x, words in data.words.items():
        read = KeyedVectors.load_word2vec_format(str(data.folder / f"{x}.vec"))
        tables[x] = np.array([read[word] for word in words], float)
    return by_tables(data, tables)


@oracle("encoder")
def encoder(data, o):
    """A text, with the prefix before it, is the mean of its words' vectors.

    Where rows are centred, those of training documents are made of their counts of words.
    """
    read = KeyedVectors.load_word2vec_format(str(data.folder / "encoder.vec"))
    prefix = o.get("document_prefix", "")
    rows = {}
    for language, texts in data.texts.items():
        means = [np.mean(read[(prefix + text).split()], axis=0) for text in texts]
        rows[language] = normalize(np.array(means))
        if o.get("centred", True):
            before = sum(read[word] for word in prefix.split())
            sums = data.counts[language] @ read[data.words[language]] + before
            rows[language] = rows[language] - normalize(sums).mean(axis=0)
    return products(data, lambda x, _: rows[x])


def space(data: Plain, x: str, centre: bool, own: bool = False) -> np.ndarray:
    """Rows of unit or own length, centred if asked; zeros for words without a vector."""
    scaled = np.asarray if own else normalize
    rows = scaled(data.vectors[x])
    has = rows.any(axis=1)
    return scaled((rows - rows[has].mean(axis=0)) * has[:, None]) if centre else rows


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


def onto(data: Plain, o: Options, find, centre: bool = False, own: bool = False) -> Similarities:
    """Map each language onto English by what a function makes of two spaces and pairs."""
    spaces = {x: space(data, x, o.get("centre", centre), own) for x in data.languages}
    tables = {"en": spaces["en"]}
    for x in data.languages:
        if x != "en":
            i, j = seeds(data, o, x, "en")
            mapped = find(spaces[x], spaces["en"], i, j)
            tables[x] = mapped if own else normalize(mapped)
    return by_tables(data, tables)


@oracle("least_squares")
def least_squares(data, o):
    """Of SciPy."""

    def find(X, Y, i, j):
        return X @ linalg.lstsq(X[i], Y[j])[0]

    return onto(data, o, find, own=True)


@oracle("procrustes")
def procrustes(data, o):
    """Of SciPy."""

    def find(X, Y, i, j):
        return X @ linalg.orthogonal_procrustes(X[i], Y[j])[0]

    return onto(data, o, find, own=o.get("own_lengths", False))


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
    """Whiten, rotate, weigh by the root of the agreement, and de-whiten (steps 1 to 4)."""

    def find(X, Y, i, j):
        x, y = X[i], Y[j]
        U, s, Vt = np.linalg.svd(root(x, -0.5) @ x.T @ y @ root(y, -0.5))
        for rows, own, turn in zip((X, Y), (x, y), (U, Vt.T), strict=True):
            back = turn.T @ root(own, 0.5) @ turn
            yield rows @ root(own, -0.5) @ turn @ np.diag(np.sqrt(s)) @ back

    return both(data, o, find, centre=True)
