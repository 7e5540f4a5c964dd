import numpy as np
import scipy.linalg

from cr5.systems.mapping.profiles import first_pairs, profiles


def test_profiles_are_sorted_rows_of_the_root_of_all_similarities(rotated_copy):
    X, _, _ = rotated_copy(n=40, d=6)
    root = scipy.linalg.sqrtm(X.astype(float) @ X.T.astype(float) + 1e-12 * np.eye(40)).real
    rows = np.sort(root, axis=1)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    rows -= rows.mean(axis=0)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    np.testing.assert_allclose(profiles(X), rows, atol=1e-4)


def test_words_numbered_anew_in_a_space_turned_are_found(rotated_copy):
    X, _, Q = rotated_copy(n=200, d=10)
    order = np.random.default_rng(1).permutation(200)
    pairs = first_pairs(X, (X @ Q)[order], 4000, 10)
    assert pairs.shape == (400, 2)
    assert pairs[:200, 0].tolist() == list(range(200)) == pairs[200:, 1].tolist()
    assert (order[pairs[:, 1]] == pairs[:, 0]).all()


def test_only_the_most_frequent_words_are_paired(rotated_copy):
    X, Y, _ = rotated_copy(n=200, d=10, noise=0)
    pairs = first_pairs(X, Y[:90], 80, 5)
    assert (pairs == np.tile(np.arange(80), 2)[:, None]).all()
    assert len(first_pairs(X, Y[:60], 80, 10)) == 120
