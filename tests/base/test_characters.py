"""Characters that are not seen, and other forms of letters, do not tell words and ids apart."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cr5.base import characters, text_files
from cr5.base.errors import UserError
from cr5.counts.counting import count
from cr5.counts.tokens import Tokens, tokenise

# one of each block of Default_Ignorable_Code_Point (Unicode, DerivedCoreProperties), by hand
WITHIN_WORDS = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u180b\u180e\u180f\u200c\u200d\u200e\u200f\u202a\u202e"
    "\u2060\u2064\u2066\u2069\u206f\ufe00\ufe0e\ufe0f\ufeff\U000e0001\U000e0061\U000e0100"
)
BETWEEN_WORDS = "\u200b\u3164\uffa0"  # a space of no width, and blank letters
WORDS = st.text(st.sampled_from("abzßéΣςжİıưアกल\u0301\u093f한"), min_size=1, max_size=6)
PIECES = st.lists(st.one_of(WORDS, st.sampled_from(" .,-’\n9²東")), max_size=8)


def inserted(data, text, those):
    """The text with some characters put anywhere in it."""
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(text)))
        text = text[:place] + data.draw(st.sampled_from(those)) + text[place:]
    return text


@pytest.mark.parametrize("kind", ["letters", "words", "nltk"])
@settings(deadline=None)
@given(data=st.data())
def test_what_is_not_seen_changes_no_word_however_it_is_counted(kind, data):
    if kind == "nltk":
        pytest.importorskip("nltk", reason="the extra nltk is not installed")
    text = "".join(data.draw(PIECES))
    with_more = inserted(data, text, WITHIN_WORDS)
    tokens = Tokens(tokens=kind)
    words = tokens(text, "xx")
    assert tokens(with_more, "xx") == words
    assert tokens.token(with_more, "xx") == tokens.token(text, "xx")
    assert not set(WITHIN_WORDS + BETWEEN_WORDS) & set("".join(words))
    piece = count([with_more], "xx", tokens)
    assert dict(zip(piece.words.to_pylist(), piece.counts.toarray()[0], strict=True)) == {
        word: words.count(word) for word in words
    }


@settings(deadline=None)
@given(st.data())
def test_what_is_not_seen_changes_no_id(data):
    name = "Q" + data.draw(WORDS)
    with_more = inserted(data, f" {name}\n", WITHIN_WORDS + "\u200b")
    assert text_files.checked_name("id", with_more, "here") == unicodedata.normalize("NFC", name)


def test_an_id_of_what_is_not_seen_is_empty_and_a_blank_letter_is_a_space():
    with pytest.raises(UserError, match='here: "id" is empty'):
        text_files.checked_name("id", "\ufeff\u200b\u3164\u2060", "here")
    assert text_files.checked_name("id", "\u3164a\uffa0b\u3164", "here") == "a b"


@pytest.mark.parametrize("blank", BETWEEN_WORDS)
def test_some_of_it_ends_a_word(blank):
    assert tokenise(f"one{blank}two", "en") == ["one", "two"]
    assert tokenise.token(f"one{blank}two", "en") == ""


@pytest.mark.parametrize(
    ("written", "letters"),
    [
        ("Ｗｏｒｄ", "Word"),
        ("ﬁle oﬃce ﬅ Ĳ ǆ ŉ", "file office st IJ dž ʼn"),
        ("և ﬓ", "եւ մն"),
        ("ﻣﺮﺣﺒﺎ ﷲ ﻼ", "مرحبا الله لا"),
        ("ﬠﬡ ﭏ", "עא אל"),
        ("ｶﾞｷﾞﾊﾟｰﾃｨ", "ガギパーティ"),
        ("ﾡￂ", "ㄱㅏ"),  # letters of half width, and as they are with full width
        ("1ª 2º µm ſo ẛ", "1a 2o μm so ṡ"),
        ("𝐖𝑜𝓇𝔡 ℝ ℓ ℵ", "Word R l א"),
        ("１𝟐", "12"),
        ("⼈⺟", "人母"),
        ("ゟ", "より"),
        ("ℹ️ 1️⃣", "  1"),  # emoji
    ],
)
def test_other_forms_of_letters_are_letters(written, letters):
    assert characters.plain_word(written) == letters
    assert tokenise(written, "xx") == tokenise(letters, "xx")


@pytest.mark.parametrize(
    "kept",
    ["² ½ ℃ № ㍿ ™ ㎏ ⑴ Ⅷ", "น้ำ ນ້ຳ ໜັງສື ໝາ", "ㄱㅏㅋ", "siaⁿ kʷ tʰ H₂ₓ", "ŀ ﷺ", "ϲοφία", "ﱞ"],
)
def test_signs_and_letters_of_their_own_stay(kept):
    assert characters.plain_word(kept) == kept


def test_words_are_in_normal_form_whatever_the_character():
    # all but Chinese and Hangul of the basic plane, and some beyond
    points = (*range(0x3400), *range(0xA000, 0xAC00), *range(0xF900, 0x10400))
    for character in map(chr, points):
        text = f"x{character}y {character}"
        expected = unicodedata.normalize("NFC", characters.plain(text).lower())
        assert tokenise._with_breaks(text, "xx").replace("\n", "") == expected.replace("\n", "")
