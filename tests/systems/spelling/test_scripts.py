from typing import get_args

import pytest

from cr5.base.folding import folded
from cr5.systems.reduced_rank.family import Scripts
from cr5.systems.spelling import latin, scripts
from cr5.systems.spelling.scripts import compared, consonants, sounds

FEW_OTHERS = {"en": [*"abcd", "π"], "it": [*"àbcdefgh", "файл"]}  # a fifth; a ninth


@pytest.mark.parametrize("words", [FEW_OTHERS, {"ru": ["текст", "фото"], "uk": ["файл", "text"]}])
def test_languages_of_one_script_stay_as_they_are(monkeypatch, words):
    monkeypatch.setattr(latin, "_anyascii", pytest.fail)
    assert compared(words, "auto") is words


def test_all_may_stay_as_it_is():
    words = {"en": ["text"], "ru": ["текст"]}
    assert compared(words, "own") is words


def test_languages_of_different_scripts_are_compared_by_sounds():
    pytest.importorskip("anyascii", reason="the extra scripts is not installed")
    words = {"en": ["text", "café", "cat"], "ru": ["текст", "кафе", "text"]}
    found = compared(words, "auto")
    assert found == {"en": ["tekst", "kafe", "kat"], "ru": ["tekst", "kafe", "tekst"]}
    assert found == compared(words, "sounds")
    assert compared(words, "latin") == {"en": words["en"], "ru": ["tekst", "kafe", "text"]}


def test_a_language_has_its_own_letters_whatever_its_variant():
    pytest.importorskip("anyascii", reason="the extra scripts is not installed")
    found = compared({"uk-ua": ["програма"], "ru": ["программа"]}, "latin")
    assert found == {"uk-ua": ["prohrama"], "ru": ["programma"]}


@pytest.mark.parametrize(("kind", "expected"), [("latin", "più"), ("sounds", "piu")])
def test_latin_words_need_no_package(monkeypatch, kind, expected):
    monkeypatch.setattr(latin, "_anyascii", pytest.fail)
    assert compared({"it": ["più"]}, kind) == {"it": [expected]}


def test_every_kind_is_allowed():
    assert set(get_args(Scripts)) == {"auto", "own", *scripts.KINDS}


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("", ""),
        ("cat", "cat"),
        ("méxico", "mexico"),
        ("me\u0301xico", "mexico"),
        ("đường", "đuong"),  # the horn and the grave go, the stroke is part of the letter
        ("søen", "søen"),
        ("ñandú", "nandu"),
        ("άνθρωπος", "ανθρωπος"),
        ("हिन्दी", "हिन्दी"),  # vowel signs and virama are no accents
        ("が", "が"),
        ("한국", "한국"),
    ],
)
def test_accents_go_and_nothing_else(word, expected):
    assert folded(word) == expected


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
