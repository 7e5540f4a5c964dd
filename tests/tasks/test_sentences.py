import itertools

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from cr5.splits.draw import Draw
from cr5.tasks import texts
from cr5.tasks.base import Data
from cr5.tasks.sentences import Sentences
from cr5.texts import aligned
from tests.tasks.asked import by_direction, candidate_ids, query_ids

LANGUAGES = ("da", "en", "vi")
WORDS = {language: [language + letter for letter in "abcdef"] for language in LANGUAGES}
DANISH_ENGLISH = {("da", "en"), ("en", "da")}


def spelt(sentence, language):
    """The words of a sentence, each of which is given as a letter."""
    return " ".join(language + letter for letter in sentence)


def save(folder, columns, concepts="", parts=""):
    """Aligned sentences as the workflow writes them, of each language a list of them."""
    n_lines = min(map(len, columns.values()))
    ids = [f"s{number}" for number in range(n_lines)]
    table = pd.DataFrame({"id": ids, "concept": concepts, "part": parts})
    for language, sentences in columns.items():
        lines = [spelt(sentence, language) for sentence in sentences]
        table[language] = pd.Series(lines, dtype=object)
    about = {"name": folder.name, "languages": list(columns), "pairs": []}
    aligned.save(folder, table, about)


def data(folders, drawn=None, seed=0):
    """What searches are made from: the counted sentences of some folders."""
    counted = {}
    for language, words in WORDS.items():
        records = Sentences().records({"aligned": folders}, language)
        counted[language] = texts.count(records, language, words)
    return Data({}, drawn, counted, seed=seed)


def searches(data, languages=LANGUAGES, role="test", **options):
    """By direction, among sentences of files."""
    task = Sentences(path="{language}.txt", **options)
    return by_direction(task.searches(data, languages, role))


def test_bundles_of_pairs_are_searched_by_themselves(tmp_path):
    """As of Tatoeba: the pair da-vi has no file."""
    folders = [tmp_path / "da-en", tmp_path / "vi-en"]
    save(folders[0], {"da": "ab", "en": "ab"})
    save(folders[1], {"vi": "cde", "en": "cde"})
    asked = searches(data(folders))
    assert asked.keys() == DANISH_ENGLISH | {("vi", "en"), ("en", "vi")}
    assert candidate_ids(asked["da", "en"]) == ["s0", "s1"]
    assert candidate_ids(asked["en", "vi"]) == ["s0", "s1", "s2"]
    assert not searches(data(folders), ("da", "vi"))


@pytest.fixture
def fifty(tmp_path):
    """A folder of fifty sentences."""
    sentences = "abcdef" * 8 + "ab"
    save(tmp_path / "all", {"da": sentences, "en": sentences})
    return tmp_path / "all"


def drawn_ids(folder, seed, direction):
    search = searches(data([folder], seed=seed), queries=7)[direction]
    assert len(candidate_ids(search)) == 50
    return query_ids(search)


def test_queries_are_drawn_the_same_in_both_directions(fifty):
    ids = drawn_ids(fifty, 1, ("da", "en"))
    assert len(set(ids)) == 7
    assert drawn_ids(fifty, 1, ("en", "da")) == ids


def test_queries_are_drawn_by_seed(fifty):
    ids = drawn_ids(fifty, 1, ("da", "en"))
    assert drawn_ids(fifty, 1, ("da", "en")) == ids
    assert drawn_ids(fifty, 2, ("da", "en")) != ids


@pytest.fixture
def drawn():
    """c0 is a test query of da-en, c1 of da-vi, c2 of validation, c3 a distractor, c4 trains."""
    queries = pd.DataFrame(
        [("c0", "test", "da", "en"), ("c1", "test", "da", "vi"), ("c2", "validation", "da", "en")],
        columns=["concept", "role", "first", "second"],
    )
    candidates = pd.DataFrame(
        itertools.product(["c0", "c1", "c3"], LANGUAGES), columns=["concept", "language"]
    )
    pairs = pd.DataFrame(
        [("da", "en", 5, 1, 1), ("da", "vi", 5, 1, 0), ("en", "vi", 5, 0, 0)],
        columns=["first", "second", "concepts", "test", "validation"],
    )
    return Draw(queries, candidates, pairs)


@pytest.fixture
def paragraphs_of(tmp_path, drawn):
    """Gives the searches among paragraphs of the corpus, which are of these concepts."""

    def searches_of(concepts, role):
        save(tmp_path / "all", dict.fromkeys(LANGUAGES, "abcdef"), concepts)
        sentences = data([tmp_path / "all"], drawn)
        return by_direction(Sentences().searches(sentences, LANGUAGES, role))

    return searches_of


