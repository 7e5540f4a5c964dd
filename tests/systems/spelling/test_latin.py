import sys

import pytest

from cr5.base.errors import UserError
from cr5.systems.spelling import latin


@pytest.fixture
def in_latin():
    pytest.importorskip("anyascii", reason="the extra scripts is not installed")
    return latin.in_latin


@pytest.mark.parametrize(
    ("language", "word", "expected"),
    [
        ("ru", "интернет", "internet"),
        ("ru", "компьютер", "kompyuter"),
        ("ru", "центр", "centr"),
        ("ru", "подъезд", "podezd"),
        ("ru", "город", "gorod"),
        ("uk", "город", "horod"),
        ("uk", "ґанок", "ganok"),
        ("uk", "комп\u02bcютер", "kompyuter"),
        ("uk", "київ", "kyiv"),
        ("be", "гомель", "homel"),
        ("bg", "българия", "balgariya"),
        ("bg", "площад", "ploshtad"),
        ("el", "μενού", "menu"),
        ("el", "μπαρ", "bar"),
        ("el", "ντόμινο", "domino"),
        ("el", "γκολφ", "golf"),
        ("el", "άγγελος", "angelos"),
        ("el", "ευρώ", "euro"),
        ("el", "αυτόματο", "automato"),
        ("el", "άυλος", "aylos"),  # the accent on the first: no digraph
        ("hi", "पायथन", "payathan"),
        ("hi", "हिन्दी", "hindi"),
        ("hi", "कंप्यूटर", "kampyutar"),
        ("hi", "विंडो", "vindo"),
        ("hi", "फ़ाइल", "fail"),
        ("ja", "メニュー", "menyu"),
        ("ja", "ジャバ", "jaba"),
        ("ja", "フォント", "fonto"),
        ("ja", "ティー", "ti"),
        ("ja", "ショートカット", "shotokatto"),
        ("ja", "ぶんしょ", "bunsho"),
        ("ko", "한국", "hangug"),
    ],
)
def test_well_known_words(in_latin, language, word, expected):
    assert in_latin(word, language) == expected


@pytest.mark.parametrize("word", ["cat", "méxico", "đường", "søen", "ß", "e\u0323\u0302", "文書"])
def test_latin_words_and_chinese_characters_stay_as_they_are(monkeypatch, word):
    monkeypatch.setattr(latin, "_anyascii", pytest.fail)
    assert latin.in_latin(word, "xx") == word


def test_only_the_letters_of_other_scripts_change(in_latin):
    assert in_latin("表示する", "ja") == "表示suru"
    assert in_latin("éтекст", "ru") == "étekst"


def test_without_anyascii_the_message_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "anyascii", None)
    latin._anyascii.cache_clear()
    with pytest.raises(UserError, match=r"anyascii, .*'cr5\[scripts\]', or set `scripts: own`"):
        latin.in_latin("текст", "ru")
    assert latin.in_latin("texte", "fr") == "texte"
