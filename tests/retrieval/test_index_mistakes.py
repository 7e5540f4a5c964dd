"""What an index refuses."""

import pytest

import cr5
from cr5.base.errors import UserError
from cr5.retrieval import adding
from cr5.retrieval.embedder import Embedder
from tests.retrieval import made_up

MODELS = dict(made_up.models())
QUERIES = made_up.texts("en", 25, seed=9)[1]


def index_of(kind, **sizes):
    return made_up.fill(cr5.Index(Embedder(MODELS[kind], {}, kind)), **sizes)


@pytest.mark.parametrize(
    "arguments",
    [
        (["it3"], ["ita"], "it"),
        (["x", "y", "x"], ["ita"] * 3, "it"),
        (["x"], ["ita", "itb"], "it"),
        (["x"], [7], "it"),
        (["x"], ["ita"], "fr"),
        ([None], ["ita"], "it"),
        ([""], ["ita"], "it"),
        ([" \n"], ["ita"], "it"),
        (["x", "a\nb"], ["ita"] * 2, "it"),
        (["x\ud800"], ["ita"], "it"),
        ("abc", ["ita"] * 3, "it"),
        (["x", "y", "z"], "ita", "it"),
        (["x"], ["ita"], "it", [3]),
        (["x"], ["ita"], "it", "T"),
    ],
)
def test_what_cannot_be_added_leaves_the_index_alone(arguments):
    index = index_of("dense", it=9)
    with pytest.raises(UserError):
        index.add(*arguments)
    assert index.sizes == {"it": 9}


def test_a_text_of_a_collection_may_be_the_name_of_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "itaa.itab").touch()
    index = index_of("dense", it=9)
    assert index.add([7], ["itaa.itab"], "it").unknown == 0
    with pytest.raises(UserError, match="text 1 is the path of a file"):
        index.search("itaa.itab", "it")
    assert index.remove([7]) == 1


def test_an_id_that_was_allowed_once_can_be_removed(monkeypatch):
    index = index_of("dense", it=9)
    monkeypatch.setattr(adding, "identity", str)
    index.add(["", "a\nb"], ["itaa", "itab"], "it")
    assert index.remove(["", "a\nb"]) == 2


def test_other_mistakes():
    index = index_of("dense", it=9)
    with pytest.raises(UserError, match="ids: "):
        index.remove("it1")
    with pytest.raises(UserError, match="no text 'x' in any language"):
        index.remove(["it1", "x"])
    assert len(index) == 9
    with pytest.raises(UserError, match="no text 'it1' in 'en'"):
        index.remove(["it1"], "en")
    with pytest.raises(UserError, match="the index is empty: add texts first"):
        cr5.Index(index.model).search(QUERIES, "en")
    with pytest.raises(UserError, match=r"cannot be searched by csls; search by cosine"):
        index_of("directed").search(QUERIES, "en", measure="csls")
    assert repr(index) == "<cr5 index in memory: 9 it>"
