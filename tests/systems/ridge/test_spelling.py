import sys
from math import log, sqrt

import numpy as np
import pytest
from scipy import sparse

from cr5.base.errors import UserError
from cr5.contracts.seeds import Seeds
from cr5.contracts.vocabulary import Fallbacks
from cr5.systems.algebra.beginnings import beside
from cr5.systems.algebra.scripts import compared
from cr5.systems.ridge.spelling import prefixes, translations, unknown


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("México", {"Mexi", "Mexic", "Mexico"}),
        ("mexicana", {"mexi", "mexic", "mexica", "mexicana"}),
    ],
)
def test_prefixes_of_a_word(word, expected):
    assert prefixes(word) == expected


def test_translations_by_hand():
    words = {"da": ["hus", "og"], "en": ["house", "home", "casa"], "it": ["casa", "villa"]}
    pairs = {
        ("da", "en"): [("hus", "house"), ("hus", "home"), ("bil", "car")],
        ("it", "en"): [("casa", "house")],
        ("en", "it"): [("house", "villa"), ("home", "villa")],
    }
    tables = translations(words, Seeds(pairs), {})
    # most pairs are with English; of seven words home is a feature of three, house of four
    idf = np.array([log(7 / 3), log(7 / 4)])
    home, house = idf / np.linalg.norm(idf)
    expected = {
        "da": [[home, house], [0, 0]],
        "en": [[0, 1], [1, 0], [0, 0]],  # casa of English is another word
        "it": [[0, 1], [home, house]],
    }
    turned = translations(dict(reversed(words.items())), Seeds(pairs), {})
    for language, table in tables.items():
        np.testing.assert_allclose(table.toarray(), expected[language])
        np.testing.assert_array_equal(turned[language].toarray(), table.toarray())


def test_translations_that_a_test_asks_for_tell_nothing():
    words = {"en": ["house", "mill"], "it": ["casa", "mulino"]}
    pairs = {("en", "it"): [("house", "casa"), ("mill", "mulino")]}
    tables = translations(words, Seeds(pairs, {("en", "it"): frozenset({"mill"})}), {})
    assert tables["it"].getnnz(axis=1).tolist() == [1, 0]


def test_rows_of_unknown_words_by_hand():
    words = {"it": ["mexico", "di"], "en": ["mexicans", "mexico", "of", "ofen"]}
    fallbacks, rows = unknown(words, Seeds())
    begins = Fallbacks([], ["mexi", "mexic", "mexico"])
    assert fallbacks == {"en": begins, "it": begins}
    # of six words three have mexi and mexic, two mexico; an unknown word is new
    of_three = log(6 / 3)
    of_two = log(6 / 2)
    of_new = log(6)
    features = ["di", "mexi", "mexic", "mexica", "mexicans", "mexico", "of", "ofen"]
    rows_of_beginnings = [
        {"mexi": of_three, "new": of_new},
        {"mexi": of_three, "mexic": of_three, "new": of_new},
        {"mexi": of_three, "mexic": of_three, "mexico": of_two, "new": of_new},
    ]
    expected = [unit_row(weights, features) for weights in rows_of_beginnings]
    np.testing.assert_allclose(rows["it"].toarray(), expected)


def unit_row(weight_of_feature, features):
    """The weights of a word's features, of length one with those that are no columns."""
    length = sqrt(sum(weight**2 for weight in weight_of_feature.values()))
    return [weight_of_feature.get(feature, 0) / length for feature in features]


def test_a_language_has_the_beginnings_of_its_own_words():
    cats = Fallbacks([], ["cats"])
    fallbacks, _ = unknown({"en": ["cats", "catsup"], "it": ["cats", "vino"]}, Seeds())
    assert fallbacks == {"en": cats, "it": cats}
    fallbacks, rows = unknown({"en": ["cats", "catsup"], "it": ["vino"]}, Seeds())
    assert fallbacks == {"en": cats, "it": Fallbacks([], [])}
    assert rows["it"].shape == (0, 4)  # cats, catsu, catsup, vino


def test_other_words_of_a_dictionary_have_the_features_that_are_known():
    words = {"en": ["mexico", "mexican"], "it": ["gatto", "gatti"]}
    pairs = [("mexico", "messico"), ("mexicans", "gatto"), ("feline", "gattone")]
    fallbacks, rows = unknown(words, Seeds({("en", "it"): pairs}))
    assert fallbacks["en"].words == ["feline", "mexicans"]
    assert fallbacks["it"] == Fallbacks(["gattone", "messico"], ["gatt"])
    # of four words two have gatt, mexi and mexic, one gatti, gatto, mexica, mexican and mexico
    of_two = log(4 / 2)
    of_one = log(4)
    features = ["gatt", "gatti", "gatto", "mexi", "mexic", "mexica", "mexican", "mexico"]
    weights_of_mexicans = {"mexi": of_two, "mexic": of_two, "mexica": of_one, "new": of_one}
    weights_of_gattone = {"gatt": of_two, "gatto": of_one, "new": of_one}
    mexicans = unit_row(weights_of_mexicans, features)
    gattone = unit_row(weights_of_gattone, features)
    no_features = np.zeros(len(features))
    np.testing.assert_allclose(rows["en"].toarray()[:2], [no_features, mexicans])
    np.testing.assert_allclose(rows["it"].toarray()[:2], [gattone, no_features])


def test_translations_of_words_that_did_not_train():
    fallbacks = {"en": Fallbacks(["mill"], ["mill"]), "it": Fallbacks(["casa"])}
    pairs = {("en", "it"): [("house", "casa"), ("mill", "casa")]}
    tables = translations({"en": ["house"], "it": []}, Seeds(pairs), fallbacks)
    assert tables["en"].toarray().tolist() == [[1], [1], [0]]
    assert tables["it"].toarray().tolist() == [[1]]


def test_beginnings_of_unknown_words_count_as_their_letters_if_these_are_enough():
    fallbacks = {"en": Fallbacks(["waiter"], ["wait", "waits"])}
    documents = {"en": sparse.csr_matrix(np.ones((1, 5)))}
    joined = beside({"en": ["wait…", "waits"]}, documents, 5, fallbacks)
    columns = joined["beside"]["en"]
    # in the columns of waite, waits and wait…, a word of its own; wait has too few letters
    waite, waits, wait = np.eye(3, dtype=int).tolist()
    assert columns.toarray().tolist() == [wait, waits, waite, [0, 0, 0], waits]


@pytest.mark.parametrize(
    ("kind", "word", "expected"),
    [
        ("latin", "интернет", "internet"),
        ("latin", "표", "pyo"),
        ("latin", "表示する", "表示suru"),  # Chinese characters stay
        ("latin", "éтекст", "étekst"),
        ("sounds", "café", "kafe"),
        ("sounds", "window", "vindov"),
        ("sounds", "formatt", "format"),
    ],
)
def test_words_of_different_scripts_are_compared(kind, word, expected):
    pytest.importorskip("anyascii", reason="the extra scripts is not installed")
    assert compared({"x": [word]}, kind) == {"x": [expected]}


def test_only_words_of_other_scripts_need_anyascii(monkeypatch):
    monkeypatch.setitem(sys.modules, "anyascii", None)
    assert compared({"ru": ["текст"]}, "own") == {"ru": ["текст"]}
    assert compared({"it": ["più", "đường"], "ja": ["文書"]}, "latin")["it"] == ["più", "đường"]
    with pytest.raises(UserError, match=r"anyascii, .*'cr5\[scripts\]', or set `scripts: own`"):
        compared({"ru": ["текст"]}, "latin")
