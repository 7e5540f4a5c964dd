import pytest

from cr5.systems import cr5_spelling, prefix_overlap
from cr5.systems.spelling import latin, scripts
from cr5.systems.spelling.scripts import compared

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
    for system in (cr5_spelling, prefix_overlap):
        assert set(system.OPTIONS["scripts"][1]) == {"auto", "own", *scripts.KINDS}
