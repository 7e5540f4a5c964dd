"""Seed pairs, and what holds for all systems that fit a map to them."""

import json
from dataclasses import replace

import numpy as np
import pytest

from cr5.base.errors import LeftOutError
from cr5.base.parts import SYSTEMS
from cr5.base.rows import unit_rows
from cr5.fitting import fit as fitting
from cr5.fitting.seeds import Seeds
from cr5.systems.mapping.seeded import KINDS, rows_of, seed_pairs
from cr5.systems.mapping.spaces import Space

DICTIONARY = {("it", "en"): [("casa", "house"), ("casa", "home"), ("no", "no"), ("cane", "dog")]}
ASKED = {("it", "en"): frozenset(["cane", "7"]), ("en", "it"): frozenset(["home", "radio"])}


def space_of(language, words):
    rows = np.arange(len(words))
    return Space(language, words, rows, np.eye(len(words), dtype=np.float32))


ITALIAN = space_of("it", ["7", "no", "casa", "radio", "1984", "cane", "12", "٣", "b52"])
ENGLISH = space_of("en", ["b52", "house", "radio", "12", "dog", "no", "1984", "home", "7", "٣"])


def words(kind, seeds, source=ITALIAN, target=ENGLISH, **given):
    pairs = seed_pairs(kind, source, target, seeds, **({"directed": False} | given))
    return [(source.words[i], target.words[j]) for i, j in pairs]


def test_by_hand():
    seeds = Seeds(DICTIONARY)
    same = ["7", "no", "radio", "1984", "12", "٣", "b52"]
    assert words("identical", seeds) == [(x, x) for x in same]
    assert words("identical", seeds, min_length=3) == [(x, x) for x in ("radio", "1984", "b52")]
    assert words("numerals", seeds) == [(x, x) for x in ("7", "1984", "12")]
    assert words("dictionary", seeds) == DICTIONARY["it", "en"]
    # "no" is in the dictionary already
    both = words("dictionary_and_identical", seeds, min_length=2)
    assert both == DICTIONARY["it", "en"] + [(x, x) for x in ("radio", "1984", "12", "b52")]


def test_no_tested_word_is_a_seed_of_any_kind():
    seeds = Seeds(DICTIONARY, ASKED)
    same = ["no", "1984", "12", "٣", "b52"]
    assert words("identical", seeds) == [(x, x) for x in same]
    assert words("numerals", seeds) == [("1984", "1984"), ("12", "12")]
    assert words("dictionary", seeds) == [("casa", "house"), ("no", "no")]
    both = words("dictionary_and_identical", seeds)
    assert both == [("casa", "house"), ("no", "no"), *((x, x) for x in ("1984", "12", "٣", "b52"))]
    # Of a map for one direction, what the other direction asks for is no secret.
    assert ("radio", "radio") in words("identical", seeds, directed=True)
    assert ("casa", "home") in words("dictionary", seeds, directed=True)


def test_the_dictionary_the_other_way_round():
    found = words("dictionary", Seeds(DICTIONARY), ENGLISH, ITALIAN)
    assert found == [(y, x) for x, y in DICTIONARY["it", "en"]]


def test_unknown_words_and_repeated_pairs():
    pairs = [("b", "x"), ("a", "z"), ("c", "x"), ("b", "x"), ("b", "y")]
    assert rows_of(pairs, ["a", "b"], ["x", "y"]).tolist() == [[1, 0], [1, 1]]


@pytest.mark.parametrize("kind", KINDS)
def test_none(kind):
    found = seed_pairs(
        kind, space_of("da", ["hus"]), space_of("en", ["house"]), Seeds(), directed=True
    )
    assert (found.shape, found.dtype) == ((0, 2), np.int64)


N, D = 300, 10
OPTIONS = {
    "procrustes": {"rounds": 0},
    "least_squares": {},
    "word_cca": {},
    "vecmap_supervised": {},
    "vecmap_self_learning": {},
    "rcsls": {"rates": [1.0, 25.0], "epochs": [2, 4]},
}
BOTH_SIDES = ("word_cca", "vecmap_supervised")


