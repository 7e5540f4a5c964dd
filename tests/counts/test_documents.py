"""The artefact of documents: in the order given, in bounded memory, each concept once."""

import pandas as pd
import pyarrow.parquet as pq
import pytest

from cr5.base.errors import UserError
from cr5.counts import documents

RECORDS = [("b", "Bee", "a bee\nflies"), ("a", "Ant", ""), ("ü", "Ü", "naïve Tiếng Việt 𝄞")]
TWICE = [*RECORDS, ("a", "Another ant", "text")]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "documents" / "en"


def test_what_is_written_is_read_in_the_same_order(path, tmp_path):
    assert documents.write(path, iter(RECORDS)) == 3
    assert list(documents.stream(path)) == RECORDS
    table = pd.read_parquet(path / documents.FILE)
    assert list(table.itertuples(index=False, name=None)) == RECORDS
    assert next(documents.stream(path, ("text", "concept"))) == ("a bee\nflies", "b")
    assert documents.texts(path, ["ü", "b"]) == ["naïve Tiếng Việt 𝄞", "a bee\nflies"]
    again = tmp_path / "again"
    documents.write(again, RECORDS)
    for name in (documents.FILE, "about.json"):
        file = path / name
        same_file = again / name
        assert file.read_bytes() == same_file.read_bytes()


def test_row_groups_are_bounded_by_rows_and_by_characters(path, monkeypatch):
    monkeypatch.setattr(documents, "GROUP_ROWS", 3)
    monkeypatch.setattr(documents, "GROUP_CHARACTERS", 10)
    lengths = (1, 1, 1, 1, 10, 4, 7, 1)
    records = [(str(number), "t", "x" * length) for number, length in enumerate(lengths)]
    documents.write(path, records)
    metadata = pq.read_metadata(path / documents.FILE)
    assert metadata.num_row_groups == 4
    for number, n_rows in enumerate([3, 2, 2, 1]):
        assert metadata.row_group(number).num_rows == n_rows
    assert list(documents.stream(path, batch_size=2)) == records


def test_a_second_article_about_a_concept_is_refused_or_left_out(path, caplog):
    with pytest.raises(UserError, match=r"documents 2 and 4, 'Another ant', are both about 'a'"):
        documents.write(path, TWICE)
    assert not path.exists()
    assert documents.write(path, TWICE, repeated="first") == 3
    assert list(documents.stream(path)) == RECORDS
    assert "left out 1 documents: another has their concept" in caplog.text


def test_no_document_is_refused_unless_there_may_be_none(path):
    with pytest.raises(UserError, match=r"documents/en: "):
        documents.write(path, [])
    assert list(path.parent.iterdir()) == []
    assert documents.write(path, [], may_be_empty=True) == 0
    assert list(documents.stream(path)) == []


def test_notes_of_the_source_are_stored(path):
    notes = {"é": 1}
    documents.write(path, RECORDS, notes=notes.copy)
    assert documents.notes_of(path) == {"é": 1}
