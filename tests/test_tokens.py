import unicodedata

import pytest

from cr5.tokens import tokenise


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("Don't panic: 42 times!", "en", ["don", "t", "panic", "times"]),
        ("l'arte dell'Uomo", "it", ["l", "arte", "dell", "uomo"]),
        ("Tiếng Việt", "vi", ["tiếng", "việt"]),
        ("Hyper\u00adlink", "en", ["hyperlink"]),
        ("DIYARBAKIR İstanbul", "tr", ["dıyarbakır", "istanbul"]),
        ("ISTANBUL", "en", ["istanbul"]),
        ("हिन्दी में", "hi", ["हिन्दी", "में"]),
        ("a_b-c/d", "en", ["a", "b", "c", "d"]),
        ("", "en", []),
    ],
)
def test_words_are_runs_of_letters_and_marks(text, language, expected):
    assert tokenise(text, language) == expected


def test_decomposed_text_gives_the_same_tokens():
    text = "Tiếng Việt, Æblegrød, però"
    assert tokenise(unicodedata.normalize("NFD", text), "vi") == tokenise(text, "vi")


def test_tokens_are_composed_even_where_lower_case_decomposes():
    assert all(unicodedata.is_normalized("NFC", t) for t in tokenise("İİ Å", "en"))
