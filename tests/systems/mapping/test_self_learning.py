import numpy as np
import pytest

from cr5.systems.mapping import csls
from cr5.systems.mapping.refinement import apply_map
from cr5.systems.mapping.self_learning import SelfLearningSettings, learn


def every(n):
    return np.column_stack([np.arange(n)] * 2)


@pytest.mark.parametrize("neighbours", [0, 10])
def test_a_few_pairs_become_the_whole_rotation(rotated_copy, neighbours):
    X, Y, Q = rotated_copy()
    settings = SelfLearningSettings(neighbours=neighbours)
    found = learn(X, Y, every(15), settings)  # fewer than the 20 dimensions
    assert found.converged
    assert found.history[0]["pairs"] == 15
    assert {entry["pairs"] for entry in found.history[1:]} == {1000}
    assert np.abs(found.W - Q).max() < 0.1
    assert csls.precision(apply_map(X, found.W), Y, every(1000)) > 0.9
    np.testing.assert_allclose(found.W @ found.W.T, np.eye(20), atol=1e-5)


def test_no_round_lowers_the_similarity(rotated_copy):
    X, Y, _ = rotated_copy(noise=0.1)
    history = learn(X, Y, every(15), SelfLearningSettings()).history
    assert len(history) > 3
    gains = np.diff([entry["similarity"] for entry in history])
    assert (gains[:-1] >= 1e-6).all()
    assert -1e-6 < gains[-1] < 1e-6  # float32 in the cosines


def test_a_round_by_hand():
    # The pairs are a rotation: the first map fits, and the second is the same.
    X = np.array([[1, 0], [0, 1]], np.float32)
    Y = np.array([[0.6, 0.8], [-0.8, 0.6]], np.float32)
    found = learn(X, Y, np.array([[0, 0], [1, 1]]), SelfLearningSettings())
    np.testing.assert_allclose(found.W, Y, atol=1e-6)
    assert [entry["similarity"] for entry in found.history] == pytest.approx([1, 1])


def test_rounds_and_words_can_be_fewer(rotated_copy):
    X, Y, _ = rotated_copy()
    found = learn(X, Y, every(15), SelfLearningSettings(rounds=2, dictionary_words=50))
    assert [entry["pairs"] for entry in found.history] == [15, 50]
    assert not found.converged
