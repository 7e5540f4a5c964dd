import numpy as np
import pytest
from scipy import sparse

from cr5.base import rows
from cr5.base.errors import UserError


def joined(values):
    """Return rows of which the first column is dense, and the others are sparse."""
    matrix = np.asarray(values)
    return rows.HybridRows(matrix[:, :1], sparse.csr_matrix(matrix[:, 1:]))


KINDS = [np.asarray, sparse.csr_matrix, sparse.csr_array, joined]


def plain(matrix):
    if isinstance(matrix, rows.HybridRows):
        return np.hstack([matrix.dense, matrix.sparse.toarray()])
    if sparse.issparse(matrix):
        return matrix.toarray()
    return matrix


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
    np.testing.assert_allclose(plain(normalised), expected, rtol=1e-6)
    dtypes = {part.dtype for part in rows.parts_of(normalised)}
    assert dtypes == {np.dtype(dtype)}
    assert sparse.issparse(normalised) == sparse.issparse(matrix)
    if norm == "l2":
        unit_rows = rows.unit_rows(matrix)
        np.testing.assert_array_equal(plain(unit_rows), plain(normalised))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("norm", rows.NORMS)
@pytest.mark.parametrize(
    ("value", "norm_of_row"), [(np.nan, np.nan), (np.inf, np.inf), (-np.inf, np.inf)]
)
def test_rows_that_are_not_finite_are_refused(kind, norm, value, norm_of_row):
    matrix = kind(np.array([[1, 0], [0, 0], [value, 0]], np.float32))
    with pytest.raises(UserError, match=rf"queries: expected .* row 2 has norm {norm_of_row}"):
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
    assert np.isnan(plain(normalised)[0]).all()
    with pytest.raises(UserError, match=r"queries: .* row 0 has norm nan"):
        rows.check_norm(normalised, norm, "queries")
