import numpy as np
import pytest

from cr5.base.errors import LeftOutError, UserError
from cr5.systems.mapping import pivot
from cr5.systems.mapping.family import OntoPivot
from cr5.systems.mapping.pivot import Mapped


@pytest.fixture
def training(training_of):
    def make(spaces, words=None, **given):
        words = words or {x: [f"w{i}" for i in range(len(spaces[x]))] for x in spaces}
        return training_of(words, vectors=spaces, **given)

    return make


def as_it_is(source, target):
    return Mapped(source.vectors, report={"from": source.language, "to": target.language})


def turned(source, target):
    """Both spaces change, each in a way of its own."""
    return Mapped(source.vectors[:, ::-1], -target.vectors)


def test_choice_of_the_pivot():
    assert pivot.choose_pivot(["da", "en", "it"], None) == "en"
    assert pivot.choose_pivot(["da", "it"], None) == "da"
    assert pivot.choose_pivot(["da", "en_gb"], None) == "en_gb"
    assert pivot.choose_pivot(["en_gb", "en"], None) == "en"
    assert pivot.choose_pivot(["da", "it"], "it") == "it"
    with pytest.raises(UserError, match=r"option pivot: 'fr' is not a language .* \(da, it\)"):
        pivot.choose_pivot(["da", "it"], "fr")


def test_languages_of_different_dimension(training):
    given = training({"en": np.ones((3, 2), np.float32), "it": np.ones((3, 4), np.float32)})
    with pytest.raises(UserError, match="the languages differ in dimension"):
        pivot.fit_mapped(given, OntoPivot(), as_it_is)


def test_every_language_is_mapped_onto_the_pivot(training):
    rows = np.eye(3, 2, dtype=np.float32)[::-1]  # the first word has no vector
    given = training({x: rows * n for n, x in enumerate(["da", "en", "it"], start=1)})
    fit = pivot.fit_mapped(given, OntoPivot(), as_it_is)
    assert {pair: (x["from"], x["to"], x["words"]) for pair, x in fit.report["pairs"].items()} == {
        "da-en": ("da", "en", 2),
        "it-en": ("it", "en", 2),
    }
    assert not fit.model.directed
    for table in fit.model.tables.values():
        assert table.dtype == np.float32
        np.testing.assert_array_equal(table, rows)


def test_nothing_is_validated_where_nothing_is_chosen(training):
    """So a mapping is fitted where no query validates: it would raise there."""
    given = training({x: np.eye(2, dtype=np.float32) for x in ("en", "it")}, validate=pytest.fail)
    assert set(pivot.fit_mapped(given, OntoPivot(), as_it_is).report) == {"pairs", "warnings"}


def test_directed_each_direction_has_a_map_of_its_own(training):
    spaces = {x: np.array([[1, 0], [0, 1]], np.float32) for x in ("da", "en", "it")}

    def solve(source, target):
        return Mapped(source.vectors * (1 if source.language < target.language else -1))

    fit = pivot.fit_mapped(training(spaces), OntoPivot(directed=True), solve)
    fit.model.check()
    assert fit.model.directed
    assert len(fit.report["pairs"]) == 6
    np.testing.assert_array_equal(fit.model.table("da", "it"), spaces["da"])
    np.testing.assert_array_equal(fit.model.table("it", "da"), -spaces["it"])
    for language in spaces:
        np.testing.assert_array_equal(fit.model.table(language, language), spaces[language])


@pytest.mark.parametrize("directed", [False, True])
def test_a_system_that_changes_both_spaces_is_for_two_languages(training, directed):
    rows = np.array([[1, 0], [0, 0], [0, 1]], np.float32)
    system = OntoPivot(directed=directed)
    fit = pivot.fit_mapped(training({"en": rows, "it": rows}), system, turned, both_sides=True)
    table = fit.model.table("it", "en")
    np.testing.assert_array_equal(table, rows[:, ::-1])
    np.testing.assert_array_equal(fit.model.table("en", "en"), -rows)
    with pytest.raises(LeftOutError, match=r"da, en, it do not meet in one.*kind pairwise"):
        pivot.fit_mapped(
            training(dict.fromkeys(("da", "en", "it"), rows)), system, turned, both_sides=True
        )
