import numpy as np
import pytest
from scipy.linalg import orthogonal_procrustes

from cr5.systems.mapping import csls
from cr5.systems.mapping.family import Refined
from cr5.systems.mapping.maps import apply_map, orthogonal_map
from cr5.systems.mapping.refinement import refine, score


def precision(X, Y, W):
    return (csls.translate(apply_map(X, W), Y) == np.arange(len(X))).mean()


@pytest.mark.parametrize("mutual", [False, True])
def test_a_small_seed_dictionary_becomes_the_whole_rotation(rotated_copy, mutual):
    X, Y, Q = rotated_copy(noise=0.02)
    seed = np.arange(10)  # fewer pairs than the 20 dimensions
    W0 = orthogonal_map(X[seed], Y[seed])
    assert precision(X, Y, W0) < 0.4
    refined = refine(X, Y, W0, Refined(rounds=8, mutual=mutual))
    assert precision(X, Y, refined.W) > 0.9
    assert np.abs(refined.W - Q).max() < 0.1
    np.testing.assert_allclose(refined.W @ refined.W.T, np.eye(20), atol=1e-5)


def test_procrustes_weighs_words_by_the_lengths_that_count(rotated_copy):
    X, Y, Q = rotated_copy(n=200)
    lengths = np.random.default_rng(1).uniform(0.1, 5, (200, 1)).astype(np.float32)
    own = X * lengths, Y * lengths
    refined = refine(X, Y, Q, Refined(rounds=1), own)
    assert refined.history[1]["pairs"] == 200  # each with its counterpart, as before
    twin = [orthogonal_procrustes(*x)[0] for x in (own, (X, Y))]
    found = [score(X, Y, W, Refined()) for W in twin]
    assert refined.history[1]["criterion"] == pytest.approx(found[0], abs=1e-6)
    assert abs(found[0] - found[1]) > 1e-5


def test_history_and_choice_of_the_best(rotated_copy):
    X, Y, Q = rotated_copy(n=200)
    refined = refine(X, Y, Q, Refined(rounds=2, criterion_words=50))
    assert [entry["round"] for entry in refined.history] == [0, 1, 2]
    assert [entry["pairs"] for entry in refined.history] == [None, 200, 200]
    scores = [entry["criterion"] for entry in refined.history]
    assert refined.best == int(np.argmax(scores))


def test_a_start_that_nothing_improves_is_kept(rotated_copy):
    X, _, Q = rotated_copy(n=300)
    Y = X @ Q  # no noise: the start is perfect, and its criterion is 1
    refined = refine(X, Y, Q, Refined(rounds=1))
    assert refined.history[0]["criterion"] == pytest.approx(1, abs=1e-5)
    assert np.abs(refined.W - Q).max() < 1e-5


def test_only_frequent_words_enter_the_dictionary(rotated_copy):
    X, Y, Q = rotated_copy(n=300)
    junk = np.tile(np.eye(20, dtype=np.float32)[:1], (50, 1))
    few = Refined(rounds=1, dictionary_words=300)
    plain = refine(X, Y, Q, few)
    longer = refine(np.vstack([X, junk]), np.vstack([Y, junk]), Q, few)
    assert longer.history == plain.history
    assert longer.history[1]["pairs"] == 300


def test_score_is_the_mean_cosine_of_the_translations(rotated_copy):
    X, Y, Q = rotated_copy(n=300, noise=0.001)
    expected = (X @ Q * Y)[:100].sum(axis=1).mean()  # so little noise: all translate right
    given = Refined(criterion_words=100)
    assert score(X, Y, Q, given) == pytest.approx(expected, abs=1e-6)
