"""Word vectors: as they are, and mapped from one language onto another."""

from dataclasses import dataclass

import numpy as np
from gensim.models import KeyedVectors
from scipy import linalg
from sklearn.cross_decomposition import CCA
from sklearn.preprocessing import normalize

from tests.kit.inside import Plain
from tests.systems.oracles.bags import Options, Similarities, by_tables, oracle, products


@oracle("pretrained")
def pretrained(data, options):
    tables = {}
    for language, words in data.words.items():
        vectors = KeyedVectors.load_word2vec_format(str(data.folder / f"{language}.vec"))
        tables[language] = np.array([vectors[word] for word in words], float)
    return by_tables(data, tables)


@oracle("encoder")
def encoder(data, options):
    """A text, with the prefix before it, is the mean of its words' vectors.

    Where rows are centred, those of training documents are made of their counts of words.
    """
    vectors = KeyedVectors.load_word2vec_format(str(data.folder / "encoder.vec"))
    prefix = options.get("document_prefix", "")
    sum_of_prefix = sum(vectors[word] for word in prefix.split())
    rows = {}
    for language, texts in data.texts.items():
        means = []
        for text in texts:
            words = (prefix + text).split()
            means.append(np.mean(vectors[words], axis=0))
        rows[language] = normalize(np.array(means))
        if options.get("centred", True):
            table = vectors[data.words[language]]
            sums = data.counts[language] @ table + sum_of_prefix
            rows[language] = rows[language] - normalize(sums).mean(axis=0)
    return products(data, rows)


def space(data: Plain, language: str, centre: bool, own_lengths: bool = False) -> np.ndarray:
    """Rows of unit or own length, centred if asked; zeros for words without a vector."""
    rows = data.vectors[language]
    if not own_lengths:
        rows = normalize(rows)
    if not centre:
        return rows
    known = rows.any(axis=1)
    mean = rows[known].mean(axis=0)
    centred = (rows - mean) * known[:, None]
    if own_lengths:
        return centred
    return normalize(centred)


@dataclass(frozen=True)
class Rows:
    """Row numbers of the words of pairs."""

    source: np.ndarray
    target: np.ndarray


def seeds(data: Plain, options: Options, source: str, target: str) -> Rows:
    """Rows of the words that are paired, where both have a vector."""
    pairs = []
    if options["seeds"] != "identical":
        pairs += data.pairs[source, target]
    if "identical" in options["seeds"]:
        shared = [word for word in data.words[source] if word in data.words[target]]
        pairs += [(word, word) for word in shared]
    source_rows = rows_of_words(data, source)
    target_rows = rows_of_words(data, target)
    rows = []
    for source_word, target_word in dict.fromkeys(pairs):
        if source_word in source_rows and target_word in target_rows:
            rows.append((source_rows[source_word], target_rows[target_word]))
    rows_of_both = np.array(rows).T
    return Rows(*rows_of_both)


def rows_of_words(data: Plain, language: str) -> dict[str, int]:
    """Rows of the words that have a vector."""
    known = data.vectors[language].any(axis=1)
    return {word: row for row, word in enumerate(data.words[language]) if known[row]}


def onto(
    data: Plain, options: Options, find, centre: bool = False, own_lengths: bool = False
) -> Similarities:
    """Map each language onto English by what a function makes of two spaces and pairs."""
    centre = options.get("centre", centre)
    english = space(data, "en", centre, own_lengths)
    tables = {"en": english}
    for language in data.languages:
        if language != "en":
            rows = seeds(data, options, language, "en")
            vectors = space(data, language, centre, own_lengths)
            tables[language] = find(vectors, english, rows)
            if not own_lengths:
                tables[language] = normalize(tables[language])
    return by_tables(data, tables)


@oracle("least_squares")
def least_squares(data, options):
    """Of SciPy."""

    def find(X, Y, rows):
        W, *_ = linalg.lstsq(X[rows.source], Y[rows.target])
        return X @ W

    return onto(data, options, find, own_lengths=True)


@oracle("procrustes")
def procrustes(data, options):
    """Of SciPy."""

    def find(X, Y, rows):
        W, _ = linalg.orthogonal_procrustes(X[rows.source], Y[rows.target])
        return X @ W

    return onto(data, options, find, own_lengths=options.get("own_lengths", False))


