from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse

from cr5.base.errors import UserError
from cr5.models import word_tables
from cr5.models.contract import ModelError
from cr5.models.word_tables import WordTables

WORDS = {"en": ["a", "b c", ""], "vi": ["đ", "e"]}
COUNTS = sparse.csr_matrix([[2, 1, 0], [0, 0, 0], [0, 0, 4], [1, 0, 1]])


def model(**changes):
    tables = {
        "en": np.array([[1, 0], [0, 1], [1, -1]], np.float32),
        "vi": np.array([[0, 2], [3, 0]], np.float32),
    }
    weights = {"en": np.array([1.0, 2.0, 0.5]), "vi": np.ones(2)}
    return WordTables(**{"words": WORDS, "tables": tables, "weights": weights, **changes})


def norm_of(vector, norm):
    if norm == "none":
        return 1
    return sum(abs(x) for x in vector) if norm == "l1" else sum(x * x for x in vector) ** 0.5


def slowly(counts, table, weights, offset, term_frequency, input_norm, norm):
    """One document and one number at a time."""
    frequency = {"raw": lambda c: c, "log": lambda c: np.log(1 + c), "binary": lambda c: c > 0}
    frequency["sqrt"] = lambda c: c**0.5
    expected = []
    for bag in np.asarray(counts.toarray(), float):
        entered = [frequency[term_frequency](c) * w for c, w in zip(bag, weights, strict=True)]
        scale = norm_of(entered, input_norm) or 1
        row = [
            sum(x / scale * table[i][k] for i, x in enumerate(entered)) + offset[k]
            for k in range(len(offset))
        ]
        expected.append([x / (norm_of(row, norm) or 1) for x in row])
    return expected


def test_embedding_by_hand():
    # 2 x 1 x (1, 0) + 1 x 2 x (0, 1) = (2, 2); nothing; 4 x 0.5 x (1, -1); (1.5, -0.5)
    half = np.sqrt(0.5)
    expected = [[half, half], [0, 0], [half, -half], [3 / np.sqrt(10), -1 / np.sqrt(10)]]
    found = model().embed(COUNTS, "en")
    np.testing.assert_allclose(found, expected, rtol=1e-6)
    assert found.dtype == np.float32


@pytest.mark.parametrize("norm", ["l2", "l1", "none"])
@pytest.mark.parametrize("input_norm", ["l2", "l1", "none"])
@pytest.mark.parametrize("term_frequency", ["raw", "log", "sqrt", "binary"])
@pytest.mark.parametrize("kind", ["dense", "sparse", "offset"])
def test_equals_one_number_at_a_time(norm, input_norm, term_frequency, kind):
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
    found = fitted.embed(counts, "en")
    assert sparse.issparse(found) == (kind == "sparse")
    found = found.toarray() if kind == "sparse" else found
    expected = slowly(counts, table, weights, offset, term_frequency, input_norm, norm)
    np.testing.assert_allclose(found, expected, rtol=2e-6, atol=2e-6)
    assert (found[3] == 0).all() == (kind != "offset")


def test_folding_in_of_a_topic_model():
    """One step of expected topic counts: (sum of p(t|w) over words + alpha - 1), normalised."""
    generator = np.random.default_rng(1)
    table = generator.dirichlet(np.ones(4), 9).astype(np.float32)
    fitted = WordTables(
        {"en": list("abcdefghi")},
        {"en": table},
        {"en": np.ones(9)},
        {"en": np.full(4, 1.1 - 1)},
        norm="l1",
        measures=("l1",),
    )
    fitted.check()
    counts = generator.poisson(1, (6, 9))
    counts[2] = 0
    found = fitted.embed(sparse.csr_matrix(counts), "en")
    for bag, row in zip(counts, found, strict=True):
        tokens = [table[word] for word, count in enumerate(bag) for _ in range(count)]
        topics = np.sum([np.zeros(4), *tokens], axis=0) + 0.1
        np.testing.assert_allclose(row, topics / (len(tokens) + 0.4), rtol=1e-5)
    np.testing.assert_allclose(found[2], 0.25, rtol=1e-6)  # nothing known: the prior


@pytest.mark.parametrize("is_sparse", [False, True])
def test_chunks_change_no_bit(monkeypatch, is_sparse):
    counts = sparse.csr_matrix(np.random.default_rng(0).poisson(1, (50, 3)))
    tables = model().tables
    if is_sparse:
        tables = {x: sparse.csr_matrix(table) for x, table in tables.items()}
    fitted = model(tables=tables)
    whole = fitted.embed(counts, "en")
    monkeypatch.setattr(word_tables, "CHUNK", 7)
    cut = fitted.embed(counts, "en")
    if is_sparse:
        whole, cut = whole.toarray(), cut.toarray()
    np.testing.assert_array_equal(cut, whole)


