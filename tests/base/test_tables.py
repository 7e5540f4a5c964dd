import pandas as pd
import pytest
from scipy import sparse

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


def test_only_empty_cells_of_a_csv_are_missing(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("query,value\nnan,1.5\nNA,\n")
    found = read_csv(path)
    assert found["query"].tolist() == ["nan", "NA"]
    assert found["value"].isna().tolist() == [False, True]
