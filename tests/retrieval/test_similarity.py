"""Rows are compared in whatever form they come, as their texts are."""

import numpy as np
import pytest
from scipy import sparse

import cr5
from cr5.base.errors import UserError
from tests.retrieval import made_up

QUERIES = made_up.texts("en", 7).contents
CANDIDATES = made_up.texts("it", 5).contents


@pytest.mark.parametrize("kind", ["dense", "sparse", "joined", "dot", "l1"])
def test_rows_are_compared_as_their_texts_are(kind):
    model = made_up.embedder(kind)
    candidates = CANDIDATES + ["unknown"]
    expected = model.compare(QUERIES, "en", candidates, "it")
    query_rows = model.embed(QUERIES, "en")
    rows = model.embed(candidates, "it")
    scores = model.similarity(query_rows, rows)
    np.testing.assert_allclose(scores, expected, atol=1e-6)
    first_scores = model.similarity(query_rows[0], rows)
    np.testing.assert_allclose(first_scores, expected[:1], atol=1e-6)


def test_texts_are_no_rows(embedder):
    with pytest.raises(UserError, match="`compare` takes texts"):
        embedder.similarity(QUERIES, CANDIDATES)


def test_rows_of_any_length_have_cosines(embedder):
    rows = [[3, 4.0, 0]]
    others = np.array([[0, 2, 0], [-6, -8, 0], [0, 0, 0]])
    assert embedder.similarity(rows, others) == pytest.approx(np.array([[0.8, -1, 0]]))


def as_numbers(rows):
    return rows.toarray()


OTHER_FORMS = {
    "array of numbers": as_numbers,
    "sparse array": sparse.csr_array,
    "entries": sparse.coo_matrix,
}


@pytest.mark.parametrize("form", OTHER_FORMS)
def test_rows_with_strings_are_compared_in_whatever_form_they_come(form):
    model = made_up.embedder("joined")
    rows = model.embed(QUERIES, "en")
    other_rows = model.embed(CANDIDATES, "it")
    expected = (rows @ other_rows.T).toarray()
    in_other_form = OTHER_FORMS[form]
    scores = model.similarity(in_other_form(rows), other_rows)
    np.testing.assert_allclose(scores, expected, atol=1e-6)
    scores = model.similarity(rows, in_other_form(other_rows))
    np.testing.assert_allclose(scores, expected, atol=1e-6)
    numbers = rows[0].toarray().ravel()
    one_row = sparse.coo_array(numbers)
    scores = model.similarity(one_row, other_rows)
    np.testing.assert_allclose(scores, expected[:1], atol=1e-6)


@pytest.mark.parametrize("kind", ["dense", "joined", "l1"])
def test_of_no_rows_there_are_no_similarities(kind):
    model = made_up.embedder(kind)
    rows = model.embed(QUERIES, "en")
    no_rows = rows[:0]
    assert model.similarity(no_rows, rows).shape == (0, 7)
    assert model.similarity(rows, no_rows).shape == (7, 0)


def test_rows_have_two_dimensions(embedder):
    with pytest.raises(UserError, match=r"^rows: expected those of `embed`"):
        embedder.similarity(np.ones((1, 3, 3)), np.ones((3, 3)))


@pytest.mark.parametrize("kind", ["dense", "sparse", "joined"])
def test_no_cosine_is_above_one(kind):
    """Equal rows have a product that float32 and float64 round to more than 1."""
    model = made_up.embedder(kind)
    texts = made_up.texts("it", 60)
    rows = model.embed(texts.contents, "it").astype(np.float64)
    products = rows @ rows.T
    assert products.max() > 1
    assert model.similarity(rows, rows).max() == 1
    scores = model.compare(texts.contents, "it", texts.contents, "it", "cosine")
    assert scores.max() == 1
    index = cr5.Index(model)
    index.add(texts.ids, texts.contents, "it")
    for text in texts.contents:
        [[hit]] = index.search(text, "it", 1, "cosine")
        why = model.why(text, "it", text, "it", 1, "cosine")
        assert max(hit.score, why.score) <= 1
