"""The words that training documents choose, and which words of texts become which of them."""

import unicodedata

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from cr5.base.errors import LeftOutError
from cr5.counts.bags import Bags, counted, of_training
from cr5.counts.columns import (
    beginning,
    columns_of,
    count_known,
    is_untrained,
    selected,
    untrained,
)
from cr5.counts.rules import Rules
from cr5.counts.tokens import KINDS, Tokens

RECORDS = [
    ("q1", "", "often often often wide twin"),
    ("q2", "", "often wide twin rare"),
    ("q3", "", "wide asked asked"),
    ("query", "", "asked asked asked rare wide"),
]
TRAINED = ["q3", "q1", "q2"]


def chosen(**changes):
    rules = Rules(**{"min_documents": 2, "unique_words": (1, 99)} | changes)
    return of_training(counted(RECORDS, rules, "en")[0], TRAINED, rules, "en")


def test_training_documents_alone_choose():
    found = chosen()
    # in q1 to q3: often 4 times in 2 documents, wide 3 in 3, twin 2 in 2; asked and rare in one
    assert found.words.to_dict("list") == {
        "word": ["often", "wide", "twin"],
        "collection_frequency": [4, 3, 2],
    }
    # all documents are there, those of queries with the words that training has
    assert found.counts.toarray().tolist() == [[3, 1, 1], [1, 1, 1], [0, 1, 0], [0, 1, 0]]
    assert found.documents["concept"].tolist() == ["q1", "q2", "q3", "query"]
    assert found.counts.has_sorted_indices
    with pytest.raises(LeftOutError, match="'en': "):
        chosen(min_documents=4)


@pytest.mark.parametrize(
    ("vocabulary", "expected"),
    [
        ("training", ["often", "wide"]),
        ("training_df", ["wide", "often"]),  # often and twin are in as many: by the word
        ("text", ["asked", "often"]),
    ],
)
def test_the_most_frequent_words_of_each_reading(vocabulary, expected):
    assert chosen(vocabulary=vocabulary, max_words=2).words["word"].tolist() == expected


def test_query_texts_never_choose_words():
    """Not even between words that are as frequent in training."""
    rules = Rules(min_documents=1, max_words=1, unique_words=(1, 99))
    for asked in ("a", "b"):
        bags, _ = counted([("q1", "", "b a"), ("query", "", f"{asked} " * 9)], rules, "en")
        assert of_training(bags, ["q1"], rules, "en").words["word"].tolist() == ["a"]


def test_of_weights_those_in_most_documents_are_taken():
    words = pd.DataFrame({"word": ["heavy", "wide"]})
    counts = sparse.csr_matrix([[9.5, 0.5], [0, 0.5]])
    bags = Bags(counts, words, pd.DataFrame({"concept": ["q1", "q2"]}))
    found = of_training(bags, ["q1", "q2"], Rules(min_documents=1), "en")
    assert found.words["word"].tolist() == ["wide", "heavy"]
    assert found.words["collection_frequency"].tolist() == [2, 1]
    assert found.counts.toarray().tolist() == [[0.5, 9.5], [0.5, 0]]


def test_columns_are_those_of_the_words_and_all_of_them_are_no_copy():
    counts = sparse.csr_matrix(np.arange(6).reshape(2, 3))
    assert selected(counts, columns_of("abc", "abc")) is counts
    found = selected(counts, columns_of(["c", "a"], ["a", "b", "c"]))
    assert found.toarray().tolist() == [[2, 0], [5, 3]]
    with pytest.raises(KeyError, match="d"):
        columns_of(["d"], ["a"])


MEXICO = ["vino", "mexico", untrained("mexican"), beginning("mexica")]
MEXICO += map(beginning, ("mexic", "mexi", "mess", "never"))


def test_unknown_words_count_as_their_own_entry_or_else_as_their_longest_beginning():
    among = ["mexico", "méxicana", "mexicans", "mexican", "mexicum", "met", "messa", "vino"]
    counts = sparse.csr_matrix(2 ** np.arange(8)[None, :])
    found = selected(counts, columns_of(MEXICO, among))
    assert found.toarray().tolist() == [[128, 1, 8, 2 + 4, 16, 0, 64, 0]]
    assert found.has_sorted_indices
    assert count([" ".join(among)], MEXICO)[0].toarray().tolist() == [[1, 1, 1, 2, 1, 0, 1, 0]]
    bags, _ = counted(RECORDS, Rules(min_documents=1, unique_words=(1, 99)), "en")
    assert bags.select(["wide", beginning("aske")]).words["word"].tolist() == ["wide"]


def count(texts, words, language="da", tokens=None):
    known = {word: i for i, word in enumerate(words)}
    return count_known(texts, language, known, tokens or Tokens())


def test_a_bag_of_known_words_by_hand():
    texts = ["Hund, kat og hund: HUND!", "", "ukendt", unicodedata.normalize("NFD", "chó đá chó")]
    counts, n_distinct = count(texts, ["hund", "đá", "kat", "chó"])
    assert n_distinct.tolist() == [3, 0, 1, 2]
    assert counts.toarray().tolist() == [[3, 0, 1, 0], [0] * 4, [0] * 4, [0, 1, 0, 2]]
    assert counts.dtype == np.int32 and counts.has_sorted_indices
    assert count([], ["hund", "kat"])[0].shape == (0, 2)


@pytest.mark.parametrize("tokens", KINDS)
def test_a_word_that_ends_with_an_ellipsis_is_no_beginning(tokens):
    if tokens == "nltk":
        pytest.importorskip("nltk", reason="NLTK is not installed")
    split = Tokens(tokens=tokens)
    text = f"Just wait… {beginning('wait')} waiting"
    assert not any(map(is_untrained, split(text, "en")))
    counts, _ = count([text], ["just", "wait…"], "en", split)
    assert counts.toarray().tolist() == [[1, 2 if tokens == "nltk" else 0]]
