"""Rows of word tables, by dense arithmetic and by hand; those beside them, and towards others."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse
from sklearn.preprocessing import normalize

from cr5.base.errors import UserError
from cr5.models import word_tables
from cr5.models.word_tables import JoinedTables, WordTables
from tests.kit import called

WORDS = called.WORDS
WEIGHTS = {"en": np.array([1.0, 2.0, 0.5]), "vi": np.ones(2)}
COUNTS = sparse.csr_matrix([[2, 1, 0], [0, 0, 0], [0, 0, 4], [1, 0, 1]])
KINDS = [np.asarray, sparse.csr_matrix, sparse.csc_matrix]
MODEL = replace(called.PLAIN, weights=WEIGHTS)


FREQUENCIES = {"raw": np.asarray, "log": np.log1p, "sqrt": np.sqrt, "binary": np.sign}


def of_norm(rows, norm):
    return rows if norm == "none" else normalize(rows, norm)


@pytest.mark.parametrize("norm", ["l2", "l1", "none"])
@pytest.mark.parametrize("input_norm", ["l2", "l1", "none"])
@pytest.mark.parametrize("term_frequency", ["raw", "log", "sqrt", "binary"])
@pytest.mark.parametrize("kind", ["dense", "sparse", "offset"])
def test_equals_dense_arithmetic(norm, input_norm, term_frequency, kind, monkeypatch):
    generator = np.random.default_rng(0)
    counts = generator.poisson(0.4, (30, 12))
    counts[3] = 0
    has_entry = generator.random((12, 5)) < 0.5
    table = (generator.normal(size=(12, 5)) * has_entry).astype(np.float32)
    stored_table = sparse.csr_matrix(table) if kind == "sparse" else table
    weights = generator.random(12) + 0.5
    offset = np.zeros(5)
    offsets = None
    if kind == "offset":
        offset = generator.normal(size=5)
        offsets = {"en": offset}
    fitted = WordTables(
        words={"en": [str(number) for number in range(12)]},
        tables={"en": stored_table},
        weights={"en": weights},
        offsets=offsets,
        term_frequency=term_frequency,
        input_norm=input_norm,
        norm=norm,
        measures=(),
    )
    fitted.check()
    documents = sparse.csr_matrix(counts)
    rows = in_dense(fitted.embed(documents, "en"), kind)
    monkeypatch.setattr(word_tables, "CHUNK", 7)
    in_chunks = in_dense(fitted.embed(documents, "en"), kind)
    np.testing.assert_array_equal(in_chunks, rows)
    frequencies = FREQUENCIES[term_frequency](counts)
    entered = of_norm(frequencies * weights, input_norm)
    expected = of_norm(entered @ table + offset, norm)
    np.testing.assert_allclose(rows, expected, rtol=2e-6, atol=2e-6)
    assert (rows[3] == 0).all() == (kind != "offset")


def in_dense(rows, kind):
    """Return rows as an array; they are sparse if the table is."""
    assert sparse.issparse(rows) == (kind == "sparse")
    return rows.toarray() if kind == "sparse" else rows


def test_tables_towards_the_candidates():
    """From en (3 words) and vi (2 words) to en (3 wide) and to vi (2 wide)."""
    to_vi = np.array([[1, 0], [0.5, 0.5], [0, 0]], np.float32)
    to_en = np.array([[0, 1, 0], [0, 0, 1]], np.float32)
    en_to_en = sparse.identity(3, np.float32, "csr")
    vi_to_vi = sparse.identity(2, np.float32, "csr")
    tables = {
        "en": {"en": en_to_en, "vi": sparse.csr_matrix(to_vi)},
        "vi": {"en": sparse.csr_matrix(to_en), "vi": vi_to_vi},
    }
    weights = {"en": np.ones(3), "vi": np.ones(2)}
    fitted = WordTables(WORDS, tables, weights, norm="none", measures=("dot",))
    fitted.check()
    assert fitted.directed
    assert not MODEL.directed
    towards_vi = fitted.embed(COUNTS, "en", "vi").toarray()
    np.testing.assert_allclose(towards_vi, [[2.5, 0.5], [0, 0], [0, 0], [1, 0]])
    towards_en = fitted.embed(COUNTS, "en", "en").toarray()
    np.testing.assert_array_equal(towards_en, COUNTS.toarray())
    assert fitted.learned("en", "vi").tolist() == [True, True, False]
    assert fitted.learned("en").tolist() == [True, True, True]


@pytest.mark.parametrize("kind", KINDS)
def test_the_largest_numbers_of_float32_are_finite(kind):
    tables = {"en": kind(np.full((3, 2), 3e38)), "vi": kind(np.full((2, 2), 3e38))}
    replace(MODEL, tables=tables).check()


def test_other_weights_of_the_words_of_one_language():
    counts = sparse.csr_matrix([[1, 1]])
    other = MODEL.reweighted("vi", np.array([3.0, 4.0]))  # 3 x (0, 2) + 4 x (3, 0)
    np.testing.assert_allclose(other.embed(counts, "vi"), [[12 / 180**0.5, 6 / 180**0.5]])
    np.testing.assert_array_equal(other.embed(COUNTS, "en"), MODEL.embed(COUNTS, "en"))


@pytest.mark.parametrize("kind", KINDS)
def test_a_word_without_a_vector_or_a_weight_was_not_learned(kind):
    tables = {"en": kind(np.array([[1, 0], [0, 0], [1, -1.0]])), "vi": kind(np.ones((2, 2)))}
    weights = {"en": np.array([1.0, 2.0, 0.0]), "vi": np.ones(2)}
    fitted = replace(MODEL, tables=tables, weights=weights)
    assert fitted.learned("en").tolist() == [True, False, False]
    assert fitted.learned("vi").tolist() == [True, True]


def test_the_words_that_a_second_stage_matches():
    """2 ln(1 + 3) to 1 ln(1 + 1): weights 4/5 and 1/5, whatever the norm of a document."""
    weights = {"en": np.array([2.0, 1, 1]), "vi": np.ones(2)}
    model = replace(MODEL, term_frequency="log", weights=weights)
    words = model.matched(sparse.csr_matrix([[3, 0, 1], [0, 0, 0]]), "en")
    np.testing.assert_allclose(words.weights.toarray(), [[0.8, 0, 0.2], [0, 0, 0]], rtol=1e-6)
    assert words.vectors is model.tables["en"]


def test_a_second_stage_matches_no_words_of_sparse_tables():
    tables = {language: sparse.csr_matrix(table) for language, table in MODEL.tables.items()}
    with pytest.raises(UserError, match="WordTables has no vectors of words that could be matched"):
        replace(MODEL, tables=tables).matched(sparse.csr_matrix([[1, 1]]), "vi")


LANGUAGES = ("en", "vi")
BOTH = dict.fromkeys(LANGUAGES, sparse.csr_matrix(np.eye(2, 3)))
JOINED = JoinedTables(
    words={"en": ["a", "b"], "vi": ["c", "d"]},
    tables={"en": np.array([[1.0, 0], [0, 1]]), "vi": np.array([[1.0, 1], [2, 0]])},
    weights=dict.fromkeys(LANGUAGES, np.ones(2)),
    offsets={"en": np.array([0.0, 1]), "vi": np.zeros(2)},
    beside=BOTH,
    beside_weights=dict.fromkeys(LANGUAGES, np.array([1.0, 2.0])),
    beside_term_frequency="sqrt",
    beta=0.5,
)


def unit(row):
    return np.array(row) / np.linalg.norm(row)


@pytest.mark.parametrize(("input_norm", "e"), [("none", [1, 9]), ("l2", unit([1, 9]))])
def test_the_parts_of_a_word_are_its_own_in_both_tables(input_norm, e):
    model = replace(JOINED, input_norm=input_norm)
    columns, rows = model.parts(sparse.csr_matrix([[1, 9]]), "en")
    assert columns.tolist() == [0, 1, -1]
    # sqrt(count) x weight: 1 of the first word, 6 of the second, nothing of what is in every text
    z_first, z_second = unit([1, 6]) * 0.5**0.5 / 1.5**0.5
    expected = [[z_first, 0, 0], [0, z_second, 0], [0, 0, 0]]
    np.testing.assert_allclose(rows.sparse.toarray(), expected)
    e_first, e_second = e
    length = np.linalg.norm([e_first, e_second + 1]) * 1.5**0.5
    expected = np.array([[e_first, 0], [0, e_second], [0, 1]]) / length
    np.testing.assert_allclose(rows.dense, expected)


def test_a_word_is_learned_in_either_table():
    second_word = sparse.csr_matrix(np.diag([0.0, 1]))
    neither_word = sparse.csr_matrix(np.diag([0.0, 0]))
    fitted = replace(
        JOINED,
        tables=dict.fromkeys(LANGUAGES, np.diag([1.0, 0])),
        beside={"en": second_word, "vi": neither_word},
    )
    assert fitted.learned("en").tolist() == [True, True]
    assert fitted.learned("vi").tolist() == [True, False]
