import math

import numpy as np
import pytest

from cr5.models.pruned import pruned, usefulness, without_zeros
from cr5.models.word_tables import WordTables


@pytest.fixture
def model():
    """Of 100 documents `a` is in all, `b` in a quarter, `c` in one; vectors are 1, 1 and 3 long."""
    w = np.log(100 / np.array([100, 25, 1])) + 1
    tables = {"en": np.array([[1, 0], [0, 1], [0, 3.0]]), "it": np.array([[0, 0], [2, 0.0]])}
    weights = {"en": w, "it": np.ones(2)}
    offsets = {"en": np.ones(2), "it": np.ones(2)}
    return WordTables({"en": ["a", "b", "c"], "it": ["x", "y"]}, tables, weights, offsets)


def test_the_words_with_the_largest_part_stay_in_their_order(model):
    by_hand = [1 * 1 * 1, 0.5 * (math.log(4) + 1) * 1, 0.1 * (math.log(100) + 1) * 3]
    np.testing.assert_allclose(usefulness(model, "en"), by_hand)  # 1, 1.19, 1.68
    found = pruned(model, 2)
    assert found.words == {"en": ["b", "c"], "it": ["x", "y"]}
    assert pruned(model, 1).words == {"en": ["c"], "it": ["y"]}
    np.testing.assert_array_equal(found.tables["en"], [[0, 1], [0, 3]])
    np.testing.assert_allclose(found.weights["en"], model.weights["en"][1:])
    assert found.offsets is model.offsets
    found.check()


def test_words_of_zero_vectors_are_left_out(model):
    found = without_zeros(model)
    assert found.words == {"en": ["a", "b", "c"], "it": ["y"]}
    np.testing.assert_array_equal(found.tables["it"], [[2, 0]])
    np.testing.assert_array_equal(found.weights["it"], [1])
    assert without_zeros(found) is found


def test_weights_that_are_no_idf_leave_it_to_the_vectors(model):
    found = pruned(model.reweighted("en", np.full(3, 0.2)), 1)
    assert found.words["en"] == ["c"]
