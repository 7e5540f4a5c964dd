import pandas as pd
import pytest
from scipy import sparse

from cr5.base.errors import UserError
from cr5.base.matrices import read_npz
from cr5.base.tables import read_csv, read_parquet


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "ranks.parquet"
    pd.DataFrame({"query": ["a", "b"], "rank": [1, 2]}).to_parquet(path)
    return path


@pytest.fixture
def matrix(tmp_path):
    path = tmp_path / "counts.npz"
    sparse.save_npz(path, sparse.csc_matrix([[0, 2, 0], [1, 0, 0]]), compressed=False)
    return path


def test_a_sparse_matrix(matrix):
    found = read_npz(matrix)
    assert found.format == "csr"
    assert found.toarray().tolist() == [[0, 2, 0], [1, 0, 0]]


def test_all_columns_or_some(table):
    assert read_parquet(table)["rank"].tolist() == [1, 2]
    assert read_parquet(table, ["query"]).columns.tolist() == ["query"]


@pytest.mark.parametrize("kept", [0, 3, 40, 200, -1])
def test_a_truncated_file_is_named_with_a_remedy(table, matrix, kept):
    for path, read, what in (
        (table, lambda path: read_parquet(path, ["query"]), "parquet file with the columns query"),
        (matrix, read_npz, "sparse matrix"),
    ):
        path.write_bytes(path.read_bytes()[:kept])
        with pytest.raises(UserError, match="remove it and run again") as error:
            read(path)
        assert str(error.value).startswith(f"{path}: not a whole {what}")


@pytest.mark.parametrize(
    ("read", "what"),
    [
        (read_parquet, "parquet file with the columns it was written with"),
        (read_npz, "sparse matrix"),
        (read_csv, "CSV file"),
    ],
)
def test_a_missing_file(tmp_path, read, what):
    with pytest.raises(UserError, match=f"none: not a whole {what}"):
        read(tmp_path / "none")


def test_a_missing_column_is_named(table):
    with pytest.raises(UserError, match=r"ranks\.parquet: "):
        read_parquet(table, ["query", "grade"])


def test_only_empty_cells_of_a_csv_are_missing(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("query,value\nnan,1.5\nNA,\n")
    found = read_csv(path)
    assert found["query"].tolist() == ["nan", "NA"]
    assert found["value"].isna().tolist() == [False, True]
