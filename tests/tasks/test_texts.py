import numpy as np
import pytest
from scipy import sparse

from cr5.tasks import texts

WORDS = ["hund", "đá", "kat", "chó"]


def test_count_keeps_names_and_the_order_of_texts():
    found = texts.count(
        {"queries": iter([("q2", "kat"), ("q1", "hund")]), "documents": []}, "da", WORDS
    )
    assert list(found) == ["queries", "documents"]
    assert found["queries"].ids.tolist() == ["q2", "q1"]
    assert found["queries"].counts.toarray().tolist() == [[0, 0, 1, 0], [1, 0, 0, 0]]
    assert found["documents"].counts.shape == (0, 4)


@pytest.fixture
def saved(tmp_path):
    records = {"queries": [("q 2", "kat kat"), ("đ", "hund")], "documents": [("1", "ukendt")]}
    found = texts.count(records, "da", WORDS)
    texts.save(tmp_path / "da", found)
    return tmp_path / "da", found


def test_saved_and_loaded(saved):
    folder, found = saved
    loaded = texts.load(folder)
    assert set(loaded) == {"queries", "documents"}
    for name, each in found.items():
        assert loaded[name].ids.tolist() == each.ids.tolist()
        assert (loaded[name].counts != each.counts).nnz == 0
        assert loaded[name].counts.dtype == np.int32
        assert sparse.issparse(loaded[name].counts)
    some = loaded["queries"].select(loaded["queries"].ids[[1]])
    assert some.counts.toarray().tolist() == [[1, 0, 0, 0]]
