"""Seed pairs, and what holds for all systems that fit a map to them."""

import numpy as np
import pytest

from cr5.base.errors import LeftOutError
from cr5.base.parts import SYSTEMS
from cr5.base.rows import unit_rows
from cr5.fitting.seeds import Seeds
from cr5.systems.maps.seeds import rows_of, seed_pairs
from cr5.systems.maps.spaces import Space

DICTIONARY = {("it", "en"): [("casa", "house"), ("casa", "home"), ("no", "no"), ("cane", "dog")]}
ASKED = {("it", "en"): frozenset(["cane", "7"]), ("en", "it"): frozenset(["home", "radio"])}


def space_of(language, words):
    return Space(language, words, np.arange(len(words)), np.eye(len(words), dtype=np.float32))


ITALIAN = space_of("it", ["7", "no", "casa", "radio", "1984", "cane", "12", "٣", "b52"])
ENGLISH = space_of("en", ["b52", "house", "radio", "12", "dog", "no", "1984", "home", "7", "٣"])


def words(kind, seeds, source=ITALIAN, target=ENGLISH, directed=False):
    pairs = seed_pairs(kind, source, target, seeds, directed=directed)
    return [(source.words[i], target.words[j]) for i, j in pairs]


def test_by_hand():
    seeds, given = Seeds(DICTIONARY), DICTIONARY["it", "en"]
    same = [(x, x) for x in ("7", "no", "radio", "1984", "12", "٣", "b52")]
    assert words("identical", seeds) == same
    assert words("numerals", seeds) == [(x, x) for x in ("7", "1984", "12")]
    assert words("dictionary", seeds) == given
    assert words("dictionary_and_identical", seeds) == [*given, *(x for x in same if x[0] != "no")]
    assert words("dictionary", seeds, ENGLISH, ITALIAN) == [(y, x) for x, y in given]


def test_no_tested_word_is_a_seed_of_any_kind():
    seeds = Seeds(DICTIONARY, ASKED)
    same = [(x, x) for x in ("no", "1984", "12", "٣", "b52")]
    assert words("identical", seeds) == same
    assert words("numerals", seeds) == [("1984", "1984"), ("12", "12")]
    assert words("dictionary", seeds) == [("casa", "house"), ("no", "no")]
    assert words("dictionary_and_identical", seeds) == [("casa", "house"), ("no", "no"), *same[1:]]
    # Of a map for one direction, what the other direction asks for is no secret.
    assert ("radio", "radio") in words("identical", seeds, directed=True)
    assert ("casa", "home") in words("dictionary", seeds, directed=True)


def test_unknown_words_and_repeated_pairs():
    pairs = [("b", "x"), ("a", "z"), ("c", "x"), ("b", "x"), ("b", "y")]
    assert rows_of(pairs, ["a", "b"], ["x", "y"]).tolist() == [[1, 0], [1, 1]]
    assert rows_of([], ["a"], ["x"]).shape == (0, 2)


N, D = 300, 10
OPTIONS = {
    "procrustes": {"rounds": 0},
    "least_squares": {},
    "word_cca": {},
    "multicca": {},
    "vecmap_supervised": {},
    "vecmap_self_learning": {},
    "rcsls": {"rates": [1.0, 25.0], "epochs": [2, 4]},
}


@pytest.fixture
def training(training_of):
    """Word i of one language is word i of the other, turned and blurred; every third is paired."""

    def make(pairs=range(0, N, 3), asked=()):
        rng = np.random.default_rng(0)
        X = rng.normal(size=(N, D)) * np.linspace(2, 0.5, D) + 0.5
        turns = {x: np.linalg.qr(rng.normal(size=(D, D)))[0] for x in ("en", "it")}
        vectors = {
            x: (X @ Q + 0.02 * rng.normal(size=X.shape)).astype(np.float32)
            for x, Q in turns.items()
        }
        directions = [("it", "en"), ("en", "it")]
        given = {(x, y): [(f"{x}{i}", f"{y}{i}") for i in pairs] for x, y in directions}
        tested = {(x, y): frozenset(f"{x}{i}" for i in asked) for x, y in directions}
        words = {x: [f"{x}{i}" for i in range(N)] for x in vectors}
        return training_of(words, vectors=vectors, seeds=Seeds(given, tested))

    return make


def fit(system, training, **options):
    return SYSTEMS.part(system, OPTIONS[system] | options).fit(training)


@pytest.mark.parametrize("system", OPTIONS)
def test_words_that_are_not_in_the_dictionary_find_their_translation(system, training):
    found = fit(system, training(), directed=True)
    found.model.check()
    unseen = np.arange(N) % 3 > 0
    for source, target in (("it", "en"), ("en", "it")):
        X, Y = (unit_rows(found.model.table(x, target)) for x in (source, target))
        assert ((X @ Y.T).argmax(axis=1) == np.arange(N))[unseen].mean() > 0.9
    assert {x["seed_pairs"] for x in found.report["pairs"].values()} == {N // 3}


@pytest.mark.parametrize("system", OPTIONS)
def test_what_is_tested_is_not_learnt(system, training):
    """With the tested words left out of the dictionary by hand the bytes are the same."""
    hidden = fit(system, training(asked=range(0, N, 9))).model
    expected = fit(system, training(pairs=[i for i in range(0, N, 3) if i % 9])).model
    for x in ("en", "it"):
        assert hidden.tables[x].tobytes() == expected.tables[x].tobytes()


@pytest.mark.parametrize("system", OPTIONS)
def test_too_few_pairs(system, training):
    least = 1 if system == "vecmap_self_learning" else D
    with pytest.raises(LeftOutError, match=f"it-en: {least - 1} pairs .* at least {least}"):
        fit(system, training(pairs=range(least - 1)))
