"""Random problems of every structure, and Cr5 written out with dense matrices."""

from dataclasses import dataclass

import numpy as np
from scipy import linalg, sparse

from cr5.systems.ridge.problem import Problem

STRUCTURES = (
    "aligned",
    "one language",
    "one document per concept",
    "concepts in one language only",
    "two documents of a concept in one language",
    "identical documents",
    "empty columns",
    "zero rows",
    "few words",
    "an unused concept number",
    "a prior",
    "a prior on few words of two languages",
    "a prior with fewer unknowns than words",
)


def random_features(generator, n, p):
    """Unit rows, of which each has a word at least."""
    X = sparse.random_array((n, p), density=0.3, rng=generator, format="csr")
    word_of_document = generator.integers(0, p, n)
    X += sparse.csr_array((np.ones(n), (np.arange(n), word_of_document)), (n, p))
    lengths = np.sqrt(X.power(2).sum(axis=1))
    return sparse.csr_matrix(sparse.diags_array(1 / lengths) @ X)


def without_first(n, size):
    """A diagonal matrix that makes the first n of some rows or columns zero."""
    is_kept = np.arange(size) >= n
    return sparse.diags_array(is_kept.astype(float))


def make_problem(structure="aligned", seed=0, K=14, sizes=(25, 18, 21)):
    generator = np.random.default_rng(seed)
    if structure == "one language":
        sizes = sizes[:1]
    elif structure == "few words":
        sizes = (4, 3, 5)
    concepts = make_concepts(generator, structure, K, len(sizes))
    features = []
    for labels, n_words in zip(concepts, sizes, strict=True):
        X = random_features(generator, len(labels), n_words)
        if structure == "empty columns":
            X = X @ without_first(5, X.shape[1])
        elif structure == "zero rows":
            X = without_first(3, X.shape[0]) @ X
        features.append(sparse.csr_matrix(X))
    if structure == "identical documents":
        first = features[0]
        features[0] = sparse.vstack([first[:3], first[:3], first[6:]], "csr")
    n_concepts = K
    if structure == "an unused concept number":
        n_concepts = K + 1
    prior = ()
    if "a prior" in structure:
        prior = make_prior(generator, sizes, structure)
    return Problem(features, concepts, n_concepts, prior)


def make_concepts(generator, structure, K, n_languages):
    """The concept of each document, by language."""
    concepts = [generator.permutation(K) for _ in range(n_languages)]
    if structure == "one document per concept":
        return np.array_split(generator.permutation(K), n_languages)
    if structure == "concepts in one language only":
        return [labels[: K // 2 + 2 * number] for number, labels in enumerate(concepts)]
    if structure == "two documents of a concept in one language":
        concepts[0] = np.concatenate([concepts[0], concepts[0][:5]])
    return concepts


def make_prior(generator, sizes, structure):
    """Words by unknowns that the languages share; some words have none but their own."""
    on_few_words = structure == "a prior on few words of two languages"
    density = 0.2
    if on_few_words:
        density = 0.02
    prior = [sparse.random_array((n, 13), density=density, rng=generator) for n in sizes]
    if on_few_words:
        prior[-1] = 0 * prior[-1]
    F = sparse.vstack(prior)
    if structure != "a prior with fewer unknowns than words":
        unknowns_of_words = sparse.diags_array(generator.uniform(0.5, 2, sum(sizes)))
        F = sparse.hstack([unknowns_of_words, 1.5 * F])
    F = sparse.csr_matrix(F)
    ends = np.cumsum(sizes)
    return tuple(F[start:end] for start, end in zip(ends - sizes, ends, strict=True))


def write_out(problem, ridge):
    """Equations 12 and 14 with dense matrices and plain inverses; X F for X if there is a prior."""
    blocks = [features.toarray() for features in problem.features]
    X = linalg.block_diag(*blocks)
    if problem.prior:
        X = X @ dense_prior(problem)
    Y = np.eye(problem.n_concepts)[np.concatenate(problem.concepts)]
    Xhat = X - X.mean(axis=0)
    Yhat = Y - Y.mean(axis=0)
    A = Xhat.T @ Yhat
    B = Xhat.T @ Xhat + ridge * np.eye(X.shape[1])
    M = A.T @ np.linalg.inv(B) @ A
    rising_mu, P_of_rising = np.linalg.eigh((M + M.T) / 2)
    return Equations(A, B, M, mu=rising_mu[::-1], P=P_of_rising[:, ::-1])


def dense_prior(problem):
    """F: words of all languages x unknowns."""
    return np.vstack([F.toarray() for F in problem.prior])


@dataclass(frozen=True)
class Equations:
    """The matrices of the paper's equations, and the eigenpairs of M by falling mu."""

    A: np.ndarray
    B: np.ndarray
    M: np.ndarray
    mu: np.ndarray
    P: np.ndarray
