import pandas as pd
import pytest
from scipy import sparse

from cr5.base.errors import UserError
from cr5.base.tables import read_csv, read_npz, read_parquet


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


@pytest.fixture
def matrix(tmp_path):
    path = tmp_path / "counts.npz"
    sparse.save_npz(path, sparse.csc_matrix([[0, 2, 0], [1, 0, 0]]), compressed=False)
    return path


def test_a_sparse_matrix(matrix):
    found = read_npz(matrix)
    assert found.format == "csr"
    assert found.toarray().tolist() == [[0, 2, 0], [1, 0, 0]]


@pytest.mark.parametrize("kept", [0, 3, 200, -1])
def test_a_truncated_matrix_is_named_with_a_remedy(matrix, kept):
    matrix.write_bytes(matrix.read_bytes()[:kept])
    with pytest.raises(UserError, match=r"counts\.npz: not a whole sparse .* remove it and run"):
        read_npz(matrix)


def test_a_missing_matrix(tmp_path):
    with pytest.raises(UserError, match=r"none\.npz: not a whole sparse matrix"):
        read_npz(tmp_path / "none.npz")
