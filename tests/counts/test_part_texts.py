from types import SimpleNamespace

import pyarrow.parquet as pq

from cr5.counts import documents, part_texts

PAGES = [(SimpleNamespace(title=f"Page {i}"), f"Q{i}", "x" * i) for i in range(5)]


def test_texts_pass_by_and_are_written_in_order_in_groups(tmp_path, monkeypatch):
    monkeypatch.setattr(documents, "GROUP_ROWS", 3)
    path = tmp_path / "part.parquet"
    assert list(part_texts.write(path, PAGES)) == PAGES
    expected = [("Q0", "Page 0", ""), ("Q1", "Page 1", "x"), ("Q2", "Page 2", "xx")]
    assert list(documents.stream(path))[:3] == expected
    with pq.ParquetFile(path) as file:
        assert [file.metadata.row_group(i).num_rows for i in range(2)] == [3, 2]


def test_the_file_appears_when_all_have_passed(tmp_path):
    path = tmp_path / "part.parquet"
    passing = part_texts.write(path, PAGES)
    next(passing)
    assert not path.exists()
    passing.close()
    assert not path.exists()
