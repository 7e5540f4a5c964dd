import numpy as np
import pytest

from cr5.base.errors import UserError
from cr5.systems.mapping import spaces


def test_space_has_the_words_with_a_vector_in_their_order(training_of):
    vectors = np.array([[3, 4], [0, 0], [0, 2], [5, 0]], np.float32)
    given = training_of({"en": ["a", "b", "c", "d"]}, vectors={"en": vectors})
    space = spaces.space_of(given, "en", centre=False)
    assert space.words == ["a", "c", "d"]
    assert space.rows.tolist() == [0, 2, 3]
    np.testing.assert_allclose(space.vectors, [[0.6, 0.8], [0, 1], [1, 0]])
    np.testing.assert_array_equal(space.own, space.vectors)
    long = spaces.space_of(given, "en", centre=False, own=True)
    np.testing.assert_array_equal(long.vectors, space.vectors)
    np.testing.assert_allclose(long.own, [[3, 4], [0, 2], [5, 0]], rtol=1e-6)
    np.testing.assert_allclose(long.scaled(np.ones((3, 1))), [[5], [2], [5]])


def test_centring_by_hand(training_of):
    vectors = np.array([[2, 0], [0, 1]], np.float32)
    given = training_of({"en": ["a", "b"]}, vectors={"en": vectors})
    space = spaces.space_of(given, "en", centre=True)
    h = np.sqrt(0.5)  # mean (0.5, 0.5); differences +-(0.5, -0.5), made unit length
    np.testing.assert_allclose(space.vectors, [[h, -h], [-h, h]], atol=1e-6)
    long = spaces.space_of(given, "en", centre=True, own=True)
    np.testing.assert_allclose(long.own, [[1, -0.5], [-1, 0.5]])  # mean (1, 0.5)


def test_a_language_without_vectors(training_of):
    given = training_of({"en": ["a", "b", "c"]}, vectors={"en": np.zeros((3, 2), np.float32)})
    with pytest.raises(UserError, match="word vectors of en: none of the 3 words"):
        spaces.space_of(given, "en", centre=False)
