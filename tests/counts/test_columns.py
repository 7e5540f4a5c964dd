import unicodedata

import numpy as np
import pytest

from cr5.counts.columns import beginning, count_known, is_untrained, untrained
from cr5.counts.tokens import KINDS, Tokens

WORDS = ["hund", "đá", "kat", "chó"]


def test_a_bag_by_hand():
    found = count_known(
        ["Hund, kat og hund: HUND!", "", "ukendt", unicodedata.normalize("NFD", "chó đá chó")],
        "da",
        {word: i for i, word in enumerate(WORDS)},
    )
    assert found.n_tokens.tolist() == [5, 0, 1, 3]
    found = found.counts
    assert found.toarray().tolist() == [[3, 0, 1, 0], [0] * 4, [0] * 4, [0, 1, 0, 2]]
    assert found.dtype == np.int32
    assert found.has_sorted_indices
    assert found.nnz == 4


@pytest.mark.parametrize("given", [[], ["", ""], ["ukendt"]])
def test_a_bag_of_nothing_known(given):
    found = count_known(given, "da", {"hund": 0, "kat": 1}).counts
    assert found.shape == (len(given), 2)
    assert found.nnz == 0


def test_unknown_words_count_as_their_beginnings_if_the_vocabulary_ends_with_some():
    words = {word: i for i, word in enumerate(["hund", beginning("katte"), beginning("katt")])}
    found = count_known(["Katten katteri kattegat! hun hunde"], "da", words)
    assert found.counts.toarray().tolist() == [[0, 3, 0]]
    assert found.n_tokens.tolist() == [5]


def test_an_unknown_word_counts_as_its_own_entry_before_its_beginning():
    entries = ["hund", untrained("katten"), beginning("katten")]
    found = count_known(
        ["Katten hund", "kattene katten"], "da", {word: i for i, word in enumerate(entries)}
    )
    assert found.counts.toarray().tolist() == [[1, 1, 0], [0, 1, 1]]


@pytest.mark.parametrize("tokens", KINDS)
def test_a_word_that_ends_with_an_ellipsis_is_no_beginning(tokens):
    if tokens == "nltk":
        pytest.importorskip("nltk", reason="NLTK is not installed")
    split = Tokens(tokens=tokens)
    text = f"Just wait… {beginning('wait')} waiting"
    assert not any(map(is_untrained, split(text, "en")))
    counts = count_known([text], "en", {"just": 0, "wait…": 1}, split).counts
    assert counts.toarray().tolist() == [[1, 2 if tokens == "nltk" else 0]]
