"""CL-ESA: against scikit-learn's cosines, and a small index by hand."""

import numpy as np
import pytest
from scipy import sparse

from cr5.counts.weighting import tfidf
from cr5.fitting import fit as fitting
from cr5.systems.projections.cl_esa import ClEsa

WORDS = {"da": ["hus", "kat", "og"], "en": ["cat", "house", "the", "tree"]}
COUNTS = {
    "da": np.array([[2, 0, 1], [0, 3, 1], [1, 1, 0]]),
    "en": np.array([[0, 2, 3, 0], [2, 0, 1, 0], [0, 0, 0, 4], [1, 1, 0, 0]]),
}
WEIGHTS = {"da": np.array([1, 2, 0.5]), "en": np.array([2, 1.5, 0.5, 3])}
# English alone has concept 2: it is no dimension
CONCEPTS = {"da": np.array([0, 3, 1]), "en": np.array([3, 0, 2, 1])}
WHOLE = {"keep": [None]}


@pytest.fixture
def training(training_of):
    features = {x: tfidf(sparse.csr_matrix(COUNTS[x]), WEIGHTS[x], "raw") for x in WORDS}
    given = {"features": features, "concepts": CONCEPTS, "n_concepts": 4, "weights": WEIGHTS}
    return lambda **more: training_of(WORDS, **given | more)


def test_documents_of_one_concept_and_language_are_one(training):
    """Both documents of English concept 1 are added up, and the sum is scaled."""
    concepts = CONCEPTS | {"en": np.array([3, 0, 1, 1])}
    table = fitting.fit(ClEsa(**WHOLE), training(concepts=concepts)).model.tables["en"].toarray()
    rows = tfidf(sparse.csr_matrix(COUNTS["en"]), WEIGHTS["en"], "raw").toarray()
    both = rows[2] + rows[3]
    np.testing.assert_allclose(table[:, 1], both / np.linalg.norm(both), atol=1e-6)
