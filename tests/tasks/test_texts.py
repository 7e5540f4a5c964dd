"""What a task makes of its own files comes back as it was."""

import pytest

from cr5.base.errors import UserError
from cr5.tasks import texts

WORDS = ["hund", "đá", "kat"]


def test_counted_stored_and_loaded(tmp_path):
    queries = iter([("q 2", "kat kat x", "", "pet"), ("đ", "hund", "", "")])
    counted = texts.count({"queries": queries, "no": []}, "da", WORDS)
    texts.save(tmp_path / "da", counted, language="da")
    loaded = texts.load(tmp_path / "da", language="da")
    assert loaded.keys() == {"queries", "no"}
    assert loaded["queries"].about.to_dict("list") == {
        "id": ["q 2", "đ"],
        "concept": ["", ""],
        "label": ["pet", ""],
        "n_words": [2, 1],
    }
    assert loaded["queries"].counts.toarray().tolist() == [[0, 0, 2], [1, 0, 0]]
    assert loaded["no"].counts.shape == (0, 3)


def test_an_encoder_finds_the_texts_themselves(tmp_path):
    queries = [("a", "Kat, kat!"), ("b", "En hund"), ("c", "đá")]
    counted = texts.count({"queries": queries, "no": []}, "da", WORDS)
    texts.save(tmp_path / "da", counted, language="da")
    loaded = texts.load(tmp_path / "da", language="da")
    for contents in (counted, loaded):
        chosen = contents["queries"].select(contents["queries"].ids[[2, 0]])
        assert chosen.texts == ["đá", "Kat, kat!"]
        assert contents["no"].texts == []


def test_texts_are_selected_by_their_ids():
    counted = texts.count({"q": [("a", "kat"), ("b", "hund")]}, "da", WORDS)["q"]
    selected = counted.select(counted.ids[[1]])
    assert selected.ids.tolist() == ["b"]
    assert selected.counts.toarray().tolist() == [[1, 0, 0]]


def test_an_id_that_is_there_twice_is_refused():
    with pytest.raises(UserError, match="q in 'da': the id 'a' is there twice"):
        texts.count({"q": [("a", "x"), ("a", "y")]}, "da", [])
