import itertools

import numpy as np
import pandas as pd
import pytest

from cr5.splits.draw import Draw
from cr5.tasks import texts
from cr5.tasks.base import Data
from cr5.tasks.sentences import Sentences
from cr5.texts import aligned

LANGUAGES = ("da", "en", "vi")
WORDS = {language: [language + letter for letter in "abcdef"] for language in LANGUAGES}


def spelt(sentence, language):
    """The words of a sentence, each of which is given as a letter."""
    return sentence and " ".join(language + letter for letter in sentence)


def bundle(folder, name, columns, concepts="", parts=""):
    """Aligned sentences as the workflow writes them, of each language a list of them."""
    n_lines = len(next(iter(columns.values())))
    ids = [f"s{number}" for number in range(n_lines)]
    table = pd.DataFrame({"id": ids, "concept": concepts, "part": parts})
    for language, sentences in columns.items():
        lines = [spelt(sentence, language) for sentence in sentences]
        table[language] = pd.Series(lines, dtype=object)
    aligned.save(folder / name, table, {"name": name, "languages": list(columns), "pairs": []})
    return str(folder / name)


def data(folders, drawn=None, seed=0):
    """What searches are made from: the counted sentences of some folders."""
    counted = {}
    for language, words in WORDS.items():
        records = Sentences().records({"aligned": folders}, language)
        counted[language] = texts.count(records, language, words)
    return Data({}, drawn, counted, seed=seed)


def by_pair(data, languages=LANGUAGES, role="test", **options):
    """The searches by direction; with a draw the sentences are paragraphs of the corpus."""
    path = {} if data.drawn else {"path": "{language}.txt"}
    searches = Sentences(**path, **options).searches(data, languages, role)
    return {(search.query_language, search.target_language): search for search in searches}


def test_bundles_of_pairs_are_searched_by_themselves(tmp_path):
    """As of Tatoeba: the pair da-vi has no file."""
    folders = [
        bundle(tmp_path, "da-en", {"da": ["a", "b"], "en": ["a", "b"]}),
        bundle(tmp_path, "vi-en", {"vi": ["c", "d", "e"], "en": ["c", "d", "e"]}),
    ]
    searches = by_pair(data(folders))
    assert searches.keys() == {("da", "en"), ("en", "da"), ("vi", "en"), ("en", "vi")}
    assert len(searches["da", "en"].candidates.ids) == 2
    assert len(searches["en", "vi"].candidates.ids) == 3
    assert not by_pair(data(folders), ("da", "vi"))


def test_queries_are_drawn_by_seed_the_same_in_both_directions(tmp_path):
    sentences = ["abcdef"[number % 6] for number in range(50)]
    folder = bundle(tmp_path, "all", {"da": sentences, "en": sentences})
    first = by_pair(data([folder], seed=1), queries=7)
    again = by_pair(data([folder], seed=1), queries=7)
    of_another_seed = by_pair(data([folder], seed=2), queries=7)
    ids = first["da", "en"].queries.ids
    assert len(ids) == 7
    assert ids.is_unique
    assert first["en", "da"].queries.ids.equals(ids)
    assert again["da", "en"].queries.ids.equals(ids)
    assert not of_another_seed["da", "en"].queries.ids.equals(ids)
    assert len(first["da", "en"].candidates.ids) == 50


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


def test_own_paragraphs_are_of_documents_that_do_not_train(tmp_path, drawn):
    columns = dict.fromkeys(LANGUAGES, "abcdef")
    concepts = ["c0", "c1", "c2", "c3", "c4", "c0"]
    searches = by_pair(data([bundle(tmp_path, "all", columns, concepts)], drawn))
    assert searches.keys() == {("da", "en"), ("en", "da"), ("da", "vi"), ("vi", "da")}
    assert searches["da", "en"].queries.ids.tolist() == ["s0", "s5"]
    assert searches["vi", "da"].queries.ids.tolist() == ["s1"]
    for search in searches.values():
        assert search.candidates.ids.tolist() == ["s0", "s1", "s3", "s5"]


def test_validation_asks_for_paragraphs_of_validation_documents(tmp_path, drawn):
    """c1 is a test query of da-vi, so none of its paragraphs is searched here."""
    columns = dict.fromkeys(LANGUAGES, "abcdef")
    concepts = ["c0", "c1", "c2", "c3", "c4", "c2"]
    folder = bundle(tmp_path, "all", columns, concepts)
    searches = by_pair(data([folder], drawn), role="validation")
    assert searches.keys() == {("da", "en"), ("en", "da")}
    for search in searches.values():
        assert search.queries.ids.tolist() == ["s2", "s5"]
        assert search.candidates.ids.tolist() == ["s2", "s3", "s5"]


LINES = ["a", "b", "c", "d", "ab", "ac", "ad"]


def test_validation_asks_for_other_sentences_of_the_files(tmp_path):
    parts = ["", "", "validation", "validation", "validation", "da", "en"]
    sentences = data([bundle(tmp_path, "da-en", {"da": LINES, "en": LINES}, parts=parts)])
    tested = by_pair(sentences, role="test", idf="own")
    validated = by_pair(sentences, role="validation", idf="own")
    assert tested.keys() == {("da", "en"), ("en", "da")}
    assert validated.keys() == {("da", "en"), ("en", "da")}
    for pair, search in validated.items():
        assert tested[pair].candidates.ids.tolist() == ["s0", "s1"]
        assert search.queries.ids.tolist() == ["s2", "s3", "s4"]
        assert search.candidates.ids.tolist() == ["s2", "s3", "s4"]
        # N = 1, so a word of the one sentence weighs 1
        assert search.candidates.weights.tolist() == tested[pair].candidates.weights.tolist()
    assert validated["da", "en"].candidates.weights.tolist() == [1, 0, 0, 1, 0, 0]


def test_without_sentences_apart_there_is_no_validation(tmp_path):
    sentences = data([bundle(tmp_path, "da-en", {"da": LINES, "en": LINES})])
    assert not by_pair(sentences, ("da", "en"), role="validation")


@pytest.fixture
def weighed(tmp_path):
    """40 lines of each language for its idf, and 3 to be searched."""
    lines = ["ab", "bb"] + ["c"] * 38 + ["a"] * 40 + ["aaf"] * 3
    parts = ["da"] * 40 + ["en"] * 40 + [""] * 3
    return data([bundle(tmp_path, "da-en", {"da": lines, "en": lines}, parts=parts)])


def test_own_idf_by_hand(weighed):
    """N = 40; log10(40 / 2) = 1.3, and never below 1."""
    search = by_pair(weighed, ("da", "en"), idf="own")["da", "en"]
    assert search.queries.ids.tolist() == ["s80", "s81", "s82"]
    np.testing.assert_allclose(
        search.queries.whole.weights, [np.log10(40), np.log10(20), 1, 0, 0, 0]
    )
    np.testing.assert_allclose(search.candidates.weights, [1, 0, 0, 0, 0, 0])
    assert search.queries.counts.toarray()[0].tolist() == [1, 0, 0, 0, 0, 1]


def test_own_tfidf_by_hand(weighed):
    """1 + ln(N / df); unknown words as if one sentence had them; words as often as they occur."""
    queries = by_pair(weighed, ("da", "en"), idf="own_tfidf")["da", "en"].queries
    expected = 1 + np.log([40, 20, 40 / 38, 40, 40, 40])
    np.testing.assert_allclose(queries.whole.weights, expected)
    assert queries.counts.toarray()[0].tolist() == [2, 0, 0, 0, 0, 1]
