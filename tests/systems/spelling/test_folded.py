import pytest

from cr5.systems.spelling.folded import folded


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
