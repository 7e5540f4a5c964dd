import numpy as np
import pytest
from scipy import sparse

from cr5.base import rows
from cr5.base.errors import UserError


def hybrid(numbers):
    numbers = np.asarray(numbers)
    return rows.HybridRows(numbers[:, :1], sparse.csr_matrix(numbers[:, 1:]))


KINDS = [np.asarray, sparse.csr_matrix, sparse.csr_array, hybrid]


def dense(matrix):
    if isinstance(matrix, rows.HybridRows):
        return np.hstack([matrix.dense, matrix.sparse.toarray()])
    return matrix.toarray() if sparse.issparse(matrix) else matrix


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(
    ("norm", "expected"),
    [
        ("l2", [[0.6, -0.8, 0], [0, 0, 0], [1 / 3, 2 / 3, -2 / 3]]),
        ("l1", [[3 / 7, -4 / 7, 0], [0, 0, 0], [0.2, 0.4, -0.4]]),
        ("none", [[3, -4, 0], [0, 0, 0], [1, 2, -2]]),
    ],
)
def test_rows_of_norm_one_and_zeros_stay(kind, dtype, norm, expected):
    matrix = kind(np.array([[3, -4, 0], [0, 0, 0], [1, 2, -2]], dtype))
    normalised = rows.normalised(matrix, norm)
    np.testing.assert_allclose(dense(normalised), expected, rtol=1e-6)
    assert {part.dtype for part in rows.parts_of(normalised)} == {np.dtype(dtype)}
    assert sparse.issparse(normalised) == sparse.issparse(matrix)


@pytest.mark.parametrize("kind", KINDS)
def test_unit_rows_are_of_l2_norm_one(kind):
    unit_rows = rows.unit_rows(kind(np.array([[3.0, -4], [0, 0]])))
    np.testing.assert_allclose(dense(unit_rows), [[0.6, -0.8], [0, 0]], rtol=1e-6)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("norm", "expected"), [("l2", [5, 0, 3]), ("l1", [7, 0, 5])])
def test_norms_of_any_number_of_rows(kind, norm, expected):
    """Of more rows than are taken at a time, and of none."""
    matrix = np.array([[3, -4, 0], [0, 0, 0], [1, 2, -2]], np.float32)
    repeated = kind(np.tile(matrix, (1000, 1)))
    np.testing.assert_allclose(rows.norms(repeated, norm), np.tile(expected, 1000), rtol=1e-12)
    assert rows.norms(kind(matrix[:0]), norm).shape == (0,)


NOT_FINITE = [([np.nan, 0], "nan"), ([np.inf, 0], "inf"), ([-np.inf, 0], "inf")]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("norm", rows.NORMS)
@pytest.mark.parametrize(("row", "told"), NOT_FINITE)
def test_rows_that_are_not_finite_are_refused(kind, norm, row, told):
    matrix = kind(np.array([[1, 0], [0, 0], row], np.float32))
    with pytest.raises(UserError, match=rf"queries: expected .* row 2 has norm {told}"):
        rows.check_norm(matrix, norm, "queries")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("norm", ["l2", "l1"])
def test_rows_of_another_norm_are_refused(kind, norm):
    matrix = kind(np.array([[1, 0], [0, 0], [0.5, 0.7]], np.float32))
    with pytest.raises(UserError, match=r"queries: expected .* row 2 has norm "):
        rows.check_norm(matrix, norm, "queries")


@pytest.mark.parametrize("norm", ["l2", "l1"])
@pytest.mark.parametrize("kind", [np.array, sparse.csr_matrix])
def test_a_row_too_large_for_its_norm_is_nan_and_refused(kind, norm):
    """Zeros would look like a document without any known word."""
    matrix = kind([[1e308, 1e308], [3.0, 4.0]])
    with np.errstate(over="ignore"):
        normalised = rows.normalised(matrix, norm)
    assert np.isnan(dense(normalised)[0]).all()
    with pytest.raises(UserError, match=r"queries: .* row 0 has norm nan"):
        rows.check_norm(normalised, norm, "queries")
