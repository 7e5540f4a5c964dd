"""Tokens that NLTK 3.8.1 finds in the same sentences; NLTK is asked itself where it is there."""

import pytest

from cr5.counts.treebank import SENTENCE, words

TEXT = """I can't say "it's 3,000.50 $ (maybe)... no. She'd go, d'ye? 'Tis 5:30 -- e.g. now!
L'uomo dell'arte, nato nel 1990: «sì» 'quoted' state-of-the-art; gimme more [x] {y} a@b #c 5% & *
"""
FOUND = [
    (
        "I can't say \"it's 3,000.50 $ (maybe)...",
        [*["I", "ca", "n't", "say", "``", "it", "'s", "3,000.50", "$", "(", "maybe", ")", "..."]],
    ),
    (
        "L'uomo dell'arte, nato nel 1990: state-of-the-art -- e.g. this.",
        [
            *["L'uomo", "dell'arte", ",", "nato", "nel", "1990", ":", "state-of-the-art", "--"],
            # a space after a full stop is taken for the end of a sentence
            *["e.g", ".", "this", "."],
        ],
    ),
    ("Cannot we go? Yes.", ["Can", "not", "we", "go", "?", "Yes", "."]),
    ("one.\ntwo.", ["one", ".", "two", "."]),
    ("", []),
]


@pytest.mark.parametrize(("text", "expected"), FOUND)
def test_tokens_by_hand(text, expected):
    assert words(text) == expected


def test_tokens_are_those_of_nltk():
    nltk = pytest.importorskip("nltk.tokenize.destructive", reason="nltk is not installed")
    sentences = SENTENCE.split(TEXT)
    expected = [x for each in sentences for x in nltk.NLTKWordTokenizer().tokenize(each)]
    assert words(TEXT) == expected
