"""Random problems of every structure, and Cr5 written out with dense matrices."""

from types import SimpleNamespace

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
    X = sparse.random_array((n, p), density=0.3, rng=generator, format="csr")
    X += sparse.csr_array((np.ones(n), (np.arange(n), generator.integers(0, p, n))), (n, p))
    norms = np.sqrt(X.power(2).sum(axis=1))
    return sparse.csr_matrix(sparse.diags_array(1 / norms) @ X)


def make_problem(structure="aligned", seed=0, K=14, sizes=(25, 18, 21)):
    generator = np.random.default_rng(seed)
    sizes = {"one language": sizes[:1], "few words": (4, 3, 5)}.get(structure, sizes)
    concepts = [generator.permutation(K) for _ in sizes]
    if structure == "one document per concept":
        concepts = np.array_split(generator.permutation(K), len(sizes))
    if structure == "concepts in one language only":
        concepts = [labels[: K // 2 + 2 * i] for i, labels in enumerate(concepts)]
    if structure == "two documents of a concept in one language":
        concepts[0] = np.concatenate([concepts[0], concepts[0][:5]])
    features = []
    for labels, n_words in zip(concepts, sizes, strict=True):
        features.append(random_features(generator, len(labels), n_words))
    if structure == "identical documents":
        features[0] = sparse.vstack([features[0][:3], features[0][:3], features[0][6:]], "csr")
    if structure == "empty columns":
        features = [X @ sparse.diags_array(1.0 * (np.arange(X.shape[1]) > 4)) for X in features]
    if structure == "zero rows":
        features = [sparse.diags_array(1.0 * (np.arange(X.shape[0]) > 2)) @ X for X in features]
    extra = structure == "an unused concept number"
    prior = make_prior(generator, sizes, structure) if "a prior" in structure else ()
    return Problem([sparse.csr_matrix(X) for X in features], concepts, K + extra, prior)


def make_prior(generator, sizes, structure):
    """Words by unknowns that the languages share; some words have none but their own."""
    on_few_words = structure == "a prior on few words of two languages"
    density = 0.02 if on_few_words else 0.2
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
    X = linalg.block_diag(*[X.toarray() for X in problem.features])
    if problem.prior:
        X = X @ np.vstack([F.toarray() for F in problem.prior])
    Y = np.eye(problem.n_concepts)[np.concatenate(problem.concepts)]
    Xhat = X - X.mean(axis=0)
    Yhat = Y - Y.mean(axis=0)
    B = Xhat.T @ Xhat + ridge * np.eye(X.shape[1])
    A = Xhat.T @ Yhat
    M = A.T @ np.linalg.inv(B) @ A
    mu, P = np.linalg.eigh((M + M.T) / 2)
    return SimpleNamespace(X=X, Y=Y, A=A, B=B, M=M, mu=mu[::-1], P=P[:, ::-1])
