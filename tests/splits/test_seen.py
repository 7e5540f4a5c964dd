import pandas as pd
import pytest

from cr5.base.errors import UserError
from cr5.splits.seen import check_sentences, folded, held_back, seen

TESTS = {folded("A cat  sat.\n"), folded("the dog")}


def test_texts_are_equal_but_for_white_space():
    said = seen([" A cat\tsat. ", "a cat sat.", "the dog ran", "the dog", "A cat sat."], TESTS)
    assert said == "3 texts, such as ' A cat\\tsat. ',"
    assert seen(["a cat sat.", "", " "], TESTS | {folded("")}) == ""


def test_labelled_documents_those_of_an_idf_and_concepts_that_train_are_no_tests():
    records = {
        "labelled": [("1", "trains", "", "sports")],
        "test": [("2", "tests", "", "sports")],
        "queries": [("3", "asks")],
        "all": [("4", "of a page that tests", "P1"), ("5", "of one that trains", "P2")],
        "all.idf": [("6", "only weighs", "")],
    }
    assert [*held_back(records, {"P1"})] == ["tests", "asks", "of a page that tests"]


def test_sentences_to_align_that_are_tested_are_refused_with_their_number():
    table = pd.DataFrame({"id": ["1", "2"], "en": ["the dog", None], "es": ["el perro", "x"]})
    check_sentences(table, {"es": TESTS, "da": TESTS})
    with pytest.raises(UserError, match=r"1 texts, such as 'the dog', in en are test or valid"):
        check_sentences(table, {"en": TESTS})
