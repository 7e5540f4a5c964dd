import os

import numpy as np
import pytest
from scipy import sparse

from cr5.counts.csr_file import CsrFile


def test_the_bytes_of_scipy_whatever_the_order_of_the_rows(tmp_path):
    generator = np.random.default_rng(1)
    dense = generator.integers(1, 9, (40, 30)) * (generator.random((40, 30)) < 0.2)
    dense[[0, 7, 39]] = 0  # empty rows
    matrix = sparse.csr_matrix(dense.astype(np.int32))
    sparse.save_npz(tmp_path / "expected.npz", matrix, compressed=False)
    file = CsrFile(tmp_path / "matrix.npz", np.diff(matrix.indptr), 30)
    for rows in np.array_split(generator.permutation(40), 6):
        some = matrix[rows]
        file.write(rows, np.diff(some.indptr), some.indices, some.data)
    file.finish()
    assert (tmp_path / "matrix.npz").read_bytes() == (tmp_path / "expected.npz").read_bytes()
    assert {path.name for path in tmp_path.iterdir()} == {"matrix.npz", "expected.npz"}


@pytest.mark.skipif(not hasattr(os, "posix_fallocate"), reason="not on this system")
def test_its_room_is_taken_at_once(tmp_path):
    """A page of a mapped file for which the disk has no room ends the process, without a word."""
    CsrFile(tmp_path / "matrix.npz", np.array([250_000]), 300_000)
    for name in ("data", "indices"):
        assert (tmp_path / f"matrix.npz.{name}").stat().st_blocks * 512 >= 1_000_000


def test_a_matrix_without_nonzeros(tmp_path):
    file = CsrFile(tmp_path / "matrix.npz", np.zeros(3, np.int64), 5)
    file.write(np.array([1]), np.array([0]), np.zeros(0, np.int32), np.zeros(0, np.int32))
    file.finish()
    assert sparse.load_npz(tmp_path / "matrix.npz").shape == (3, 5)


def test_more_nonzeros_than_an_int32_can_count(tmp_path, monkeypatch):
    monkeypatch.setattr("cr5.counts.csr_file.LONGEST_INT32", 3)
    file = CsrFile(tmp_path / "matrix.npz", np.array([2, 2]), 3)
    file.write(np.array([1, 0]), np.array([2, 2]), np.array([0, 1, 1, 2]), np.array([1, 2, 3, 4]))
    file.finish()
    with np.load(tmp_path / "matrix.npz") as stored:
        assert stored["indices"].dtype == stored["indptr"].dtype == np.int64
    expected = [[0, 3, 4], [1, 2, 0]]
    assert sparse.load_npz(tmp_path / "matrix.npz").toarray().tolist() == expected
