import numpy as np
import pytest

from cr5.models.export import without_zeros
from cr5.models.word_tables import WordTables


@pytest.fixture
def model():
    tables = {"en": np.array([[1, 0], [0, 1], [0, 3.0]]), "it": np.array([[0, 0], [2, 0.0]])}
    weights = {"en": np.arange(3.0), "it": np.ones(2)}
    offsets = {"en": np.ones(2), "it": np.ones(2)}
    return WordTables({"en": ["a", "b", "c"], "it": ["x", "y"]}, tables, weights, offsets)


def test_words_of_zero_vectors_are_left_out(model):
    found = without_zeros(model)
    assert found.words == {"en": ["a", "b", "c"], "it": ["y"]}
    np.testing.assert_array_equal(found.tables["it"], [[2, 0]])
    np.testing.assert_array_equal(found.weights["it"], [1])
    assert without_zeros(found) is found
