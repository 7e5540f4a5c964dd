"""Texts in every form in which callers have them are the same documents."""

import math

import numpy as np
import pandas as pd
import pytest

import cr5
from cr5.base.errors import UserError
from cr5.given_texts import documents

EXPECTED = {
    "en": {"0": "a cat", "1": "a dog", "2": "the sea"},
    "it": {"0": "un gatto", "2": "il mare"},
}
EN = ["a cat", "a dog", "the sea"]
IT = ["un gatto", None, "il mare"]
LONG = [("en", "0", "a cat"), ("it", 0, "un gatto"), ("en", 1, "a dog")]
LONG += [("it", 2, "il mare"), ("en", "2 ", "the sea")]
NAMES = ["language", "concept", "text"]
WIDE = pd.DataFrame({"en": EN, "it": [IT[0], math.nan, IT[2]]})


FORMS = {
    "by language": {"en": EN, "it": IT},
    "of numpy": {"en": np.array(EN), "it": np.array(IT, object)},
    "of pandas": {"en": pd.Series(EN, index=[7, 8, 9]), "it": pd.Series(IT)},
    "with pandas' own missing": {"en": EN, "it": pd.array(IT, "string")},
    "columns of a frame": dict(WIDE),
    "by concept": {"en": dict(enumerate(EN)), "it": {"0": IT[0], "2": IT[2]}},
    "a frame": pd.DataFrame(LONG, columns=NAMES).astype({"concept": str}),
    "a frame without concepts": pd.DataFrame(
        {"language": ["en"] * 3 + ["it"] * 3, "text": EN + IT}
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_is_the_same_documents(form):
    assert documents(FORMS[form]) == EXPECTED


@pytest.mark.parametrize("missing", [None, math.nan, np.float32("nan"), pd.NA, pd.NaT, "", " \n"])
def test_missing_texts_are_no_documents_and_counted(caplog, missing):
    assert documents({"en": EN, "it": [IT[0], missing, IT[2]]}) == EXPECTED
    assert "texts, it: 1 of 3 texts are missing, and no documents; the first: " in caplog.text
    assert caplog.text.rstrip().endswith("number 2")


CONCEPTS = ["Q1", "Q2", "Q3"]
REVERSED = ["Q3", "Q2", "Q1"]


@pytest.mark.parametrize(
    ("concepts", "of_italian"),
    [(CONCEPTS, ["Q1", "Q3"]), ({"en": CONCEPTS, "it": REVERSED}, ["Q3", "Q1"])],
)
def test_concepts_are_given_for_all_or_for_each(concepts, of_italian):
    by_language = documents({"en": EN, "it": IT}, concepts)
    assert list(by_language["en"]) == CONCEPTS
    assert list(by_language["it"]) == of_italian


def test_one_language_may_have_its_concepts_as_keys_and_another_besides():
    texts = {"en": {"0": "a cat"}, "it": ["un gatto"]}
    assert documents(texts, {"it": ["0"]}) == {"en": {"0": "a cat"}, "it": {"0": "un gatto"}}


@pytest.mark.parametrize("column", ["Concept", "id", "_id"])
def test_the_concepts_of_a_frame_may_be_called_otherwise(column):
    frame = FORMS["a frame"].rename(columns={"concept": column})
    assert documents(frame) == EXPECTED
    assert documents(frame.set_index(column)) == EXPECTED
    assert documents(frame.set_index(column, drop=False)) == EXPECTED


def test_positions_in_a_frame_with_other_columns_are_told(caplog):
    documents(FORMS["a frame without concepts"].assign(wikidata_id="Q1", title="T"))
    assert caplog.records[0].getMessage().endswith("is one of these it? wikidata_id")


SERIES = {"en": pd.Series(EN, list("abc")), "it": pd.Series(["x", "y", "z"], list("bca"))}


def test_series_of_other_indexes_are_told_that_positions_pair_them(caplog):
    documents(SERIES)
    [message] = caplog.messages
    assert message.endswith("to pair them by index give series.to_dict()")
    caplog.clear()
    by_index = {language: series.to_dict() for language, series in SERIES.items()}
    assert documents(by_index)["it"] == {"b": "x", "c": "y", "a": "z"}
    documents(SERIES, CONCEPTS)
    documents(FORMS["columns of a frame"])
    documents(FORMS["a frame without concepts"])
    assert "indexes" not in caplog.text


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        ({"en": {"1": "a cat", "2": "a dog"}, "it": IT}, "'en' has concepts or ids, 'it' has none"),
        ({"en": set(EN), "it": set(IT)}, "texts: a set has no order"),
    ],
)
def test_texts_that_positions_cannot_pair_are_refused(texts, said):
    with pytest.raises(UserError, match=said):
        documents(texts)


def test_a_concept_that_is_there_twice_is_refused_with_both_places():
    """Compared without the white space around it; a missing text has no concept."""
    concepts = {"en": ["Q1", "Q2", "Q2", "Q2 "], "it": ["Q1", "Q2"]}
    texts = {"en": ["a cat", None, "a dog", "a hound"], "it": ["un gatto", "un cane"]}
    message = "texts, en, number 4, concept 'Q2 ': the concept was already at number 3; "
    with pytest.raises(UserError, match=message):
        documents(texts, concepts)


@pytest.mark.parametrize(
    ("texts", "found"),
    [({"en": EN}, "'en'"), ({"en": EN, "it": [None] * 3}, "'en'"), ({}, "no language")],
)
def test_texts_of_one_language_are_refused_in_words_of_texts(texts, found):
    with pytest.raises(UserError, match=f"texts: there are texts of {found}; give those of two"):
        cr5.fit(texts)


def test_of_files_it_is_said_who_reads_them(tmp_path):
    for place in (tmp_path, str(tmp_path)):
        with pytest.raises(UserError, match=r"texts: expected .* a frame .*`cr5 fit en=FILE"):
            documents(place)
