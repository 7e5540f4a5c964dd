import pytest

from cr5.systems.spelling.sounds import consonants, sounds


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("text", "tekst"),
        ("computer", "komputer"),
        ("centr", "tsentr"),
        ("phone", "fone"),
        ("format", "formatt"),
        ("system", "sistem"),
        ("check", "chek"),
        ("window", "vindov"),
        ("scripta", "skripta"),
    ],
)
def test_what_sounds_alike_is_written_alike(one, other):
    assert sounds(one) == sounds(other)


@pytest.mark.parametrize("word", ["", "a", "đuong", "文書", "текст"])
def test_what_has_no_rule_stays(word):
    assert sounds(word) == word


@pytest.mark.parametrize("word", ["text", "queue", "bookkeeper", "cocktail", "yacht", "tschüs"])
def test_sounds_of_sounds_are_the_same(word):
    assert sounds(sounds(word)) == sounds(word)


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("computer", "kmptr"),
        ("kampyutar", "kmptr"),
        ("internet", "intrnt"),  # a first vowel stays
        ("file", "fire"),  # f and r would tell little
        ("formatting", "frmtng"),
    ],
)
def test_consonants(word, expected):
    assert consonants(word) == expected
