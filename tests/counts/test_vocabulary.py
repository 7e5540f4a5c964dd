"""The words that training documents choose, and which words of texts become which of them."""

import unicodedata

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from cr5.base.errors import LeftOutError
from cr5.contracts.vocabulary import Fallbacks, Vocabulary
from cr5.counts.bags import Bags, counted, of_training
from cr5.counts.columns import columns_of, count_known, selected, widened
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
    """Return the bags of the records with the words that the training documents choose."""
    rules = Rules(**{"min_documents": 2, "unique_words": (1, 99)} | changes)
    bags, _ = counted(RECORDS, rules, "en")
    return of_training(bags, TRAINED, rules, "en")


def test_training_documents_alone_choose():
    bags = chosen()
    # in q1 to q3: often 4 times in 2 documents, wide 3 in 3, twin 2 in 2; asked and rare in one
    assert bags.words.to_dict("list") == {
        "word": ["often", "wide", "twin"],
        "collection_frequency": [4, 3, 2],
    }
    # all documents are there, those of queries with the words that training has
    assert bags.counts.toarray().tolist() == [[3, 1, 1], [1, 1, 1], [0, 1, 0], [0, 1, 0]]
    assert bags.documents["concept"].tolist() == ["q1", "q2", "q3", "query"]
    assert bags.counts.has_sorted_indices


def test_words_in_too_few_training_documents_leave_the_language_out():
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
    for word in ("a", "b"):
        bags, _ = counted([("q1", "", "b a"), ("query", "", f"{word} " * 9)], rules, "en")
        assert of_training(bags, ["q1"], rules, "en").words["word"].tolist() == ["a"]


def test_of_weights_those_in_most_documents_are_taken():
    words = pd.DataFrame({"word": ["heavy", "wide"]})
    counts = sparse.csr_matrix([[9.5, 0.5], [0, 0.5]])
    bags = Bags(counts, words, pd.DataFrame({"concept": ["q1", "q2"]}))
    of_model = of_training(bags, ["q1", "q2"], Rules(min_documents=1), "en")
    assert of_model.words["word"].tolist() == ["wide", "heavy"]
    assert of_model.words["collection_frequency"].tolist() == [2, 1]
    assert of_model.counts.toarray().tolist() == [[0.5, 9.5], [0.5, 0]]


WORDS = ["a", "b", "c"]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["c", "a"], [[2, 0], [5, 3]]),
        (["b", "c", "a"], [[1, 2, 0], [4, 5, 3]]),
    ],
)
def test_columns_are_those_of_the_words(words, expected):
    counts = sparse.csr_matrix([[0, 1, 2], [3, 4, 5]])
    of_model = selected(counts, columns_of(Vocabulary(words), WORDS))
    assert of_model.toarray().tolist() == expected
    assert of_model.has_sorted_indices


def test_columns_of_all_words_are_no_copy():
    counts = sparse.csr_matrix([[0, 1, 2], [3, 4, 5]])
    assert selected(counts, columns_of(Vocabulary(WORDS), WORDS)) is counts


def test_a_word_of_the_model_must_be_counted():
    with pytest.raises(KeyError, match="d"):
        columns_of(Vocabulary(["d"]), ["a"])


def test_counts_of_words_have_columns_without_counts_for_fallbacks():
    counts = sparse.csr_matrix([[0, 1], [3, 4]])
    assert widened(counts, 4).toarray().tolist() == [[0, 1, 0, 0], [3, 4, 0, 0]]
    assert widened(counts, 2) is counts


BEGINNINGS = ["mexica", "mexic", "mexi", "mess", "never"]
MEXICO = Vocabulary(["vino", "mexico"], Fallbacks(["mexican"], BEGINNINGS))
COUNTED = ["mexico", "méxicana", "mexicans", "mexican", "mexicum", "met", "messa", "vino"]


def test_unknown_words_count_as_their_translation_or_else_as_their_longest_beginning():
    counts = sparse.csr_matrix(2 ** np.arange(8)[None, :])
    of_model = selected(counts, columns_of(MEXICO, COUNTED))
    assert of_model.toarray().tolist() == [[128, 1, 8, 2 + 4, 16, 0, 64, 0]]
    assert of_model.has_sorted_indices
    counted_texts = count_known([" ".join(COUNTED)], "da", MEXICO)
    assert counted_texts.toarray().tolist() == [[1, 1, 1, 2, 1, 0, 1, 0]]


def test_a_word_and_a_beginning_of_the_same_letters_are_two_columns():
    both = Vocabulary(["mill"], Fallbacks(["milla"], ["mill", "milla"]))
    assert both.columns(["mill", "mills", "milla", "millas", "mi"]) == [0, 2, 1, 3, -1]
    assert both.labels == ["mill", "milla", "mill…", "milla…"]
    assert len(both) == 4


def test_bags_with_the_columns_of_a_model_keep_facts_of_its_words_alone():
    bags, _ = counted(RECORDS, Rules(min_documents=1, unique_words=(1, 99)), "en")
    of_model = bags.select(Vocabulary(["wide"], Fallbacks(beginnings=["aske"])))
    assert of_model.words["word"].tolist() == ["wide"]
    assert of_model.counts.toarray().tolist() == [[1, 0], [1, 0], [1, 2], [1, 3]]


def count(texts, words):
    return count_known(texts, "da", Vocabulary(words))


def test_a_bag_of_known_words_by_hand():
    texts = ["Hund, kat og hund: HUND!", "", "ukendt", unicodedata.normalize("NFD", "chó đá chó")]
    counts = count(texts, ["hund", "đá", "kat", "chó"])
    assert counts.toarray().tolist() == [[3, 0, 1, 0], [0] * 4, [0] * 4, [0, 1, 0, 2]]
    assert counts.dtype == np.int32
    assert counts.has_sorted_indices
    of_no_text = count([], ["hund", "kat"])
    assert of_no_text.shape == (0, 2)


@pytest.mark.parametrize("tokens", KINDS)
def test_a_word_that_ends_with_an_ellipsis_is_no_beginning(tokens):
    if tokens == "nltk":
        pytest.importorskip("nltk", reason="NLTK is not installed")
    vocabulary = Vocabulary(["just", "wait…"], Fallbacks(beginnings=["wait"]))
    counts = count_known(["Just wait… waiting"], "en", vocabulary, Tokens(tokens=tokens))
    as_written = 1 if tokens == "nltk" else 0
    assert counts.toarray().tolist() == [[1, as_written, 2 - as_written]]
