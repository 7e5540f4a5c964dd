import pandas as pd
import pytest
from scipy import sparse

from cr5.base.errors import UserError
from cr5.counts import documents
from cr5.explore.shelves import shelf, shown, snippets
from cr5.retrieval.results import Documents

KEY = ("en", "it", "cosine")


def ranks(queries, nearest):
    return {KEY: pd.DataFrame({"query": queries, "nearest": nearest})}


DOCUMENTS = Documents(list("abcdef"), ["A", "", "C", "D", "E", "F"], sparse.eye(6, 9, format="csr"))


def test_queries_are_taken_evenly_with_the_first_and_the_last():
    some = ranks([str(n) for n in range(11)], [[]] * 11)
    assert shown(some, 3)[KEY]["query"].tolist() == ["0", "5", "10"]
    assert shown(some, 11)[KEY] is some[KEY]
    assert shown(some, 1)[KEY]["query"].tolist() == ["0"]


def test_queries_counterparts_and_what_is_near_them():
    some = ranks(["d", "b"], [["a", "c"], ["c", "f"]])
    every = ranks(["d", "b", "c"], [["a", "c"], ["c", "f"], ["e", "e"]])
    found = shelf(DOCUMENTS, "it", [some], [some])
    assert found.ids.tolist() == ["a", "b", "c", "d", "f"]
    assert found.titles == ["A", "b", "C", "D", "F"]  # without a title it has its concept
    assert shelf(DOCUMENTS, "it", [some], [every]).ids.tolist() == list("abcdef")
    assert shelf(DOCUMENTS, "en", [some], [every]).ids.tolist() == ["b", "d"]


def test_documents_of_another_run():
    with pytest.raises(UserError, match="'z' was searched in it, and is not among its documents"):
        shelf(DOCUMENTS, "it", [ranks(["z"], [["a"]])], [])


def test_snippets_end_with_dots_and_hold_no_line_breaks(tmp_path):
    folder = tmp_path / "documents"
    texts = {"a": "one\n two", "b": "x" * 400, "c": "never"}
    documents.write(folder / "en", ((name, "", text) for name, text in texts.items()), "en")
    assert snippets(tmp_path, "en", ["b", "a", "d"]) == ["x" * 300 + "…", "one two", ""]
    assert snippets(tmp_path, "it", ["a"]) == []  # a run that kept no texts
    (folder / "it").mkdir()
    with pytest.raises(UserError, match=r"it: not there, or not whole.*; remove .* and run again"):
        snippets(tmp_path, "it", ["a"])
