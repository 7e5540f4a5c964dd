"""What an index refuses."""

from pathlib import Path

import pytest

import cr5
from cr5.base.errors import UserError
from cr5.base.modules import load_module
from cr5.retrieval import adding
from cr5.retrieval.embedder import Embedder

made_up = load_module(Path(__file__).with_name("made_up.py"), "texts")
MODELS = dict(made_up.models())
QUERIES = made_up.texts("en", 25, seed=9)[1]


def index_of(kind, **sizes):
    return made_up.fill(cr5.Index(Embedder(MODELS[kind], {}, kind)), **sizes)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((["it3"], ["ita"], "it"), "the text 'it3' exists already; remove it first"),
        ((["x", "y", "x"], ["ita"] * 3, "it"), "the id 'x' is given twice"),
        ((["x"], ["ita", "itb"], "it"), "not as many ids as texts and titles: some end after 1"),
        ((["x"], [7], "it"), "expected a string, found int"),
        ((["x"], ["ita"], "fr"), "does not know the language 'fr'"),
        (([None], ["ita"], "it"), "id None: expected a string or a whole number, found NoneType"),
        (([""], ["ita"], "it"), "id '' is empty; give every text an id"),
        (([" \n"], ["ita"], "it"), r"id ' \\n' is empty"),
        ((["x", "a\nb"], ["ita"] * 2, "it"), r"id 'a\\nb' has a character that cannot be kept"),
        ((["x\ud800"], ["ita"], "it"), r"id 'x\\ud800' has a character that cannot be kept"),
        (("abc", ["ita"] * 3, "it"), "ids: expected several, such as a list; found 'abc'"),
        ((["x", "y", "z"], "ita", "it"), "texts: expected several"),
        ((["x"], ["ita"], "it", [3]), "title of 'x': expected a string, found int"),
        ((["x"], ["ita"], "it", "T"), "titles: expected several"),
    ],
)
def test_what_cannot_be_added_leaves_the_index_alone(arguments, said):
    index = index_of("dense", it=9)
    with pytest.raises(UserError, match=said):
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
    with pytest.raises(UserError, match="ids: expected several, such as a list; found 'it1'"):
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
