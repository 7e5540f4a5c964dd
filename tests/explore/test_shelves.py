import pandas as pd
import pytest
from scipy import sparse

from cr5.base.errors import UserError
from cr5.counts import documents
from cr5.explore.shelves import Limits, shelf, shown, snippets
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


def test_all_candidates_where_they_fit():
    found = shelf(DOCUMENTS, "it", pd.Index(list("bdf")), [], Limits(documents=3, words=4))
    assert found.ids.tolist() == ["b", "d", "f"]
    assert found.titles == ["b", "D", "F"]  # a document without a title has its concept
    assert found.counts.toarray().tolist() == [[0, 1, 0, 0], [0, 0, 0, 1], [0, 0, 0, 0]]
    assert (found.n_candidates, found.n_vocabulary) == (3, 9)


def test_else_counterparts_and_then_what_is_often_near():
    some = ranks(["d", "b"], [["a", "c"], ["c", "f"]])
    found = shelf(DOCUMENTS, "it", pd.Index(list("abcdef")), [some], Limits(documents=3))
    assert found.ids.tolist() == ["b", "d", "c", "a", "f"]
    assert found.counts.shape[0] == 3
    assert found.n_candidates == 6
    of_queries = shelf(DOCUMENTS, "en", pd.Index(list("abcdef")), [some], Limits(documents=3))
    assert of_queries.ids.tolist() == ["b", "d"]


def test_documents_of_another_run():
    with pytest.raises(UserError, match="'z' was searched in it, and is not among its documents"):
        shelf(DOCUMENTS, "it", pd.Index(["a", "z"]), [], Limits())


def test_a_page_of_nothing():
    with pytest.raises(UserError, match="--words: expected 1 or more, got 0"):
        Limits(words=0)


def test_snippets_end_with_dots_and_hold_no_line_breaks(tmp_path):
    folder = tmp_path / "documents"
    texts = {"a": "one\n two", "b": "x" * 400, "c": "never"}
    documents.write(folder / "en.parquet", ((name, "", text) for name, text in texts.items()), "en")
    assert snippets(tmp_path, "en", ["b", "a", "d"]) == ["x" * 300 + "…", "one two", ""]
    assert snippets(tmp_path, "it", ["a"]) == []  # a run that kept no texts
    (folder / "it.parquet").write_bytes(b"PAR1")
    with pytest.raises(UserError, match=r"it\.parquet: it has no label.*; remove .* and run again"):
        snippets(tmp_path, "it", ["a"])