def directed():
    """From en (3 words) and vi (2 words) to en (3 wide) and to vi (2 wide)."""
    to_vi = sparse.csr_matrix(np.array([[1, 0], [0.5, 0.5], [0, 0]], np.float32))
    to_en = sparse.csr_matrix(np.array([[0, 1, 0], [0, 0, 1]], np.float32))
    tables = {
        "en": {"en": sparse.identity(3, np.float32, "csr"), "vi": to_vi},
        "vi": {"en": to_en, "vi": sparse.identity(2, np.float32, "csr")},
    }
    return WordTables(WORDS, tables, {"en": np.ones(3), "vi": np.ones(2)}, norm="none")


def test_directed_tables_translate_towards_the_candidates():
    fitted = replace(directed(), measures=("dot",))
    fitted.check()
    assert fitted.directed
    assert not model().directed
    towards_vi = fitted.embed(COUNTS, "en", "vi").toarray()
    np.testing.assert_allclose(towards_vi, [[2.5, 0.5], [0, 0], [0, 0], [1, 0]])
    np.testing.assert_array_equal(fitted.embed(COUNTS, "en", "en").toarray(), COUNTS.toarray())


def changed(field, value):
    return model(**{field: {**getattr(model(), field), "vi": value}})


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_matrix, sparse.csc_matrix])
@pytest.mark.parametrize("value", [np.nan, -np.inf, 1e39, 1e200])
def test_the_first_word_that_is_not_finite_in_float32_is_named(kind, value):
    table = np.array([[1, 0], [0, value], [value, 0]])
    bad = replace(model(), tables={"en": kind(table), "vi": kind(np.ones((2, 2)))})
    expected = "'en' has values .* rows of 2 words, such as 'b c'; they are nan, inf or above 3e38"
    with pytest.raises(ModelError, match=expected):
        bad.check()
    kept = np.where(np.isfinite(table) & (table < 1e39), table, 3e38)
    replace(bad, tables={**bad.tables, "en": kind(kept)}).check()


def test_other_weights_of_the_words_of_one_language():
    tables = {x: np.eye(2, dtype=np.float32) for x in ("da", "en")}
    model = WordTables({x: ["a", "b"] for x in tables}, tables, dict.fromkeys(tables, np.ones(2)))
    counts = sparse.csr_matrix([[1, 1]])
    other = model.reweighted("da", np.array([3.0, 4.0]))
    np.testing.assert_allclose(other.embed(counts, "da"), [[0.6, 0.8]], rtol=1e-6)
    np.testing.assert_array_equal(other.embed(counts, "en"), model.embed(counts, "en"))
    np.testing.assert_allclose(model.embed(counts, "da"), [[0.5**0.5] * 2], rtol=1e-6)


def test_a_word_without_a_vector_or_a_weight_was_not_learned():
    tables = {"en": np.array([[1, 0], [0, 0], [1, -1]], np.float32), "vi": np.ones((2, 2))}
    fitted = model(tables=tables, weights={"en": np.array([1.0, 2.0, 0.0]), "vi": np.ones(2)})
    assert fitted.learned("en").tolist() == [True, False, False]
    assert fitted.learned("vi").tolist() == [True, True]
    thin = {x: sparse.csr_matrix(table) for x, table in tables.items()}
    assert model(tables=thin).learned("en").tolist() == [True, False, True]


def test_a_directed_model_knows_a_word_towards_some_languages():
    assert directed().learned("en", "vi").tolist() == [True, True, False]
    assert directed().learned("en").tolist() == [True, True, True]


def test_the_words_that_a_second_stage_matches():
    """2 ln(1 + 3) to 1 ln(1 + 1): weights 4/5 and 1/5, whatever the norm of a document."""
    plain = model(term_frequency="log", weights={"en": np.array([2.0, 1, 1]), "vi": np.ones(2)})
    found = plain.matched(sparse.csr_matrix([[3, 0, 1], [0, 0, 0]]), "en")
    np.testing.assert_allclose(found.weights.toarray(), [[0.8, 0, 0.2], [0, 0, 0]], rtol=1e-6)
    assert found.vectors is plain.tables["en"]
    with pytest.raises(UserError, match="WordTables has no vectors of words that could be matched"):
        changed("tables", sparse.csr_matrix(np.ones((2, 2)))).matched(
            sparse.csr_matrix([[1, 1]]), "vi"
        )