def spaces(seed=0, noise=0.02):
    """Word i of one language is word i of the others, turned and blurred."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(N, D)) * np.linspace(2, 0.5, D) + 0.5
    turns = [np.linalg.qr(rng.normal(size=(D, D)))[0] for _ in range(3)]
    blurred = (X @ Q + noise * rng.normal(size=X.shape) for Q in turns)
    return dict(zip(("da", "en", "it"), (x.astype(np.float32) for x in blurred), strict=True))


@pytest.fixture
def training(training_of):
    """Every third word is in the dictionary."""

    def make(*languages, pairs=range(0, N, 3), asked=()):
        vectors = {x: rows for x, rows in spaces().items() if x in languages}
        words = {x: [f"{x}{i}" for i in range(N)] for x in languages}
        directed = [(x, y) for x in languages for y in languages if x != y]
        dictionary = {(x, y): [(f"{x}{i}", f"{y}{i}") for i in pairs] for x, y in directed}
        tested = {(x, y): frozenset(f"{x}{i}" for i in asked) for x, y in directed}
        return training_of(words, vectors=vectors, seeds=Seeds(dictionary, tested))

    return make


def fit(system, training, **options):
    return fitting.fit(SYSTEMS.part(system, OPTIONS[system] | options), training)


def share_first(model, source, target, rows):
    """Of some source words, whose nearest target word is their own."""
    X, Y = (unit_rows(model.table(x, target)) for x in (source, target))
    return (np.argmax(X @ Y.T, axis=1) == np.arange(N))[rows].mean()


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("system", OPTIONS)
def test_words_that_are_not_in_the_dictionary_find_their_translation(system, training, directed):
    given = training("en", "it")
    found = fit(system, given, directed=directed)
    found.model.check()
    unseen = np.arange(N) % 3 > 0
    before = replace(found.model, tables=given.vectors) if not directed else None
    assert share_first(found.model, "it", "en", unseen) > 0.9
    assert share_first(found.model, "en", "it", unseen) > 0.9
    assert before is None or share_first(before, "it", "en", unseen) < 0.1
    assert set(found.report["pairs"]) == ({"en-it", "it-en"} if directed else {"it-en"})
    assert {x["seed_pairs"] for x in found.report["pairs"].values()} == {N // 3}
    assert json.loads(json.dumps(found.report)) == found.report


@pytest.mark.parametrize("system", OPTIONS)
def test_three_languages_meet_in_the_pivot_or_are_told_why_not(system, training):
    given = training("da", "en", "it")
    if system in BOTH_SIDES:
        with pytest.raises(LeftOutError, match="fit it in a setting of kind pairwise"):
            fit(system, given)
        return
    model = fit(system, given).model
    assert share_first(model, "da", "it", slice(None)) > 0.9


@pytest.mark.parametrize("system", OPTIONS)
def test_what_is_tested_is_not_learnt(system, training):
    """With the tested words left out of the dictionary by hand the bytes are the same."""
    asked = range(0, N, 9)
    hidden = fit(system, training("en", "it", asked=asked)).model
    without = [i for i in range(0, N, 3) if i % 9]
    expected = fit(system, training("en", "it", pairs=without)).model
    for x in ("en", "it"):
        assert hidden.tables[x].tobytes() == expected.tables[x].tobytes()


@pytest.mark.parametrize("system", OPTIONS)
def test_too_few_pairs(system, training):
    least = 1 if system == "vecmap_self_learning" else D
    said = f"it-en: {least - 1} pairs of the training dictionary .* at least {least} are needed"
    with pytest.raises(LeftOutError, match=said):
        fit(system, training("en", "it", pairs=range(least - 1)))


@pytest.mark.parametrize(
    ("seeds", "said"),
    [
        ("numerals", "0 numerals of 3 or more digits in both languages"),
        ("identical", "5 identical strings of 3 or more characters, but at least 10 are needed"),
    ],
)
def test_pairs_that_a_system_makes_are_of_words_as_long_as_asked_for(training, seeds, said):
    given = replace(training("en", "it"), seeds=None)
    shared = [*"abcdefghij", *(f"name{i}" for i in range(5))]
    words = {x: [*shared, *each[len(shared) :]] for x, each in given.words.items()}
    with pytest.raises(LeftOutError, match=said):
        fit("word_cca", replace(given, words=words), seeds=seeds, min_length=3)
