import pandas as pd
import pytest

from cr5.base.errors import UserError
from cr5.base.tables import read_csv, read_parquet


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "ranks.parquet"
    pd.DataFrame({"query": ["a", "b"], "rank": [1, 2]}).to_parquet(path)
    return path


def test_all_columns_or_some(table):
    assert read_parquet(table)["rank"].tolist() == [1, 2]
    assert read_parquet(table, ["query"]).columns.tolist() == ["query"]


@pytest.mark.parametrize("kept", [0, 3, 40, -1])
def test_a_truncated_file_is_named_with_a_remedy(table, kept):
    table.write_bytes(table.read_bytes()[:kept])
    with pytest.raises(UserError, match="remove it and run again") as error:
        read_parquet(table, ["query"])
    assert str(error.value).startswith(f"{table}: not a whole parquet file with the columns query")


def test_a_missing_file(tmp_path):
    with pytest.raises(UserError, match=r"none\.parquet: not a whole .* it was written with"):
        read_parquet(tmp_path / "none.parquet")


def test_a_missing_column_is_named(table):
    with pytest.raises(UserError, match=r"ranks\.parquet: .* columns query, grade"):
        read_parquet(table, ["query", "grade"])


def test_only_empty_cells_of_a_csv_are_missing(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("query,value\nnan,1.5\nNA,\n")
    found = read_csv(path)
    assert found["query"].tolist() == ["nan", "NA"]
    assert found["value"].isna().tolist() == [False, True]


@pytest.mark.parametrize("content", [b"", b"a,b\n1,2\n1,2,3\n", b'a,b\n1,"2\n', b"a\n\xff\n"])
def test_a_broken_csv_is_named_with_a_remedy(tmp_path, content):
    path = tmp_path / "scores.csv"
    path.write_bytes(content)
    with pytest.raises(UserError, match=r"scores\.csv: not a whole CSV file .* remove it and run"):
        read_csv(path)


def test_a_missing_csv(tmp_path):
    with pytest.raises(UserError, match=r"none\.csv: not a whole CSV file"):
        read_csv(tmp_path / "none.csv")
