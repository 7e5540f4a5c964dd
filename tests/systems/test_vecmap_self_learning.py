import numpy as np
import pytest

from cr5.systems.vecmap_self_learning import VecmapSelfLearning


def test_a_round_by_hand():
    # The pairs are a rotation: the first map fits, and the second is the same.
    X = np.array([[1, 0], [0, 1]], np.float32)
    Y = np.array([[0.6, 0.8], [-0.8, 0.6]], np.float32)
    W, report = VecmapSelfLearning().learn(X, Y, np.array([[0, 0], [1, 1]]))
    np.testing.assert_allclose(W, Y, atol=1e-6)
    assert [entry["similarity"] for entry in report["self_learning"]] == pytest.approx([1, 1])


def test_rounds_and_words_can_be_fewer(rotated_copy, every):
    X, Y, _ = rotated_copy()
    _, report = VecmapSelfLearning(rounds=2, dictionary_words=50).learn(X, Y, every(15))
    assert [entry["pairs"] for entry in report["self_learning"]] == [15, 50]
    assert not report["converged"]
