"""Word spaces of languages, and models of them once they are mapped."""

import numpy as np
import pytest

from cr5.base.errors import LeftOutError, UserError
from cr5.systems.maps.closed import LeastSquares
from cr5.systems.maps.family import OntoPivot
from cr5.systems.maps.spaces import Mapped, choose_pivot, fit_mapped, space_of


@pytest.fixture
def training(training_of):
    def make(spaces, **given):
        spaces = {x: np.array(rows, np.float32) for x, rows in spaces.items()}
        words = {x: [f"w{i}" for i in range(len(rows))] for x, rows in spaces.items()}
        return training_of(words, vectors=spaces, **given)

    return make


def test_a_space_has_the_words_with_a_vector_in_their_order(training):
    given = training({"en": [[3, 4], [0, 0], [0, 2], [5, 0]]})
    space = space_of(given, "en", OntoPivot())
    assert (space.words, space.rows.tolist()) == (["w0", "w2", "w3"], [0, 2, 3])
    np.testing.assert_allclose(space.vectors, [[0.6, 0.8], [0, 1], [1, 0]])
    np.testing.assert_array_equal(space.own, space.vectors)
    long = space_of(given, "en", LeastSquares())
    np.testing.assert_array_equal(long.vectors, space.vectors)
    np.testing.assert_allclose(long.own, [[3, 4], [0, 2], [5, 0]], rtol=1e-6)
    np.testing.assert_allclose(long.scaled(np.ones((3, 1))), [[5], [2], [5]])


def test_centring_by_hand(training):
    given, h = training({"en": [[2, 0], [0, 1]]}), np.sqrt(0.5)
    space = space_of(given, "en", OntoPivot(centre=True))
    # of unit rows the mean is (0.5, 0.5); differences +-(0.5, -0.5), made unit length
    np.testing.assert_allclose(space.vectors, [[h, -h], [-h, h]], atol=1e-6)
    long = space_of(given, "en", LeastSquares(centre=True))
    np.testing.assert_allclose(long.own, [[1, -0.5], [-1, 0.5]])  # mean (1, 0.5)


def test_choice_of_the_pivot():
    assert choose_pivot(["da", "en", "it"], None) == "en"
    assert choose_pivot(["da", "it"], None) == "da"
    assert choose_pivot(["da", "en_gb"], None) == "en_gb"
    assert choose_pivot(["en_gb", "en"], None) == "en"
    assert choose_pivot(["da", "it"], "it") == "it"
    with pytest.raises(UserError, match="'fr'"):
        choose_pivot(["da", "it"], "fr")


def test_every_language_is_mapped_onto_the_pivot(training):
    rows = np.eye(3, 2)[::-1]  # the first word has no vector
    # nothing is chosen, so nothing is validated: that would raise where no query validates
    given = training({"da": rows, "en": 2 * rows, "it": 3 * rows}, validate=pytest.fail)

    def solve(source, target):
        return Mapped(source.vectors, report={"onto": target.language, "warnings": ["!"]})

    found = fit_mapped(given, OntoPivot(), solve)
    expected = {"words": 2, "onto": "en"}
    assert found.report["pairs"] == {"da-en": expected, "it-en": expected}
    assert found.report["warnings"] == ["da-en: !", "it-en: !"]
    assert not found.model.directed
    for table in found.model.tables.values():
        np.testing.assert_array_equal(table, rows.astype(np.float32))


def test_directed_each_direction_has_a_map_of_its_own(training):
    spaces = dict.fromkeys(("da", "en", "it"), np.eye(2))

    def solve(source, target):
        return Mapped(source.vectors * (1 if source.language < target.language else -1))

    found = fit_mapped(training(spaces), OntoPivot(directed=True), solve)
    found.model.check()
    assert found.model.directed
    assert len(found.report["pairs"]) == 6
    np.testing.assert_array_equal(found.model.table("da", "it"), spaces["da"])
    np.testing.assert_array_equal(found.model.table("it", "da"), -spaces["it"])
    for language in spaces:
        np.testing.assert_array_equal(found.model.table(language, language), spaces[language])


@pytest.mark.parametrize("directed", [False, True])
def test_a_system_that_changes_both_spaces_is_for_two_languages(training, directed):
    def turned(source, target):
        return Mapped(source.vectors[:, ::-1], -target.vectors)

    rows, system = np.array([[1, 0], [0, 0], [0, 1]]), OntoPivot(directed=directed)
    found = fit_mapped(training({"en": rows, "it": rows}), system, turned, both_sides=True)
    np.testing.assert_array_equal(found.model.table("it", "en"), rows[:, ::-1])
    np.testing.assert_array_equal(found.model.table("en", "en"), -rows)
    with pytest.raises(LeftOutError, match="da, en, it"):
        fit_mapped(
            training(dict.fromkeys(("da", "en", "it"), rows)), system, turned, both_sides=True
        )


@pytest.mark.parametrize(
    ("english", "refusal", "said"),
    [(np.zeros((3, 2)), LeftOutError, "of en: none"), (np.ones((3, 4)), UserError, "dimension")],
)
def test_spaces_that_cannot_be_mapped(training, english, refusal, said):
    given = training({"it": np.ones((3, 2)), "en": english})
    with pytest.raises(refusal, match=said):
        fit_mapped(given, OntoPivot(), pytest.fail)
