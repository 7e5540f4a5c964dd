"""Texts in every form in which callers have them are the same documents."""

import math

import numpy as np
import pandas as pd
import pytest

from cr5.base.errors import UserError
from cr5.from_texts.forms import documents

EXPECTED = {
    "en": [("0", "0", "a cat"), ("1", "1", "a dog"), ("2", "2", "the sea")],
    "it": [("0", "0", "un gatto"), ("2", "2", "il mare")],
}
EN, IT = ["a cat", "a dog", "the sea"], ["un gatto", None, "il mare"]
LONG = [("en", "0", "a cat"), ("it", 0, "un gatto"), ("en", 1, "a dog")]
LONG += [("it", 2, "il mare"), ("en", "2 ", "the sea")]
NAMES = ["language", "concept", "text"]


FORMS = {
    "by language": {"en": EN, "it": IT},
    "of numpy": {"en": np.array(EN), "it": np.array(IT, object)},
    "of pandas": {"en": pd.Series(EN, index=[7, 8, 9]), "it": pd.Series(IT)},
    "by concept": {"en": dict(enumerate(EN)), "it": {"0": IT[0], "2": IT[2]}},
    "a frame with a column each": pd.DataFrame({"en": EN, "it": [IT[0], math.nan, IT[2]]}),
    "with pandas' own missing": pd.DataFrame({"en": EN, "it": pd.array(IT, "string")}),
    "a long frame": pd.DataFrame([(x, str(y), z) for x, y, z in LONG], columns=NAMES),
    "columns as in files": pd.DataFrame({"id": [7, 8, 9], "text_en": EN, "text_it": IT}),
    "keys as in files": {"text_en": EN, "text_it": IT},
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_is_the_same_documents(form):
    assert documents(FORMS[form]) == EXPECTED


def test_without_concepts_those_of_one_position_belong_together():
    texts = pd.DataFrame({"language": ["en"] * 3 + ["it"] * 3, "text": EN + IT})
    assert documents(texts) == EXPECTED


@pytest.mark.parametrize("concepts", [["Q1", "Q2", "Q3"], {"en": ["Q1", "Q2", "Q3"]}])
def test_concepts_are_given_for_all_or_for_each(concepts):
    concepts = {**concepts, "it": ["Q3", "Q2", "Q1"]} if isinstance(concepts, dict) else concepts
    found = documents({"en": EN, "it": IT}, concepts)
    assert [concept for concept, _, _ in found["en"]] == ["Q1", "Q2", "Q3"]
    expected = ["Q3", "Q1"] if isinstance(concepts, dict) else ["Q1", "Q3"]
    assert [concept for concept, _, _ in found["it"]] == expected


def test_languages_are_chosen():
    frame = pd.DataFrame({"en": EN, "it": IT, "url": ["x"] * 3, "concept": ["a", "b", "c"]})
    found = documents(frame, languages=["it", "en"])
    assert list(found) == ["it", "en"]
    assert found["it"] == [("a", "a", "un gatto"), ("c", "c", "il mare")]
    assert list(documents(FORMS["a long frame"], languages=["it"])) == ["it"]
    lists = {"en": EN, "it": IT, "da": ["en kat"]}
    assert list(documents(lists, languages=["it", "en"])) == ["it", "en"]  # no matter how many da
    assert documents(pd.DataFrame({"text_en": EN, "it": IT}), languages=["en", "it"]) == EXPECTED
    ids = {"id": ["a-1", "a-2"], "sku": ["b-1", "b-2"]}  # of whoever says that these are texts
    assert list(documents(ids, languages=["id", "sku"])) == ["id", "sku"]


def test_of_files_it_is_said_who_reads_them(tmp_path):
    for given in (tmp_path, str(tmp_path)):
        with pytest.raises(UserError, match=r"texts: expected .* a frame .*`cr5 fit en=FILE"):
            documents(given)
