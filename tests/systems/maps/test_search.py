import numpy as np
import pytest
from scipy.linalg import fractional_matrix_power, orthogonal_procrustes, sqrtm

from cr5.base.rows import unit_rows
from cr5.systems.maps import search
from cr5.systems.maps.closed import whitening


def unit(seed, *sizes):
    rng = np.random.default_rng(seed)
    return [unit_rows(rng.normal(0.3, 1, (n, 5)).astype(np.float32)) for n in sizes]


def dense_csls(X, Y, k):
    """The definition, with both hubness terms, on the full matrix."""
    S = X.astype(float) @ Y.astype(float).T
    r_T = np.sort(S, axis=1)[:, ::-1][:, :k].mean(axis=1)
    r_S = np.sort(S, axis=0)[::-1][:k].mean(axis=0)
    return 2 * S - r_T[:, None] - r_S[None, :]


@pytest.mark.parametrize("k", [0, 1, 3, 10])
def test_translations_equal_the_dense_definition(k):
    X, Y = unit(1, 61, 47)
    expected = (dense_csls(X, Y, k) if k else X @ Y.T).argmax(axis=1)
    assert (search.translate(X, Y, neighbours=k) == expected).all()
    rows = np.array([7, 3, 20])
    assert (search.translate(X, Y, neighbours=k, rows=rows) == expected[rows]).all()


def test_the_criterion_by_hand():
    X = np.array([[1, 0], [0, 1], [1, 0]], np.float32)
    Y = np.array([[0.6, 0.8], [1, 0]], np.float32)
    forward = np.array([1, 0, 0])
    assert search.criterion(X, Y, forward) == pytest.approx((1 + 0.8 + 0.6) / 3)
    assert search.criterion(X, Y, forward, words=2) == pytest.approx(0.9)


def test_precision_counts_words_and_any_of_their_translations():
    X = np.array([[1, 0], [0, 1], [0.8, 0.6]], np.float32)
    Y = np.array([[1, 0], [0, 1], [0.6, 0.8]], np.float32)
    # by cosine 0 -> 0, 1 -> 1, 2 -> 2
    pairs = np.array([[0, 1], [0, 0], [1, 0], [1, 2], [2, 2]])
    assert search.precision(X, Y, pairs, neighbours=0) == pytest.approx(2 / 3)


def test_rotations_equal_scipys():
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(40, 7)), rng.normal(size=(40, 7))
    W = search.orthogonal_map(X, Y)
    assert W.dtype == np.float32
    np.testing.assert_allclose(W, orthogonal_procrustes(X, Y)[0], atol=1e-6)


def test_profiles_are_sorted_rows_of_the_root_of_all_similarities(rotated_copy):
    X, _, _ = rotated_copy(n=40, d=6)
    root = sqrtm(X.astype(float) @ X.T.astype(float) + 1e-12 * np.eye(40)).real
    rows = unit_rows(np.sort(root, axis=1))
    np.testing.assert_allclose(search.profiles(X), unit_rows(rows - rows.mean(axis=0)), atol=1e-4)


@pytest.mark.parametrize("ridge", [0.0, 1.5])
def test_whitening_is_a_power_of_a_matrix_and_zero_where_nothing_is_spanned(ridge):
    X = np.random.default_rng(0).normal(size=(40, 5)) * [1, 2, 3, 4, 5]
    expected = fractional_matrix_power(X.T @ X + ridge * np.eye(5), -0.5)
    found = whitening(X, ridge)
    np.testing.assert_allclose(found.there, expected, atol=1e-12)
    np.testing.assert_allclose(found.back, np.linalg.inv(expected), atol=1e-10)
    flat = whitening(np.array([[3.0, 0, 0], [0, 4.0, 0]]))
    np.testing.assert_allclose(flat.there, np.diag([1 / 3, 1 / 4, 0]), atol=1e-15)
    np.testing.assert_allclose(flat.back, np.diag([3, 4, 0]), atol=1e-15)
