import numpy as np
import pytest
from scipy import sparse

from cr5.base import rows
from cr5.base.errors import UserError


def joined(given):
    given = np.asarray(given)
    return rows.HybridRows(given[:, :1], sparse.csr_matrix(given[:, 1:]))


KINDS = [np.asarray, sparse.csr_matrix, sparse.csr_array, joined]


def plain(found):
    if isinstance(found, rows.HybridRows):
        return np.hstack([found.dense, found.sparse.toarray()])
    return found.toarray() if sparse.issparse(found) else found


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
    given = kind(np.array([[3, -4, 0], [0, 0, 0], [1, 2, -2]], dtype))
    found = rows.normalised(given, norm)
    np.testing.assert_allclose(plain(found), expected, rtol=1e-6)
    assert {x.dtype for x in rows.parts_of(found)} == {np.dtype(dtype)}
    assert sparse.issparse(found) == sparse.issparse(given)
    if norm == "l2":
        np.testing.assert_array_equal(plain(rows.unit_rows(given)), plain(found))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("norm", "bad", "said"),
    [
        *((norm, [x, 0], x) for norm in rows.NORMS for x in (np.nan, np.inf)),
        *((norm, [-np.inf, 0], np.inf) for norm in rows.NORMS),
        *((norm, [0.5, 0.7], "") for norm in ("l2", "l1")),
    ],
)
def test_rows_of_another_norm_and_not_finite_ones_are_refused(kind, norm, bad, said):
    given = kind(np.array([[1, 0], [0, 0], bad], np.float32))
    with pytest.raises(UserError, match=rf"queries: expected .* row 2 has norm {said}"):
        rows.check_norm(given, norm, "queries")


@pytest.mark.parametrize("norm", ["l2", "l1"])
@pytest.mark.parametrize("kind", [np.array, sparse.csr_matrix])
def test_a_row_too_large_for_its_norm_is_nan_and_refused(kind, norm):
    """Zeros would look like a document without any known word."""
    given = kind([[1e308, 1e308], [3.0, 4.0]])
    with np.errstate(over="ignore"):
        found = rows.normalised(given, norm)
    assert np.isnan(found[[0], :].toarray() if sparse.issparse(found) else found[0]).all()
    with pytest.raises(UserError, match=r"queries: .* row 0 has norm nan"):
        rows.check_norm(found, norm, "queries")
