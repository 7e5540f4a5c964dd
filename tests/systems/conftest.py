"""What systems are tested with.

Random problems of every structure and Cr5 written out with dense matrices; training sets by hand;
short texts with planted translations; word spaces that are turned copies.
"""

from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import linalg, sparse
from threadpoolctl import threadpool_limits

from cr5.base.rows import unit_rows
from cr5.systems.cr5.problem import Problem
from cr5.systems.maps.family import Space


@dataclass(frozen=True)
class Data:
    features: list
    concepts: list
    n_concepts: int
    prior: tuple = ()

    @property
    def problem(self):
        return Problem(self.features, self.concepts, self.n_concepts, self.prior)


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


def make_data(structure="aligned", seed=0, K=14, sizes=(25, 18, 21)):
    generator = np.random.default_rng(seed)
    sizes = {"one language": sizes[:1], "few words": (4, 3, 5)}.get(structure, sizes)
    concepts = [generator.permutation(K) for _ in sizes]
    if structure == "one document per concept":
        concepts = np.array_split(generator.permutation(K), len(sizes))
    if structure == "concepts in one language only":
        concepts = [labels[: K // 2 + 2 * i] for i, labels in enumerate(concepts)]
    if structure == "two documents of a concept in one language":
        concepts[0] = np.concatenate([concepts[0], concepts[0][:5]])
    features = [
        random_features(generator, len(labels), p)
        for labels, p in zip(concepts, sizes, strict=True)
    ]
    if structure == "identical documents":
        features[0] = sparse.vstack([features[0][:3], features[0][:3], features[0][6:]], "csr")
    if structure == "empty columns":
        features = [X @ sparse.diags_array(1.0 * (np.arange(X.shape[1]) > 4)) for X in features]
    if structure == "zero rows":
        features = [sparse.diags_array(1.0 * (np.arange(X.shape[0]) > 2)) @ X for X in features]
    extra = structure == "an unused concept number"
    prior = make_prior(generator, sizes, structure) if "a prior" in structure else ()
    return Data([sparse.csr_matrix(X) for X in features], concepts, K + extra, prior)


def make_prior(generator, sizes, structure):
    """Words by unknowns that the languages share; some words have none but their own."""
    few = structure == "a prior on few words of two languages"
    density = 0.02 if few else 0.2
    prior = [sparse.random_array((p, 13), density=density, rng=generator) for p in sizes]
    if few:
        prior[-1] = 0 * prior[-1]
    F = sparse.vstack(prior)
    if structure != "a prior with fewer unknowns than words":
        own = sparse.diags_array(generator.uniform(0.5, 2, sum(sizes)))
        F = sparse.hstack([own, 1.5 * F])
    ends = np.cumsum(sizes)
    return tuple(
        sparse.csr_matrix(F.tocsr()[end - p : end]) for end, p in zip(ends, sizes, strict=True)
    )


def write_out(data, ridge):
    """Equations 12 and 14 with dense matrices and plain inverses; X F for X if there is a prior."""
    X = linalg.block_diag(*[X.toarray() for X in data.features])
    if getattr(data, "prior", ()):
        X = X @ np.vstack([F.toarray() for F in data.prior])
    Y = np.eye(data.n_concepts)[np.concatenate(data.concepts)]
    Xhat, Yhat = X - X.mean(axis=0), Y - Y.mean(axis=0)
    B = Xhat.T @ Xhat + ridge * np.eye(X.shape[1])
    A = Xhat.T @ Yhat
    M = A.T @ np.linalg.inv(B) @ A
    mu, P = np.linalg.eigh((M + M.T) / 2)
    return SimpleNamespace(X=X, Y=Y, A=A, B=B, M=M, mu=mu[::-1], P=P[:, ::-1])


@pytest.fixture(scope="package", autouse=True)
def one_blas_thread():
    """As fits are called (`cr5.fitting.fit`)."""
    with threadpool_limits(1):
        yield


@pytest.fixture(scope="session")
def planted(training_of):
    """Make a training set of short texts of topics, the same word by word in other languages."""

    def make(n=600, n_words=60, seed=0, languages=("en", "es"), **given):
        generator = np.random.default_rng(seed)
        topics = generator.dirichlet([0.1] * n_words, 12)
        counts = generator.poisson(8 * generator.dirichlet([0.1] * 12, n) @ topics)
        counts = counts[counts.any(axis=1)]
        order = {x: generator.permutation(n_words) for x in languages}
        words = {x: [f"{x}{i}" for i in order[x]] for x in languages}
        rows = {x: sparse.csr_matrix(counts[:, order[x]].astype(np.int32)) for x in languages}
        numbers = {x: np.arange(len(counts)) for x in languages}
        about = {"counts": rows, "concepts": numbers, "n_concepts": len(counts)}
        return training_of(words, **(about | given))

    return make


def clustered_space(rng, n, d, clusters):
    """Words in clusters of unequal size, dimensions of unequal variance: no symmetry to get
    lost in."""
    spread = np.linspace(2.0, 0.5, d)
    centres = rng.normal(size=(clusters, d)) * spread
    shares = rng.dirichlet(np.full(clusters, 0.8))
    X = centres[rng.choice(clusters, n, p=shares)] + 0.5 * spread * rng.normal(size=(n, d))
    return unit_rows((X + 0.5 * spread).astype(np.float32))


def rotation(rng, d):
    Q, R = np.linalg.qr(rng.normal(size=(d, d)))
    return (Q * np.sign(np.diag(R))).astype(np.float32)


def rotated_copy_of(n=1000, d=20, noise=0.02, clusters=25, seed=0):
    """Make a space, the same space turned and blurred, and the rotation between them."""
    rng = np.random.default_rng(seed)
    X, Q = clustered_space(rng, n, d, clusters), rotation(rng, d)
    Y = unit_rows((X @ Q + noise * rng.normal(size=(n, d))).astype(np.float32))
    return X, Y, Q


@pytest.fixture(name="rotated_copy")
def rotated_copy_fixture():
    return rotated_copy_of


def dense_csls(X, Y, k):
    """The definition, with both hubness terms, on the full matrix."""
    S = X.astype(float) @ Y.astype(float).T
    r_T = np.sort(S, axis=1)[:, ::-1][:, :k].mean(axis=1)
    r_S = np.sort(S, axis=0)[::-1][:k].mean(axis=0)
    return 2 * S - r_T[:, None] - r_S[None, :]


def space(language, vectors):
    """Words of a language that all have a vector, n x d."""
    return Space(language, [f"w{i}" for i in range(len(vectors))], np.arange(len(vectors)), vectors)


@pytest.fixture(name="space")
def space_fixture():
    return space


@pytest.fixture(name="every")
def every_fixture():
    """Pair the first words of two languages, each with the one of its number."""
    return lambda n: np.column_stack([np.arange(n)] * 2)


@pytest.fixture(name="make_data")
def make_data_fixture():
    return make_data


@pytest.fixture(name="write_out")
def write_out_fixture():
    return write_out


@pytest.fixture(params=STRUCTURES)
def structure(request):
    return request.param
