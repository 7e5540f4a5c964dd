import numpy as np
import pytest
from scipy import sparse

from cr5.models.word_tables import JoinedTables

WORDS = {"en": ["a", "b"], "vi": ["c", "d"]}
COUNTS = {"en": [[4, 0], [1, 9], [0, 0]], "vi": [[1, 1], [0, 4]]}


def model(**changes):
    return JoinedTables(
        **{
            "words": WORDS,
            "tables": {"en": np.array([[1.0, 0], [0, 1]]), "vi": np.array([[1.0, 1], [2, 0]])},
            "weights": {x: np.ones(2) for x in WORDS},
            "offsets": {"en": np.array([0.0, 1]), "vi": np.zeros(2)},
            "beside": {x: sparse.csr_matrix(np.eye(2, 3)) for x in WORDS},
            "beside_weights": {x: np.array([1.0, 2.0]) for x in WORDS},
            "beside_term_frequency": "sqrt",
            "beta": 0.5,
            **changes,
        }
    )


def unit(row):
    return np.array(row) / (np.linalg.norm(row) or 1)


def test_the_cosine_is_that_of_the_table_and_beta_times_that_of_what_is_beside():
    fitted = model()
    fitted.check()
    rows = {x: fitted.embed(sparse.csr_matrix(COUNTS[x]), x) for x in WORDS}
    e = {"en": [unit([4, 1]), unit([1, 10]), unit([0, 1])], "vi": [unit([3, 1]), unit([8, 0])]}
    # sqrt(count) x weight
    z = {"en": [unit([2, 0]), unit([1, 6]), unit([0, 0])], "vi": [unit([1, 2]), unit([0, 4])]}
    found = rows["en"].dense @ rows["vi"].dense.T
    found = found + (rows["en"].sparse @ rows["vi"].sparse.T).toarray()
    expected = (np.array(e["en"]) @ np.transpose(e["vi"])) / 1.5
    expected += 0.5 / 1.5 * np.array(z["en"]) @ np.transpose(z["vi"])
    np.testing.assert_allclose(found[:2], expected[:2], atol=1e-6)
    np.testing.assert_allclose(found[2], 1.5**0.5 * expected[2], atol=1e-6)  # it has e alone
    assert rows["en"].dtype == np.float32
    assert rows["en"].shape == (3, 5)


@pytest.mark.parametrize("input_norm", ["none", "l2"])
def test_the_parts_of_a_word_are_its_own_in_both_tables(input_norm):
    counts = sparse.csr_matrix([[1, 9]])
    columns, rows = model(input_norm=input_norm).parts(counts, "en")
    assert columns.tolist() == [0, 1, -1]
    # sqrt(count) x weight: 1 of the first word, 6 of the second, nothing of what is in every text
    z = unit([1, 6]) * 0.5**0.5 / 1.5**0.5
    np.testing.assert_allclose(rows.sparse.toarray(), [[z[0], 0, 0], [0, z[1], 0], [0, 0, 0]])
    e = [1, 9] if input_norm == "none" else unit([1, 9])
    scale = np.linalg.norm([e[0], e[1] + 1]) * 1.5**0.5
    np.testing.assert_allclose(rows.dense, np.array([[e[0], 0], [0, e[1]], [0, 1]]) / scale)


def test_a_word_is_learned_in_either_table():
    beside = {x: sparse.csr_matrix(np.diag([0.0, y])) for x, y in (("en", 1), ("vi", 0))}
    fitted = model(tables={x: np.array([[0.0, 0], [0, 1]]) for x in WORDS}, beside=beside)
    assert fitted.learned("en").tolist() == [False, True]
    fitted = model(tables=dict.fromkeys(WORDS, np.zeros((2, 2))), beside=beside)
    assert fitted.learned("en").tolist() == [False, True]
    assert fitted.learned("vi").tolist() == [False, False]
