import subprocess
import sys

import pandas as pd
import pyarrow.parquet as pq
import pytest

from cr5.base.errors import UserError
from cr5.counts import documents

RECORDS = [("b", "Bee", "a bee\nflies"), ("a", "Ant", ""), ("ü", "Ü", "naïve Tiếng Việt 𝄞")]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "documents" / "en"


def test_what_is_written_is_read_in_the_same_order(path):
    assert documents.write(path, iter(RECORDS)) == 3
    assert list(documents.stream(path)) == RECORDS
    table = pd.read_parquet(path / documents.FILE)
    assert list(table.columns) == ["concept", "title", "text"]
    assert list(table.itertuples(index=False, name=None)) == RECORDS


def test_columns_come_in_the_order_asked_for(path):
    documents.write(path, RECORDS)
    assert next(documents.stream(path, ("text", "concept"))) == ("a bee\nflies", "b")


def test_row_groups_are_bounded_by_rows_and_by_characters(path, monkeypatch):
    monkeypatch.setattr(documents, "GROUP_ROWS", 3)
    monkeypatch.setattr(documents, "GROUP_CHARACTERS", 10)
    texts = ["x", "x", "x", "x", "x" * 10, "x" * 4, "x" * 7, "x"]
    written = [(str(i), "t", text) for i, text in enumerate(texts)]
    documents.write(path, written)
    metadata = pq.read_metadata(path / documents.FILE)
    sizes = [metadata.row_group(i).num_rows for i in range(metadata.num_row_groups)]
    assert sizes == [3, 2, 2, 1]
    assert list(documents.stream(path, batch_size=2)) == written


def test_records_are_taken_as_they_are_needed(path, monkeypatch):
    """The second group is asked for only after the first is written."""
    monkeypatch.setattr(documents, "GROUP_ROWS", 2)
    events = []
    real = pq.ParquetWriter.write_table
    monkeypatch.setattr(
        pq.ParquetWriter,
        "write_table",
        lambda *args, **kwargs: (events.append("write"), real(*args, **kwargs)),
    )
    documents.write(path, (events.append(c) or (c, c, c) for c in "abc"))
    assert events == ["a", "b", "write", "c", "write"]


def test_same_records_same_bytes_in_another_process(path, tmp_path):
    documents.write(path, RECORDS)
    other = tmp_path / "other"
    code = f"from cr5.counts import documents; documents.write({str(other)!r}, {RECORDS!r})"
    subprocess.run([sys.executable, "-c", code], check=True)
    for name in (documents.FILE, "about.json"):
        assert (path / name).read_bytes() == (other / name).read_bytes()


def test_a_concept_with_two_articles_is_refused(path):
    twice = [*RECORDS, ("a", "Another ant", "text")]
    with pytest.raises(UserError, match=r"documents 2 and 4, 'Another ant', are both about 'a'"):
        documents.write(path, twice)
    assert not path.exists()


def test_or_the_first_one_counts_and_the_rest_is_told(path, caplog):
    twice = [*RECORDS, ("a", "Another ant", "text")]
    assert documents.write(path, twice, repeated="first") == 3
    assert list(documents.stream(path)) == RECORDS
    assert "left out 1 documents: another has their concept" in caplog.text


def test_no_document_is_refused_and_leaves_nothing(path):
    with pytest.raises(UserError, match=r"documents/en: "):
        documents.write(path, [])
    assert list(path.parent.iterdir()) == []


def test_a_source_that_fails_leaves_the_old_file(path):
    documents.write(path, RECORDS)
    before = (path / documents.FILE).read_bytes()

    def failing():
        yield ("new", "new", "new")
        raise RuntimeError("source broke")

    with pytest.raises(RuntimeError, match="source broke"):
        documents.write(path, failing())
    assert (path / documents.FILE).read_bytes() == before
    assert list(path.parent.iterdir()) == [path]
