import numpy as np
import pytest

from cr5.fitting.seeds import Seeds
from cr5.systems.mapping.seeds import KINDS, rows_of, seed_pairs
from cr5.systems.mapping.spaces import Space

DICTIONARY = {("it", "en"): [("casa", "house"), ("casa", "home"), ("no", "no"), ("cane", "dog")]}
ASKED = {("it", "en"): frozenset(["cane", "7"]), ("en", "it"): frozenset(["home", "radio"])}


def space(language, words):
    rows = np.arange(len(words))
    return Space(language, words, rows, np.eye(len(words), dtype=np.float32))


ITALIAN = space("it", ["7", "no", "casa", "radio", "1984", "cane", "12", "٣", "b52"])
ENGLISH = space("en", ["b52", "house", "radio", "12", "dog", "no", "1984", "home", "7", "٣"])


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


def test_no_tested_word_is_a_seed_of_any_kind():
    seeds = Seeds(DICTIONARY, ASKED)
    same = ["no", "1984", "12", "٣", "b52"]
    assert words("identical", seeds) == [(x, x) for x in same]
    assert words("numerals", seeds) == [("1984", "1984"), ("12", "12")]
    assert words("dictionary", seeds) == [("casa", "house"), ("no", "no")]
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
    found = seed_pairs(kind, space("da", ["hus"]), space("en", ["house"]), Seeds(), directed=True)
    assert (found.shape, found.dtype) == ((0, 2), np.int64)
