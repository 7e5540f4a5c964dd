from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cr5.counts.tokens import Tokens, but_spaces, tokenise
from cr5.counts.word_table import WordTable

CHARACTERS = st.sampled_from("aaab. \n-9ß\u0301éЖ中นｶﾞﬁÅİ\u200b\u200d\U0001d400\U0001f600\0")
FNV_BASIS = 0xCBF29CE484222325  # of FNV-1a, 64 bits
FNV_PRIME = np.uint64(0x100000001B3)


def check(table: WordTable, known: list[str], text: str, words: list[str]) -> None:
    """Compare with dictionaries: words are numbered where they first occur."""
    numbers, counts = table.count(text)
    expected = Counter(words)
    known += [word for word in expected if word not in known]
    assert numbers.tolist() == [known.index(word) for word in expected]
    assert counts.tolist() == list(expected.values())
    assert table.words().to_pylist() == known
    assert len(table) == len(known)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.text(CHARACTERS)))
def test_as_the_tokens_of_letters(texts):
    table = WordTable(tokenise.in_words("en"), room=2)
    known: list[str] = []
    for text in texts:
        check(table, known, tokenise.separated(text, "en"), tokenise(text, "en"))


def test_grows_within_a_text():
    text = " ".join(str(number**2 % 7919) for number in range(50_000))
    check(WordTable(but_spaces(), room=2), [], text, text.split())


@pytest.mark.parametrize(
    "tokens", [Tokens(tokens="words"), Tokens(stop_words={"en": {"the"}}), Tokens(case="keep")]
)
def test_words_of_every_kind(tokens):
    text = "The well-known B-52 and the 2 others"
    table = WordTable(tokens.in_words("en"))
    separated = tokens.separated(text, "en")
    check(table, [], separated, tokens(text, "en"))


def test_different_words_whose_hashes_agree_in_what_a_slot_keeps():
    generator = np.random.default_rng(1)
    letters = generator.integers(ord("a"), ord("z") + 1, (200_000, 8), np.uint64)
    hashes = np.full(len(letters), FNV_BASIS, np.uint64)
    for column in letters.T:
        hashes = (hashes ^ column) * FNV_PRIME
    upper_halves = hashes >> 32
    halves, n_words = np.unique(upper_halves, return_counts=True)
    is_repeated = np.isin(upper_halves, halves[n_words > 1])
    alike = [row.astype(np.uint8).tobytes().decode() for row in letters[is_repeated]]
    assert len(set(alike)) > 2
    words = alike * 2
    check(WordTable(but_spaces(), room=2), [], " ".join(words), words)
