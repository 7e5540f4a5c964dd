import numpy as np
import pandas as pd
import pytest

from cr5.splits.draw import Draw
from cr5.tasks import texts
from cr5.tasks.base import Data
from cr5.tasks.sentences import Sentences
from cr5.texts import aligned

WORDS = {x: [f"{x}{c}" for c in "abcdef"] for x in ("da", "en", "vi")}


def bundle(folder, name, columns, concepts="", parts=""):
    """Aligned sentences as the workflow writes them; a sentence is a string of letters."""
    n = len(next(iter(columns.values())))
    table = pd.DataFrame({"id": [f"s{i}" for i in range(n)], "concept": concepts, "part": parts})
    for language, lines in columns.items():
        spelt = [x and " ".join(f"{language}{c}" for c in x) for x in lines]
        table[language] = pd.Series(spelt, dtype=object)
    aligned.save(folder / name, table, {"name": name, "languages": list(columns), "pairs": []})
    return str(folder / name)


def data(folders, drawn=None, seed=0):
    found = {
        x: texts.count(Sentences().records({"aligned": folders}, x), x, words)
        for x, words in WORDS.items()
    }
    return Data({}, drawn, found, seed=seed)


def by_pair(found, languages=("da", "en", "vi"), role="test", **options):
    """By direction; with a draw the sentences are paragraphs of the corpus."""
    path = {} if found.drawn else {"path": "{language}.txt"}
    searches = Sentences(**path, **options).searches(found, languages, role)
    return {(s.query_language, s.target_language): s for s in searches}


def test_bundles_of_pairs_are_searched_by_themselves(tmp_path):
    """As of Tatoeba: the pair da-vi has no file."""
    folders = [
        bundle(tmp_path, "da-en", {"da": ["a", "b"], "en": ["a", "b"]}),
        bundle(tmp_path, "vi-en", {"vi": ["c", "d", "e"], "en": ["c", "d", "e"]}),
    ]
    found = by_pair(data(folders))
    assert set(found) == {("da", "en"), ("en", "da"), ("vi", "en"), ("en", "vi")}
    assert len(found["da", "en"].candidates.ids) == 2
    assert len(found["en", "vi"].candidates.ids) == 3
    assert not by_pair(data(folders), ("da", "vi"))


def test_queries_are_drawn_by_seed_the_same_in_both_directions(tmp_path):
    columns = {x: ["abcdef"[i % 6] for i in range(50)] for x in ("da", "en")}
    folder = [bundle(tmp_path, "all", columns)]
    one, again, other = (by_pair(data(folder, seed=s), queries=7) for s in (1, 1, 2))
    ids = one["da", "en"].queries.ids
    assert len(ids) == 7 and ids.is_unique
    assert one["en", "da"].queries.ids.equals(ids)
    assert again["da", "en"].queries.ids.equals(ids)
    assert not other["da", "en"].queries.ids.equals(ids)
    assert len(one["da", "en"].candidates.ids) == 50


@pytest.fixture
def drawn():
    """c0 is a test query of da-en, c1 of da-vi, c2 of validation, c3 a distractor, c4 trains."""
    queries = pd.DataFrame(
        [("c0", "test", "da", "en"), ("c1", "test", "da", "vi"), ("c2", "validation", "da", "en")],
        columns=["concept", "role", "first", "second"],
    )
    candidates = pd.DataFrame(
        [(c, x) for c in ("c0", "c1", "c3") for x in ("da", "en", "vi")],
        columns=["concept", "language"],
    )
    pairs = pd.DataFrame(
        [("da", "en", 5, 1, 1), ("da", "vi", 5, 1, 0), ("en", "vi", 5, 0, 0)],
        columns=["first", "second", "concepts", "test", "validation"],
    )
    return Draw(queries, candidates, pairs)


