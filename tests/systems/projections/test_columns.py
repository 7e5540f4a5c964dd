import numpy as np
import pytest
from scipy import sparse

from cr5.base.errors import UserError
from cr5.systems.projections.columns import columns

WORDS = {"en": ["the", "mill", "paris", "rare"], "es": ["el", "paris", "molino", "nada"]}
COUNTS = {
    "en": sparse.csr_matrix([[5, 1, 0, 0], [3, 0, 2, 1]]),
    "es": sparse.csr_matrix([[4, 1, 2, 0], [2, 1, 0, 0]]),
}
# the 8, el 6, paris 4, molino 2, mill 1, rare 1, nada 0


def test_merged_columns_by_hand():
    found = columns(WORDS, COUNTS, skip_words=1, max_words=3)
    assert found.n == 3
    assert found.numbers["en"].tolist() == [-1, -1, 1, -1]
    assert found.numbers["es"].tolist() == [0, 1, 2, -1]
    # el is in 2 of 4 documents, paris in 3, molino in 1
    bits = np.log2([4 / 2, 4 / 3, 4 / 1])
    np.testing.assert_allclose(found.weights["es"] * np.log(2), [*bits, 0])
    np.testing.assert_allclose(found.weights["en"] * np.log(2), [0, 0, bits[1], 0])


def test_entries_with_the_natural_logarithm_are_those_of_the_paper():
    weights = columns(WORDS, COUNTS, skip_words=0).weights["es"]
    assert np.log1p(2) * weights[2] == pytest.approx(np.log2(3) * np.log2(4 / 1))


def test_separate_columns_by_hand():
    found = columns(WORDS, COUNTS, skip_words=1, max_words=2, merged=False)
    assert found.numbers["en"].tolist() == [-1, 1, 0, -1]
    assert found.numbers["es"].tolist() == [-1, 3, 2, -1]  # both twice: by the alphabet
    assert found.n == 4
    # paris is in one English document and in both Spanish ones, of four
    assert found.weights["en"][2] * np.log(2) == pytest.approx(2)
    assert found.weights["es"][1] * np.log(2) == pytest.approx(1)


def test_separate_columns_start_language_by_language_whatever_the_order_of_the_mapping():
    reordered = [{x: each[x] for x in ("es", "en")} for each in (WORDS, COUNTS)]
    for words, counts in ((WORDS, COUNTS), reordered):
        found = columns(words, counts, skip_words=1, max_words=2, merged=False)
        assert found.starts == [0, 2]
        assert found.numbers["en"].max() < 2 <= found.numbers["es"].max()


def test_a_word_without_training_documents_is_dropped_unless_another_language_has_the_string():
    counts = COUNTS | {"en": sparse.csr_matrix([[5, 1, 0, 0], [3, 0, 0, 1]])}
    found = columns(WORDS, counts, skip_words=0)
    assert found.numbers["es"][3] == -1 and found.weights["es"][3] == 0
    assert found.numbers["en"][2] == found.numbers["es"][1] >= 0
    assert found.weights["en"][2] * np.log(2) == pytest.approx(np.log2(4 / 2))


def test_a_stored_zero_is_no_occurrence():
    counts = dict(COUNTS, es=COUNTS["es"].copy())
    counts["es"].data[1] = 0  # paris, first document
    found = columns(WORDS, counts, skip_words=0)
    assert found.weights["es"][1] * np.log(2) == pytest.approx(np.log2(4 / 2))


@pytest.mark.parametrize("merged", [True, False])
def test_selection_and_table_say_the_same(merged):
    found = columns(WORDS, COUNTS, skip_words=1, max_words=3, merged=merged)
    V = np.random.default_rng(0).normal(size=(found.n, 2))
    for language in WORDS:
        table = found.table(language, V)
        np.testing.assert_array_equal(found.selection(language) @ V, table)
        assert not table[found.numbers[language] < 0].any()


def test_the_order_of_languages_and_words_changes_nothing():
    first = columns(WORDS, COUNTS, skip_words=1)
    turned = {x: WORDS[x][::-1] for x in ("es", "en")}
    second = columns(turned, {x: COUNTS[x][:, ::-1].tocsr() for x in turned}, 1)
    for language in WORDS:
        np.testing.assert_array_equal(second.numbers[language][::-1], first.numbers[language])
        np.testing.assert_array_equal(second.weights[language][::-1], first.weights[language])


def test_no_word_left_is_said():
    with pytest.raises(UserError, match="skip_words is 50, max_words 20000; lower the first, or"):
        columns(WORDS, COUNTS)


def test_documents_may_be_taken_as_they_are():
    """Weights such as a matrix gives: .4 is no count, and less frequent than 3."""
    counts = {"en": sparse.csr_matrix([[0.4, 0.0], [0.2, 3.0]])}
    words = {"en": ["en1", "en2"]}
    found = columns(words, counts, skip_words=0, merged=False, weighted=False)
    assert found.term_frequency == "raw"
    assert found.weights["en"].tolist() == [1, 1]
    assert found.numbers["en"].tolist() == [1, 0]
