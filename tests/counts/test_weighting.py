import numpy as np
import pytest
from scipy import sparse
from sklearn.feature_extraction.text import TfidfTransformer

from cr5.counts import weighting


@pytest.fixture
def counts():
    generator = np.random.default_rng(0)
    occurrences = generator.poisson(0.7, (40, 15))
    return sparse.csr_matrix(occurrences + np.eye(40, 15, dtype=int))


def test_tfidf_equals_scikit_learn_without_smoothing(counts):
    weights = weighting.inverse_document_frequency(counts)
    ours = weighting.tfidf(counts, weights, "raw")
    theirs = TfidfTransformer(smooth_idf=False).fit_transform(counts)
    np.testing.assert_allclose(ours.toarray(), theirs.toarray(), rtol=1e-12)


def test_idf_by_hand_and_for_a_word_no_document_has():
    counts = sparse.csr_matrix([[2, 0, 1], [1, 0, 0], [3, 0, 0], [1, 0, 5]])
    expected = [1.0, np.log(4) + 1, np.log(2) + 1]
    np.testing.assert_allclose(weighting.inverse_document_frequency(counts), expected)


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("raw", [3, 1]),
        ("log", [np.log(4), np.log(2)]),
        ("sqrt", [3**0.5, 1]),
        ("binary", [1, 1]),
    ],
)
def test_term_frequencies(kind, expected):
    counts = sparse.csr_matrix([[3, 0, 1]])
    weighted = weighting.term_frequency(counts, kind)
    np.testing.assert_allclose(weighted.data, expected)
    assert weighted.dtype == np.float64


def test_a_document_without_words_stays_zero():
    features = weighting.tfidf(sparse.csr_matrix((2, 3), dtype=np.int32), np.ones(3), "raw")
    assert features.nnz == 0
    assert features.shape == (2, 3)
