"""CL-ESA: against scikit-learn's cosines, and a small index by hand."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics.pairwise import cosine_similarity

from cr5.base.errors import LeftOutError
from cr5.counts.weighting import tfidf
from cr5.fitting import fit as fitting
from cr5.systems import cl_esa

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


def test_a_document_is_its_similarities_to_the_documents_of_each_concept(training):
    fitted = fitting.fit(cl_esa, training(), WHOLE)
    assert fitted.report["concepts"] == 3
    asked = {x: np.random.default_rng(1).poisson(2.0, (5, len(WORDS[x]))) + 1 for x in WORDS}
    rows = {}
    for x, counts in asked.items():
        order = [list(CONCEPTS[x]).index(concept) for concept in (0, 1, 3)]
        rows[x] = cosine_similarity(counts * WEIGHTS[x], (COUNTS[x] * WEIGHTS[x])[order])
    found = {x: fitted.model.embed(sparse.csr_matrix(counts), x) for x, counts in asked.items()}
    expected = cosine_similarity(rows["da"], rows["en"])
    np.testing.assert_allclose((found["da"] @ found["en"].T).toarray(), expected, atol=1e-6)
    assert expected.min() < 0.9


def test_documents_of_one_concept_and_language_are_one(training):
    """Both documents of English concept 1 are added up, and the sum is scaled."""
    concepts = CONCEPTS | {"en": np.array([3, 0, 1, 1])}
    table = fitting.fit(cl_esa, training(concepts=concepts), WHOLE).model.tables["en"].toarray()
    rows = tfidf(sparse.csr_matrix(COUNTS["en"]), WEIGHTS["en"], "raw").toarray()
    both = rows[2] + rows[3]
    np.testing.assert_allclose(table[:, 1], both / np.linalg.norm(both), atol=1e-6)


def test_each_word_keeps_the_concepts_where_it_weighs_most(training):
    whole = fitting.fit(cl_esa, training(), WHOLE).model.tables
    for keep in (1, 2, 3):
        cut = fitting.fit(cl_esa, training(), {"keep": [keep]}).model.tables
        for x, table in whole.items():
            dense = table.toarray()
            ranks = (-dense).argsort(axis=1, kind="stable").argsort(axis=1)
            np.testing.assert_array_equal(cut[x].toarray(), np.where(ranks < keep, dense, 0))
    assert max(np.diff(whole["da"].indptr)) > 1


def test_validation_chooses_how_many_are_kept(training):
    def validate(model):
        return 1.0 if model.tables["da"].nnz == 3 else 0.5

    fitted = fitting.fit(cl_esa, training(validate=validate), {"keep": [None, 2, 1]})
    assert fitted.chosen == {"keep": 1}


def test_languages_without_a_concept_in_common_are_left_out(training):
    concepts = CONCEPTS | {"da": np.array([2, 2, 2]), "en": np.array([0, 0, 1, 3])}
    with pytest.raises(LeftOutError, match="no concept has a training document in each of da, en"):
        fitting.fit(cl_esa, training(concepts=concepts), {})
