"""Documents by hand and by chance, and the matrices of the paper written out from them."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy import sparse

from cr5.systems.projections.documents import Documents


def make_documents(presence, p=30, separate=False, seed=0, density=0.4):
    """Rows of random documents; `presence` says per language which concepts have one."""
    generator = np.random.default_rng(seed)
    concepts = [np.flatnonzero(each) for each in presence]
    parts = []
    for labels in concepts:
        shape = len(labels), p
        common = np.random.default_rng(seed + 1).normal(size=(len(presence[0]), p))[labels]
        keep = generator.random(shape) < density
        parts.append(sparse.csr_matrix(keep * np.abs(common + generator.normal(size=shape)) * 5))
    Z = sparse.block_diag(parts, "csr") if separate else sparse.vstack(parts, "csr")
    Z.sort_indices()
    language = np.repeat(np.arange(len(concepts)), [len(each) for each in concepts])
    return Documents(Z, language, np.unique(np.hstack(concepts), return_inverse=True)[1])


def write_out(documents):
    """Per language D_m (n x p; nan for no document), and which there are (M x n)."""
    Z, M = documents.Z.toarray(), documents.language.max() + 1
    D = np.full((M, documents.n_concepts, Z.shape[1]), np.nan)
    D[documents.language, documents.concept] = Z
    return SimpleNamespace(D=D, n=documents.n_concepts, M=M, present=~np.isnan(D[:, :, 0]))


def covariance(rows, n):
    centred = rows - rows.mean(axis=0)
    return centred.T @ centred / n


PRESENCE = {
    "two languages": np.ones((2, 20), bool),
    "three languages": np.ones((3, 17), bool),
    "missing documents": np.random.default_rng(3).random((3, 24)) < 0.7,
}
PRESENCE["missing documents"][0, 4:] |= ~PRESENCE["missing documents"][:, 4:].any(axis=0)
PRESENCE["missing documents"][:, :4] = np.eye(3, 4, dtype=bool)
PRESENCE["missing documents"][0, 3] = True


@pytest.fixture(params=PRESENCE)
def presence(request):
    return PRESENCE[request.param]


@pytest.fixture(params=["merged", "separate"])
def documents(request, presence):
    return make_documents(presence, separate=request.param == "separate")


@pytest.fixture
def written(documents):
    return write_out(documents)


@pytest.fixture(name="make_documents", scope="session")
def make_documents_fixture():
    return make_documents


@pytest.fixture(name="write_out", scope="session")
def write_out_fixture():
    return write_out


@pytest.fixture(name="covariance", scope="session")
def covariance_fixture():
    return covariance
