"""Small dictionaries by hand."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from cr5.tasks.base import Data
from cr5.tasks.lexicon_induction import LexiconInduction
from tests.tasks.asked import by_direction, candidate_ids, grades, query_ids

WORDS = {
    "da": ["og", "bank", "rød", "blå", "is"],
    "en": ["and", "bank", "red", "blue", "is", "ice", "crimson"],
}
ENGLISH = "and og\nred rød\nblue blå\ncrimson rød\nbank bank\nis er\nocean hav\n"
DANISH = """og\tand
Rød\tred
rød\tRED
rød\tcrimson
rød\tscarlet
bank\tbank
bank\tpiggy bank
is\tice
is\t1st
hest\thorse
is cream\tice
"""
COUNTS = ["entries", "used", "words", "queries"]


@pytest.fixture
def files(tmp_path):
    (tmp_path / "en-da").write_text(ENGLISH)
    (tmp_path / "da-en").write_text(DANISH)
    return {("en", "da"): tmp_path / "en-da", ("da", "en"): tmp_path / "da-en"}


def made(files, vocabularies=WORDS, **options):
    """The entries that are used, and how many by direction."""
    tables = LexiconInduction(**options).tables(files, vocabularies)
    return tables["entries"], tables["coverage"].set_index(["query", "target"])


def searches(entries, role="test", vocabularies=WORDS, dictionary=None, **options):
    """The searches by direction."""
    bags = {}
    for language, words in vocabularies.items():
        bags[language] = SimpleNamespace(words=pd.DataFrame({"word": words}))
    data = Data(bags, None, tables={"entries": entries, "dictionary": dictionary})
    task = LexiconInduction(**options)
    return by_direction(task.searches(data, ("da", "en"), role))


def counts(coverage, direction):
    return coverage.loc[direction, COUNTS].tolist()


def pairs(entries, language):
    """Words of a language and their translations."""
    is_of_language = entries["query"] == language
    of_language = entries.loc[is_of_language, ["word", "translation"]]
    return list(of_language.itertuples(index=False, name=None))


def test_entries_of_words_that_both_vocabularies_have_are_used_once(files):
    entries, coverage = made(files)
    assert pairs(entries, "da") == [
        ("og", "and"),
        ("rød", "red"),
        ("rød", "crimson"),
        ("bank", "bank"),
        ("is", "ice"),
    ]
    assert counts(coverage, ("da", "en")) == [11, 5, 7, 4]
    assert counts(coverage, ("en", "da")) == [7, 5, 7, 5]
    assert coverage.loc[("en", "da"), "file"] == "en-da"


def test_it_is_told_how_many_entries_have_words_of_the_corpus(files, caplog):
    """And warned of a dictionary that has none: of other languages, or turned round."""
    caplog.set_level("INFO")
    made(files)
    of_entries = "entries have both words in the vocabularies of"
    assert caplog.messages == [
        f"da-en: 6 of 11 {of_entries} 'da' and 'en'",
        f"en-da: 5 of 7 {of_entries} 'en' and 'da'",
    ]
    caplog.clear()
    files["en", "da"] = files["da", "en"]
    files["da", "en"].write_text("da en\nrød red\nis ice\n")
    made(files)
    told = [(record.levelname, record.getMessage().partition(";")[0]) for record in caplog.records]
    assert ("INFO", f"da-en: 2 of 2 {of_entries} 'da' and 'en'") in told
    assert ("WARNING", f"da-en: 0 of 3 {of_entries} 'en' and 'da'") in told


def test_a_part_is_of_different_words_in_the_order_of_the_file(files):
    """As MUSE's 5000-6500: an entry belongs to the part of its word's first occurrence."""
    entries, coverage = made(files, offset=2, limit=2)  # Rød is not rød
    assert pairs(entries, "da") == [("rød", "red"), ("rød", "crimson"), ("bank", "bank")]
    assert pairs(entries, "en") == [("blue", "blå"), ("crimson", "rød")]
    assert counts(coverage, ("da", "en")) == [11, 3, 2, 2]


@pytest.fixture
def english_file(files):
    """The files without that of Danish."""
    del files["da", "en"]
    return files


def test_a_pair_without_a_dictionary_is_named(english_file):
    entries, coverage = made(english_file)
    assert coverage.loc[("da", "en"), "file"] == ""
    assert counts(coverage, ("da", "en")) == [0, 0, 0, 0]
    assert list(searches(entries)) == [("en", "da")]


def test_a_pair_without_a_dictionary_may_have_the_other_one_inverted(english_file):
    entries, coverage = made(english_file, invert=True, limit=4)
    inverted = [("og", "and"), ("rød", "red"), ("blå", "blue"), ("rød", "crimson")]
    assert coverage["file"].tolist() == ["en-da", "en-da"]
    assert pairs(entries, "da") == inverted
    assert pairs(entries, "en") == [(english, danish) for danish, english in inverted]


def test_the_part_of_an_inverted_dictionary_is_that_of_its_own_words(english_file):
    """So what trains one way is not tested the other way."""
    entries, _ = made(english_file, invert=True, offset=3, limit=1)
    assert pairs(entries, "da") == [("rød", "crimson")]


def test_only_the_most_frequent_words_are_there_if_that_is_asked_for(files):
    entries, _ = made(files, most_frequent=3)
    assert pairs(entries, "da") == [("og", "and"), ("rød", "red"), ("bank", "bank")]
    search = searches(entries, most_frequent=3)["da", "en"]
    assert candidate_ids(search) == ["and", "bank", "red"]
    assert search.candidates.counts.toarray().tolist() == np.eye(3, 7).tolist()


def test_entries_with_a_word_that_the_model_lacks_are_not_asked_for(files):
    """Dictionaries are read with all words of the bags; a model has some of these."""
    entries, _ = made(files)
    model = {"da": ["og", "rød", "blå", "is"], "en": ["crimson", "and", "bank"]}
    search = searches(entries, vocabularies=model)["da", "en"]
    assert query_ids(search) == ["og", "rød"]
    assert grades(search) == [[0, 1, 0], [1, 0, 0]]
    assert searches(entries, vocabularies={"da": ["is"], "en": ["and"]}) == {}


def test_validation_asks_for_words_of_the_training_dictionary_that_no_test_has(files):
    entries, _ = made(files, offset=4)
    training, _ = made(files)
    tested = searches(entries)["en", "da"]
    validated = searches(entries, "validation", dictionary=training)["en", "da"]
    answers = np.argmax(grades(validated), axis=1)
    assert query_ids(tested) == ["bank"]
    assert query_ids(validated) == ["and", "red", "blue", "crimson"]
    assert [WORDS["da"][answer] for answer in answers] == ["og", "rød", "blå", "rød"]
