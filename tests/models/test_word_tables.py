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

WORDS, WEIGHTS = called.WORDS, {"en": np.array([1.0, 2.0, 0.5]), "vi": np.ones(2)}
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
    counts = sparse.csr_matrix(counts)
    table = generator.normal(size=(12, 5)) * (generator.random((12, 5)) < 0.5)
    table = table.astype(np.float32)
    weights = generator.random(12) + 0.5
    offset = generator.normal(size=5) if kind == "offset" else np.zeros(5)
    fitted = WordTables(
        {"en": [str(i) for i in range(12)]},
        {"en": sparse.csr_matrix(table) if kind == "sparse" else table},
        {"en": weights},
        {"en": offset} if kind == "offset" else None,
        *(term_frequency, input_norm, norm, ()),
    )
    fitted.check()
    rows = []
    for chunk in (word_tables.CHUNK, 7):
        monkeypatch.setattr(word_tables, "CHUNK", chunk)
        found = fitted.embed(counts, "en")
        assert sparse.issparse(found) == (kind == "sparse")
        rows.append(found.toarray() if kind == "sparse" else found)
    np.testing.assert_array_equal(*rows)
    entered = of_norm(FREQUENCIES[term_frequency](counts.toarray()) * weights, input_norm)
    expected = of_norm(entered @ table + offset, norm)
    np.testing.assert_allclose(rows[0], expected, rtol=2e-6, atol=2e-6)
    assert (rows[0][3] == 0).all() == (kind != "offset")


def test_tables_towards_the_candidates():
    """From en (3 words) and vi (2 words) to en (3 wide) and to vi (2 wide)."""
    to_vi = sparse.csr_matrix(np.array([[1, 0], [0.5, 0.5], [0, 0]], np.float32))
    to_en = sparse.csr_matrix(np.array([[0, 1, 0], [0, 0, 1]], np.float32))
    tables = {
        "en": {"en": sparse.identity(3, np.float32, "csr"), "vi": to_vi},
        "vi": {"en": to_en, "vi": sparse.identity(2, np.float32, "csr")},
    }
    ones = {x: np.ones(len(words)) for x, words in WORDS.items()}
    fitted = WordTables(WORDS, tables, ones, norm="none", measures=("dot",))
    fitted.check()
    assert (fitted.directed, MODEL.directed) == (True, False)
    towards_vi = fitted.embed(COUNTS, "en", "vi").toarray()
    np.testing.assert_allclose(towards_vi, [[2.5, 0.5], [0, 0], [0, 0], [1, 0]])
    np.testing.assert_array_equal(fitted.embed(COUNTS, "en", "en").toarray(), COUNTS.toarray())
    assert fitted.learned("en", "vi").tolist() == [True, True, False]
    assert fitted.learned("en").tolist() == [True, True, True]


@pytest.mark.parametrize("kind", KINDS)
def test_the_largest_numbers_of_float32_are_finite(kind):
    replace(MODEL, tables={x: kind(np.full((len(y), 2), 3e38)) for x, y in WORDS.items()}).check()


def test_other_weights_of_the_words_of_one_language():
    counts = sparse.csr_matrix([[1, 1]])
    other = MODEL.reweighted("vi", np.array([3.0, 4.0]))  # 3 x (0, 2) + 4 x (3, 0)
    np.testing.assert_allclose(other.embed(counts, "vi"), [[12 / 180**0.5, 6 / 180**0.5]])
    np.testing.assert_array_equal(other.embed(COUNTS, "en"), MODEL.embed(COUNTS, "en"))


@pytest.mark.parametrize("kind", KINDS)
def test_a_word_without_a_vector_or_a_weight_was_not_learned(kind):
    tables = {"en": kind(np.array([[1, 0], [0, 0], [1, -1.0]])), "vi": kind(np.ones((2, 2)))}
    fitted = replace(MODEL, tables=tables, weights=WEIGHTS | {"en": np.array([1.0, 2.0, 0.0])})
    assert fitted.learned("en").tolist() == [True, False, False]
    assert fitted.learned("vi").tolist() == [True, True]


def test_the_words_that_a_second_stage_matches():
    """2 ln(1 + 3) to 1 ln(1 + 1): weights 4/5 and 1/5, whatever the norm of a document."""
    weights = WEIGHTS | {"en": np.array([2.0, 1, 1])}
    plain = replace(MODEL, term_frequency="log", weights=weights)
    found = plain.matched(sparse.csr_matrix([[3, 0, 1], [0, 0, 0]]), "en")
    np.testing.assert_allclose(found.weights.toarray(), [[0.8, 0, 0.2], [0, 0, 0]], rtol=1e-6)
    assert found.vectors is plain.tables["en"]
    thin = replace(MODEL, tables={x: sparse.csr_matrix(y) for x, y in plain.tables.items()})
    with pytest.raises(UserError, match="WordTables has no vectors of words that could be matched"):
        thin.matched(sparse.csr_matrix([[1, 1]]), "vi")


BESIDE = {"en": ["a", "b"], "vi": ["c", "d"]}
JOINED = JoinedTables(
    words=BESIDE,
    tables={"en": np.array([[1.0, 0], [0, 1]]), "vi": np.array([[1.0, 1], [2, 0]])},
    weights={x: np.ones(2) for x in BESIDE},
    offsets={"en": np.array([0.0, 1]), "vi": np.zeros(2)},
    beside={x: sparse.csr_matrix(np.eye(2, 3)) for x in BESIDE},
    beside_weights={x: np.array([1.0, 2.0]) for x in BESIDE},
    beside_term_frequency="sqrt",
    beta=0.5,
)


def unit(row):
    return np.array(row) / (np.linalg.norm(row) or 1)


@pytest.mark.parametrize("input_norm", ["none", "l2"])
def test_the_parts_of_a_word_are_its_own_in_both_tables(input_norm):
    columns, rows = replace(JOINED, input_norm=input_norm).parts(sparse.csr_matrix([[1, 9]]), "en")
    assert columns.tolist() == [0, 1, -1]
    # sqrt(count) x weight: 1 of the first word, 6 of the second, nothing of what is in every text
    z = unit([1, 6]) * 0.5**0.5 / 1.5**0.5
    np.testing.assert_allclose(rows.sparse.toarray(), [[z[0], 0, 0], [0, z[1], 0], [0, 0, 0]])
    e = [1, 9] if input_norm == "none" else unit([1, 9])
    scale = np.linalg.norm([e[0], e[1] + 1]) * 1.5**0.5
    np.testing.assert_allclose(rows.dense, np.array([[e[0], 0], [0, e[1]], [0, 1]]) / scale)


def test_a_word_is_learned_in_either_table():
    beside = {x: sparse.csr_matrix(np.diag([0.0, y])) for x, y in (("en", 1), ("vi", 0))}
    fitted = replace(JOINED, tables=dict.fromkeys(BESIDE, np.diag([1.0, 0])), beside=beside)
    assert fitted.learned("en").tolist() == [True, True]
    assert fitted.learned("vi").tolist() == [True, False]
