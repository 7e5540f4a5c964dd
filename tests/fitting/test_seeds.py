import pandas as pd

from cr5.fitting.seeds import Seeds, seeds_of

COLUMNS = ["query", "target", "word", "translation"]
DICTIONARY = pd.DataFrame(
    [
        ("en", "it", "house", "casa"),
        ("en", "it", "dog", "cane"),
        ("en", "it", "dog", "cagna"),
        ("en", "it", "year", "anno"),
        ("it", "en", "gatto", "cat"),
    ],
    columns=COLUMNS,
)
ENGLISH = pd.DataFrame([("en", "it", "house", "abitazione")], columns=COLUMNS)
ITALIAN = pd.DataFrame([("it", "en", "anno", "year")], columns=COLUMNS)


def test_what_a_test_asks_for_is_left_out():
    seeds = seeds_of(DICTIONARY, [ENGLISH, ITALIAN])
    dogs = [("dog", "cane"), ("dog", "cagna")]
    assert seeds.given("en", "it", directed=False) == dogs
    # what the other direction asks for is no secret to a map that serves this one alone
    assert seeds.given("en", "it", directed=True) == [*dogs, ("year", "anno")]
    assert seeds.given("it", "en", directed=True) == [("gatto", "cat")]


def test_pairs_that_a_system_makes_itself():
    seeds = seeds_of(None, [ENGLISH, ITALIAN])
    same = [("house", "house"), ("anno", "anno"), ("radio", "radio")]
    assert seeds.allowed(same, "en", "it", directed=False) == [("radio", "radio")]
    assert seeds.allowed(same, "it", "en", directed=True) == [same[0], same[2]]
    assert seeds.given("en", "it", directed=False) == []


def test_the_dictionary_of_the_other_direction_is_turned():
    seeds = seeds_of(DICTIONARY[-1:], [])
    assert seeds.given("en", "it", directed=False) == [("cat", "gatto")]
    assert seeds.given("en", "it", directed=True) == []
    assert Seeds().given("en", "it", directed=False) == []


def test_to_a_pivot_what_any_test_asks_for_is_left_out():
    """Dog and cane that both meet hund would give the answer of a test between the two others."""
    columns = dict(zip(COLUMNS, zip(("es", "it", "perro", "cane")), strict=True))
    seeds = seeds_of(None, [pd.DataFrame(columns)])
    pairs = [("perro", "hund"), ("gato", "katze")]
    assert seeds.allowed(pairs, "es", "de", directed=False) == pairs[1:]
    assert seeds.allowed([x[::-1] for x in pairs], "de", "es", directed=False) == [pairs[1][::-1]]
    assert seeds.allowed(pairs, "es", "de", directed=True) == pairs


def test_capital_letters_hide_no_answer():
    same = [("House", "House"), ("Radio", "Radio")]
    for asked in (ENGLISH, ENGLISH.replace("house", "House")):  # as where bags keep case
        assert seeds_of(None, [asked]).allowed(same, "en", "it", directed=True) == same[1:]
