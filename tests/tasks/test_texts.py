"""What a task makes of its own files comes back as it was."""

import pytest

from cr5.base.errors import UserError
from cr5.tasks import texts


def test_counted_stored_and_loaded(tmp_path):
    records = {"queries": iter([("q 2", "kat kat x", "", "pet"), ("đ", "hund", "", "")]), "no": []}
    texts.save(tmp_path / "da", texts.count(records, "da", ["hund", "đá", "kat"]), language="da")
    found = texts.load(tmp_path / "da", language="da")
    queries = found["queries"]
    assert (queries.ids.tolist(), queries.about["label"].tolist()) == (["q 2", "đ"], ["pet", ""])
    assert queries.counts.toarray().tolist() == [[0, 0, 2], [1, 0, 0]]
    assert queries.about["n_words"].tolist() == [2, 1]
    assert queries.select(queries.ids[[1]]).counts.toarray().tolist() == [[1, 0, 0]]
    assert found["no"].counts.shape == (0, 3)
    with pytest.raises(UserError, match="q in 'da': the id 'a' is there twice"):
        texts.count({"q": [("a", "x"), ("a", "y")]}, "da", [])
