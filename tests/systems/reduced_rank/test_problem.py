import numpy as np
import pytest
from scipy import sparse

from cr5.base.errors import UserError
from cr5.systems.reduced_rank.problem import check_prior, make_problem

X = sparse.csr_matrix(np.array([[1.0, 0.0, 2.0], [0.0, 3.0, 0.0]], dtype=np.float32))


def test_sums_and_offsets():
    problem = make_problem([X, X], [np.array([2, 0]), np.array([0, 0])], 4)
    assert (problem.n_documents, problem.n_concepts) == (4, 4)
    np.testing.assert_array_equal(problem.counts, [3, 0, 1, 0])
    np.testing.assert_array_equal(problem.language_sums.T, [[1, 3, 2, 0, 0, 0], [0, 0, 0, 1, 3, 2]])
    np.testing.assert_array_equal(problem.offsets, [3])
    np.testing.assert_array_equal(problem.variances, [0.75, 6.75, 3, 0.75, 6.75, 3])
    assert problem.language_sums.dtype == np.float64


def test_a_prior_multiplies_the_features_without_forming_their_product():
    F = [np.array([[2.0, 0, 0, 1], [0, 1, 0, 0], [0, 0, 1, 1]]), np.diag([1.0, 2, 1, 1])[:3]]
    labels = [np.array([2, 0]), np.array([0, 0])]
    problem = make_problem([X, X], labels, 4).with_prior(list(map(sparse.csr_matrix, F)))
    assert (problem.n_words, problem.n_unknowns) == (6, 4)
    Z = np.vstack([X @ each for each in F])
    np.testing.assert_array_equal(problem.language_sums.T, [Z[:2].sum(axis=0), Z[2:].sum(axis=0)])
    of_words = np.array([0.75, 6.75, 3])  # each in one of four documents
    expected = sum(each.T**2 @ of_words for each in F)
    np.testing.assert_array_equal(problem.variances, expected)
    U = np.arange(8.0).reshape(4, 2)
    np.testing.assert_array_equal(problem.adjoint(U), Z.T @ U)
    V = np.arange(8.0).reshape(4, 2)
    np.testing.assert_array_equal(problem.word_vectors(V), np.vstack(F) @ V)
    sample, known = problem.sample(np.array([2]), least=1)  # one document, of two words
    assert known.tolist() == [0, 2, 3]
    np.testing.assert_array_equal(sample.adjoint(U[:1]), (Z[:1].T @ U[:1])[known])
    assert problem.astype(np.float32).prior[1].dtype == np.float32


@pytest.mark.parametrize(
    "prior",
    [
        [sparse.csr_matrix((3, 2))],
        [sparse.csr_matrix((3, 2)), sparse.csr_matrix((2, 2))],
        [sparse.csr_matrix((3, 2)), sparse.csr_matrix((3, 1))],
        [sparse.csr_matrix((3, 2)), sparse.csr_matrix([[np.nan]] * 3)],
    ],
)
def test_a_prior_that_does_not_fit_is_refused(prior):
    with pytest.raises(UserError, match=r"a prior of shapes .* for languages of \[3, 3\] words"):
        check_prior(prior, [X, X])


def test_entries_stored_in_parts_are_added_up_in_a_copy():
    parts = sparse.csr_matrix((np.ones(3), np.array([2, 0, 2]), np.array([0, 3])), shape=(1, 3))
    problem = make_problem([parts], [np.array([0])], 1)
    np.testing.assert_array_equal(problem.language_sums.T, [[1, 0, 2]])
    np.testing.assert_array_equal(parts.data, [1, 1, 1])
    np.testing.assert_array_equal(parts.indices, [2, 0, 2])


def test_single_precision_is_kept_unless_a_language_is_double():
    labels = [np.array([2, 0]), np.array([0, 0])]
    single = make_problem([X, X], labels, 4)
    assert {each.dtype for each in single.features + single.labels} == {np.dtype(np.float32)}
    double = make_problem([X, X.astype(np.float64)], labels, 4)
    assert {each.dtype for each in double.features + double.labels} == {np.dtype(np.float64)}
    assert np.shares_memory(single.features[0].data, X.data)
    assert single.astype(np.float32).features[0] is single.features[0]
    assert single.astype(np.float64).features[0].dtype == np.float64


def test_a_sample_has_all_documents_of_its_concepts_and_no_others():
    problem = make_problem([X, X], [np.array([2, 0]), np.array([1, 3])], 4)
    sample, known = problem.sample(np.array([0, 3]))
    assert known.tolist() == [0, 1, 2, 3, 4, 5]
    assert (sample.n_documents, sample.n_concepts) == (2, 2)
    for features, row in zip(sample.features, (1, 1), strict=True):
        np.testing.assert_array_equal(features.toarray(), X[[row]].toarray())
    np.testing.assert_array_equal(sample.labels[0].toarray(), [[1, 0]])
    np.testing.assert_array_equal(sample.labels[1].toarray(), [[0, 1]])
    alone, _ = problem.sample(np.array([0]))
    assert [each.shape for each in alone.features] == [(1, 3), (0, 3)]


@pytest.mark.parametrize(
    ("features", "concepts", "message"),
    [
        ([], [], "at least one"),
        ([X, X], [np.array([0, 1])], "features of 2 languages and concepts of 1"),
        (
            [X, X[:0]],
            [np.array([0, 1]), np.array([], int)],
            "language 2 of 2: 0 training documents",
        ),
        ([X[:, :0]], [np.array([0, 1])], "2 training documents with a vocabulary of 0 words"),
        ([X], [np.array([0, 1, 2])], r"2 documents but concepts of shape \(3,\)"),
        ([X], [np.array([0, 9])], "from 0 to 3, got 0 to 9"),
        ([X], [np.array([-1, 0])], "got -1 to 0"),
        ([X], [np.array([0.0, 1.0])], "whole numbers"),
        ([X * np.nan], [np.array([0, 1])], "not finite"),
    ],
)
def test_what_does_not_fit_together_is_refused(features, concepts, message):
    with pytest.raises(UserError, match=message):
        make_problem(features, concepts, 4)


def test_a_language_without_words_or_documents_is_named_by_its_code():
    labels = [np.array([0, 1])] * 2
    with pytest.raises(UserError, match=r"Cr5, language vi: 2 training documents .* of 0 words"):
        make_problem([X, X[:, :0]], labels, 4, ["da", "vi"])
