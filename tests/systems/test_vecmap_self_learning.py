import numpy as np
import pytest

from cr5.base.options import complete
from cr5.systems.mapping import csls
from cr5.systems.mapping.maps import apply_map
from cr5.systems.vecmap_self_learning import OPTIONS, learn


def options(**given):
    return complete(OPTIONS, given)


@pytest.mark.parametrize("neighbours", [0, 10])
def test_a_few_pairs_become_the_whole_rotation(rotated_copy, neighbours, every):
    X, Y, Q = rotated_copy()
    given = options(neighbours=neighbours)
    W, report = learn(X, Y, every(15), given)  # fewer than the 20 dimensions
    assert report["converged"]
    first, *others = report["self_learning"]
    assert first["pairs"] == 15
    assert {entry["pairs"] for entry in others} == {1000}
    assert np.abs(W - Q).max() < 0.1
    assert csls.precision(apply_map(X, W), Y, every(1000)) > 0.9
    np.testing.assert_allclose(W @ W.T, np.eye(20), atol=1e-5)


def test_no_round_lowers_the_similarity(rotated_copy, every):
    X, Y, _ = rotated_copy(noise=0.1)
    history = learn(X, Y, every(15), options())[1]["self_learning"]
    assert len(history) > 3
    gains = np.diff([entry["similarity"] for entry in history])
    assert (gains[:-1] >= 1e-6).all()
    assert -1e-6 < gains[-1] < 1e-6  # float32 in the cosines


def test_a_round_by_hand():
    # The pairs are a rotation: the first map fits, and the second is the same.
    X = np.array([[1, 0], [0, 1]], np.float32)
    Y = np.array([[0.6, 0.8], [-0.8, 0.6]], np.float32)
    W, report = learn(X, Y, np.array([[0, 0], [1, 1]]), options())
    np.testing.assert_allclose(W, Y, atol=1e-6)
    assert [entry["similarity"] for entry in report["self_learning"]] == pytest.approx([1, 1])


def test_rounds_and_words_can_be_fewer(rotated_copy, every):
    X, Y, _ = rotated_copy()
    report = learn(X, Y, every(15), options(rounds=2, dictionary_words=50))[1]
    assert [entry["pairs"] for entry in report["self_learning"]] == [15, 50]
    assert not report["converged"]
