from math import log

import numpy as np
from scipy import sparse

from cr5.counts.columns import beginning, untrained
from cr5.systems.spelling.beginnings import beginnings

WORDS = {"it": ["méxico", "di", "nuovo"], "en": ["mexican", "of", "nuo"]}
DOCUMENTS = {
    "it": sparse.csr_matrix([[0.5, 1, 0], [0, 1, 0], [2, 1, 0]]),
    "en": sparse.csr_matrix([[1.0, 1, 0], [0, 1, 0], [0, 1, 0], [0, 1, 0]]),
}


def test_words_that_begin_alike_share_a_column_in_all_languages():
    tables = beginnings(WORDS, DOCUMENTS, 5).tables
    dense = {x: table.toarray() for x, table in tables.items()}
    assert dense["it"].shape == dense["en"].shape == (3, 5)  # di, mexic, nuo, nuovo, of
    np.testing.assert_array_equal(dense["it"] @ dense["en"].T, np.diag([1, 0, 0]))
    np.testing.assert_array_equal(dense["it"].sum(axis=1), np.ones(3))
    shorter = beginnings(WORDS, DOCUMENTS, 3).tables
    expected = np.diag([1, 0, 1])  # nuovo and nuo begin with nuo
    np.testing.assert_array_equal((shorter["it"] @ shorter["en"].T).toarray(), expected)


def test_a_beginning_weighs_by_the_language_where_it_is_most_frequent():
    weights = beginnings(WORDS, DOCUMENTS, 5).weights
    # mexic: 2 of 3 in it, 1 of 4 in en; di: 3 of 3; of: 4 of 4; nuo, nuovo: none of 3 (or of 4)
    expected = {
        "it": [-log(2.5 / 4), -log(3.5 / 4), -log(0.5 / 4)],
        "en": [-log(2.5 / 4), -log(4.5 / 5), -log(0.5 / 4)],
    }
    for x in WORDS:
        np.testing.assert_allclose(weights[x], expected[x])


def test_a_document_with_two_words_of_a_beginning_counts_once():
    words = {"en": ["mexico", "mexican"]}
    documents = {"en": sparse.csr_matrix([[1.0, 1], [0, 0], [0, 0]])}
    found = beginnings(words, documents, 5)
    assert found.tables["en"].shape == (2, 1)
    np.testing.assert_allclose(found.weights["en"], [-log(1.5 / 4)] * 2)


def test_beginnings_of_unknown_words_count_as_their_letters_if_these_are_enough():
    words = {"en": ["wait…", "waits", beginning("wait"), beginning("waits"), beginning("waiter")]}
    found = beginnings(words, {"en": sparse.csr_matrix(np.ones((1, 5)))}, 5)
    # in the columns of waite, waits and wait…, a word of its own; wait has too few letters
    assert found.tables["en"].toarray().tolist() == [
        [0, 0, 1],
        [0, 1, 0],
        [0, 0, 0],
        [0, 1, 0],
        [1, 0, 0],
    ]


def test_a_word_that_did_not_train_counts_as_any_other():
    words = {"en": ["waits", "of", untrained("waits"), untrained("of"), untrained("to")]}
    found = beginnings(words, {"en": sparse.csr_matrix([[1.0, 1, 0, 0, 0]])}, 5)
    of, to, waits = np.eye(3)
    np.testing.assert_array_equal(found.tables["en"].toarray(), [waits, of, waits, of, to])