def test_own_paragraphs_are_of_documents_that_do_not_train(paragraphs_of):
    asked = paragraphs_of(["c0", "c1", "c2", "c3", "c4", "c0"], "test")
    assert asked.keys() == DANISH_ENGLISH | {("da", "vi"), ("vi", "da")}
    assert query_ids(asked["da", "en"]) == ["s0", "s5"]
    assert query_ids(asked["vi", "da"]) == ["s1"]
    for search in asked.values():
        assert candidate_ids(search) == ["s0", "s1", "s3", "s5"]


def test_validation_asks_for_paragraphs_of_validation_documents(paragraphs_of):
    """c1 is a test query of da-vi, so none of its paragraphs is searched here."""
    asked = paragraphs_of(["c0", "c1", "c2", "c3", "c4", "c2"], "validation")
    assert asked.keys() == DANISH_ENGLISH
    for search in asked.values():
        assert query_ids(search) == ["s2", "s5"]
        assert candidate_ids(search) == ["s2", "s3", "s5"]


LINES = ["a", "b", "c", "d", "ab", "ac", "ad"]


@pytest.fixture
def sentences_of(tmp_path):
    """Gives sentences that are the same letters in Danish and English, of some parts."""

    def made(lines, parts):
        save(tmp_path / "da-en", {"da": lines, "en": lines}, parts=parts)
        return data([tmp_path / "da-en"])

    return made


def test_validation_asks_for_other_sentences_of_the_files(sentences_of):
    parts = ["", "", "validation", "validation", "validation", "da", "en"]
    sentences = sentences_of(LINES, parts)
    tested = searches(sentences, role="test", idf="own")
    validated = searches(sentences, role="validation", idf="own")
    assert tested.keys() == DANISH_ENGLISH
    assert validated.keys() == DANISH_ENGLISH
    for direction in DANISH_ENGLISH:
        assert candidate_ids(tested[direction]) == ["s0", "s1"]
        assert query_ids(validated[direction]) == ["s2", "s3", "s4"]
        assert candidate_ids(validated[direction]) == ["s2", "s3", "s4"]


@pytest.mark.parametrize("role", ["test", "validation"])
def test_both_weigh_words_by_the_same_sentences(sentences_of, role):
    """Those of English are `ad` alone: N = 1, so a word of the one sentence weighs 1."""
    parts = ["", "", "validation", "validation", "validation", "da", "en"]
    asked = searches(sentences_of(LINES, parts), role=role, idf="own")
    assert asked["da", "en"].candidates.weights.tolist() == [1, 0, 0, 1, 0, 0]
    assert asked["en", "da"].candidates.weights.tolist() == [1, 0, 1, 0, 0, 0]


def test_without_sentences_apart_there_is_no_validation(sentences_of):
    assert not searches(sentences_of(LINES, ""), ("da", "en"), role="validation")


@pytest.fixture
def weighed(sentences_of):
    """40 lines of each language for its idf, and 3 to be searched."""
    danish = ["ab", "bb"] + 38 * ["c"]
    english = 40 * ["a"]
    searched = 3 * ["aaf"]
    parts = 40 * ["da"] + 40 * ["en"] + 3 * [""]
    return sentences_of(danish + english + searched, parts)


def test_own_idf_by_hand(weighed):
    """N = 40; log10(40 / 2) = 1.3, and never below 1."""
    search = searches(weighed, ("da", "en"), idf="own")["da", "en"]
    expected = [np.log10(40), np.log10(20), 1, 0, 0, 0]
    assert query_ids(search) == ["s80", "s81", "s82"]
    assert_allclose(search.queries.whole.weights, expected)
    assert_allclose(search.candidates.weights, [1, 0, 0, 0, 0, 0])
    assert search.queries.counts.toarray()[0].tolist() == [1, 0, 0, 0, 0, 1]


def test_own_tfidf_by_hand(weighed):
    """1 + ln(N / df); unknown words as if one sentence had them; words as often as they occur."""
    queries = searches(weighed, ("da", "en"), idf="own_tfidf")["da", "en"].queries
    expected = 1 + np.log([40, 20, 40 / 38, 40, 40, 40])
    assert_allclose(queries.whole.weights, expected)
    assert queries.counts.toarray()[0].tolist() == [2, 0, 0, 0, 0, 1]