@oracle("vecmap_self_learning")
def vecmap_self_learning(data, options):
    """Rotate, translate every word, and again by these pairs; keep the map that fits best."""

    def find(X, Y, rows):
        known = X[X.any(axis=1)]
        candidates = Y[Y.any(axis=1)]
        source = X[rows.source]
        target = Y[rows.target]
        best = -np.inf
        for _ in range(options["rounds"]):
            W, _ = linalg.orthogonal_procrustes(source, target)
            cosines = known @ W @ candidates.T
            criterion = cosines.max(axis=1).mean()
            gain = criterion - best
            if gain > 0:
                best = criterion
                best_W = W
            if gain < 1e-6:
                break
            source = known
            target = candidates[cosines.argmax(axis=1)]
        return X @ best_W

    return onto(data, options, find, centre=True)


def root(rows: np.ndarray, power: float, ridge: float = 0.0) -> np.ndarray:
    """A power of X'X + ridge I."""
    return linalg.fractional_matrix_power(rows.T @ rows + ridge * np.eye(rows.shape[1]), power)


@oracle("multicca")
def multicca(data, options):
    """A B^-1 is Cxx^-1/2 R Cyy^1/2, R the orthogonal factor of Cxx^-1/2 Cxy Cyy^-1/2."""

    def find(X, Y, rows):
        x = X[rows.source] - X[rows.source].mean(axis=0)
        y = Y[rows.target] - Y[rows.target].mean(axis=0)
        ridge = len(x) * options.get("ridge", 0)
        Cx = root(x, -0.5, ridge)
        Cy = root(y, -0.5, ridge)
        R, _ = linalg.polar(Cx @ x.T @ y @ Cy)
        W = Cx @ R @ np.linalg.inv(Cy)
        known = X.any(axis=1)
        mean_of_source = X[known].mean(axis=0)
        mean_of_target = Y[Y.any(axis=1)].mean(axis=0)
        mapped = (X - mean_of_source) @ W + mean_of_target
        return mapped * known[:, None]

    return onto(data, options, find)


def both(data: Plain, options: Options, find, centre: bool = False) -> Similarities:
    """Map two languages to where they meet."""
    source, target = data.languages
    centre = options.get("centre", centre)
    X = space(data, source, centre)
    Y = space(data, target, centre)
    mapped_X, mapped_Y = find(X, Y, seeds(data, options, source, target))
    return by_tables(data, {source: normalize(mapped_X), target: normalize(mapped_Y)})


@oracle("word_cca")
def word_cca(data, options):
    """Scikit-learn's variates, scaled to the variance that they have in the paper: one."""

    def find(X, Y, rows):
        n = int(np.ceil(options.get("share", 0.5) * X.shape[1]))
        model = CCA(n, scale=False, max_iter=50_000, tol=1e-13)
        model.fit(X[rows.source], Y[rows.target])
        return [
            projected(X, X[rows.source], model.x_rotations_),
            projected(Y, Y[rows.target], model.y_rotations_),
        ]

    def projected(vectors, paired, turn):
        variates = (paired - paired.mean(axis=0)) @ turn
        known = vectors.any(axis=1)
        mean = vectors[known].mean(axis=0)
        scaled = (vectors - mean) @ (turn / variates.std(axis=0))
        return scaled * known[:, None]

    return both(data, options, find)


@oracle("vecmap_supervised")
def vecmap_supervised(data, options):
    """Whiten, rotate, weigh by the root of the agreement, and de-whiten (steps 1 to 4)."""

    def find(X, Y, rows):
        x = X[rows.source]
        y = Y[rows.target]
        whitened_covariance = root(x, -0.5) @ x.T @ y @ root(y, -0.5)
        U, s, Vt = np.linalg.svd(whitened_covariance)
        return [mapped(X, x, U, s), mapped(Y, y, Vt.T, s)]

    def mapped(vectors, paired, turn, agreement):
        whitened = vectors @ root(paired, -0.5) @ turn
        weighed = whitened * np.sqrt(agreement)
        return weighed @ turn.T @ root(paired, 0.5) @ turn

    return both(data, options, find, centre=True)
