import pandas as pd
import pytest

from cr5.base.errors import UserError
from cr5.splits.copies import folded
from cr5.splits.seen import check_sentences, describe_test_texts, texts_of_tests
from cr5.tasks.classification import Classification
from cr5.tasks.documents import Documents
from cr5.tasks.sentences import Sentences

TESTS = {folded("A cat  sat.\n"), folded("the dog")}


def test_texts_are_equal_but_for_white_space_and_case():
    texts = [" A cat\tsat. ", "a cat sat", "the dog ran", "THE dog", "A cat sat."]
    assert describe_test_texts(texts, TESTS) == "3 texts, such as ' A cat\\tsat. ',"
    assert describe_test_texts(["a cat sat", "", " "], TESTS | {folded("")}) == ""


OF_PAGES = [("4", "of a page that tests", "P1"), ("5", "of one that trains", "P2")]


@pytest.mark.parametrize(
    ("kind", "records", "expected"),
    [
        (Documents, {"queries": [("3", "asks")], "labelled": [("1", "too")]}, ["asks", "too"]),
        (
            Classification,
            {"labelled": [("1", "trains", "", "art")], "test": [("2", "tests", "", "art")]},
            ["tests"],
        ),
        (
            Sentences,
            {"all": OF_PAGES, "all.idf": [("6", "only weighs", "")]},
            ["of a page that tests"],
        ),
    ],
)  # fmt: skip
def test_what_weighs_is_labelled_or_of_concepts_that_train_is_no_test(kind, records, expected):
    assert list(texts_of_tests(kind(), records, {"P1"})) == expected


def test_sentences_to_align_that_are_tested_are_refused_with_their_number():
    table = pd.DataFrame({"id": ["1", "2"], "en": ["the dog", None], "es": ["el perro", "x"]})
    check_sentences(table, {"es": TESTS, "da": TESTS})
    with pytest.raises(UserError, match=r"1 texts, such as 'the dog', in en are test or valid"):
        check_sentences(table, {"en": TESTS})