def test_own_paragraphs_are_of_documents_that_do_not_train(tmp_path, drawn):
    columns = {x: list("abcdef") for x in ("da", "en", "vi")}
    concepts = ["c0", "c1", "c2", "c3", "c4", "c0"]
    found = by_pair(data([bundle(tmp_path, "all", columns, concepts)], drawn))
    assert set(found) == {("da", "en"), ("en", "da"), ("da", "vi"), ("vi", "da")}
    assert found["da", "en"].queries.ids.tolist() == ["s0", "s5"]
    assert found["vi", "da"].queries.ids.tolist() == ["s1"]
    for search in found.values():
        assert search.candidates.ids.tolist() == ["s0", "s1", "s3", "s5"]


def test_validation_asks_for_paragraphs_of_validation_documents(tmp_path, drawn):
    """c1 is a test query of da-vi, so none of its paragraphs is searched here."""
    columns = {x: list("abcdef") for x in ("da", "en", "vi")}
    concepts = ["c0", "c1", "c2", "c3", "c4", "c2"]
    found = by_pair(data([bundle(tmp_path, "all", columns, concepts)], drawn), role="validation")
    assert set(found) == {("da", "en"), ("en", "da")}
    for search in found.values():
        assert search.queries.ids.tolist() == ["s2", "s5"]
        assert search.candidates.ids.tolist() == ["s2", "s3", "s5"]


def test_validation_asks_for_other_sentences_of_the_files(tmp_path):
    lines = ["a", "b", "c", "d", "ab", "ac", "ad"]
    parts = ["", "", "validation", "validation", "validation", "da", "en"]
    folder = bundle(tmp_path, "da-en", {"da": lines, "en": lines}, parts=parts)
    found = data([folder])
    tested, validated = (by_pair(found, role=x, idf="own") for x in ("test", "validation"))
    assert set(tested) == set(validated) == {("da", "en"), ("en", "da")}
    for pair, search in validated.items():
        assert tested[pair].candidates.ids.tolist() == ["s0", "s1"]
        assert search.queries.ids.tolist() == ["s2", "s3", "s4"]
        assert search.candidates.ids.tolist() == ["s2", "s3", "s4"]
        # N = 1, so a word of the one sentence weighs 1
        assert search.candidates.weights.tolist() == tested[pair].candidates.weights.tolist()
    assert validated["da", "en"].candidates.weights.tolist() == [1, 0, 0, 1, 0, 0]
    nothing_apart = bundle(tmp_path / "other", "da-en", {"da": lines, "en": lines})
    assert not by_pair(data([nothing_apart]), ("da", "en"), role="validation")


def test_own_idf_by_hand(tmp_path):
    """N = 40 of each language for its idf; log10(40 / 2) = 1.3, and never below 1."""
    lines = ["ab", "bb"] + ["c"] * 38 + ["a"] * 40 + ["aaf"] * 3
    parts = ["da"] * 40 + ["en"] * 40 + [""] * 3
    folder = bundle(tmp_path, "da-en", {"da": lines, "en": lines}, parts=parts)
    found = by_pair(data([folder]), ("da", "en"), idf="own")
    search = found["da", "en"]
    assert search.queries.ids.tolist() == ["s80", "s81", "s82"]
    weights = search.queries.whole.weights
    expected = [np.log10(40), np.log10(20), 1, 0, 0, 0]
    np.testing.assert_allclose(weights, expected)
    np.testing.assert_allclose(search.candidates.weights, [1, 0, 0, 0, 0, 0])
    of_cr5 = by_pair(data([folder]), ("da", "en"), idf="own_tfidf")["da", "en"].queries
    expected = 1 + np.log([40, 20, 40 / 38, 40, 40, 40])  # of unknown words, as if one had them
    np.testing.assert_allclose(of_cr5.whole.weights, expected)
    assert of_cr5.counts.toarray()[0].tolist() == [2, 0, 0, 0, 0, 1]  # as often as they occur
    assert search.queries.counts.toarray()[0].tolist() == [1, 0, 0, 0, 0, 1]
