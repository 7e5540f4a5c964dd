import pytest
from scipy import sparse

from cr5.base.errors import UserError
from cr5.base.matrices import read_npz


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
