"""The words that training documents choose, by hand."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from cr5.base.errors import LeftOutError
from cr5.counts.bags import Bags, counted, of_training
from cr5.counts.columns import beginning, columns_of, selected
from cr5.counts.rules import Rules

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
        "document_frequency": [2, 3, 2],
        "collection_frequency": [4, 3, 2],
    }
    # all documents are there, those of queries with the words that training has
    assert found.counts.toarray().tolist() == [[3, 1, 1], [1, 1, 1], [0, 1, 0], [0, 1, 0]]
    assert found.documents["concept"].tolist() == ["q1", "q2", "q3", "query"]
    assert found.counts.has_sorted_indices


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
    training = [("q1", "", "b a")]
    for asked in ("a", "b"):
        bags, _ = counted([*training, ("query", "", f"{asked} " * 9)], rules, "en")
        assert of_training(bags, ["q1"], rules, "en").words["word"].tolist() == ["a"]


def test_of_weights_those_in_most_documents_are_taken():
    counts = sparse.csr_matrix([[9.5, 0.5], [0, 0.5]])
    words = pd.DataFrame({"word": ["heavy", "wide"]}).assign(
        document_frequency=[1, 2], collection_frequency=[1, 2]
    )
    bags = Bags(counts, words, pd.DataFrame({"concept": ["q1", "q2"]}))
    found = of_training(bags, ["q1", "q2"], Rules(min_documents=1), "en")
    assert found.words["word"].tolist() == ["wide", "heavy"]
    assert found.words["collection_frequency"].tolist() == [2, 1]
    assert found.counts.toarray().tolist() == [[0.5, 9.5], [0.5, 0]]


def test_without_any_word_the_system_is_left_out():
    rules = Rules(min_documents=2, unique_words=(1, 99))
    bags, _ = counted(RECORDS, rules, "en")
    with pytest.raises(LeftOutError, match="'en': "):
        of_training(bags, ["q1"], rules, "en")


def test_columns_are_those_of_the_words_and_all_of_them_are_no_copy():
    counts = sparse.csr_matrix(np.arange(6).reshape(2, 3))
    assert selected(counts, columns_of("abc", "abc")) is counts
    found = selected(counts, columns_of(["c", "a"], ["a", "b", "c"]))
    assert found.toarray().tolist() == [[2, 0], [5, 3]]
    with pytest.raises(KeyError, match="d"):
        columns_of(["d"], ["a"])


def test_unknown_words_count_as_their_longest_beginning():
    among = ["mexico", "méxicana", "mexicans", "met", "messa", "vino"]
    words = [
        "vino",
        "mexico",
        beginning("mexic"),
        beginning("mexi"),
        beginning("mess"),
        beginning("never"),
    ]
    counts = sparse.csr_matrix(np.array([[1, 2, 4, 8, 16, 32]]))
    found = selected(counts, columns_of(words, among))
    assert found.toarray().tolist() == [[32, 1, 2 + 4, 0, 16, 0]]
    assert found.has_sorted_indices


def test_bags_of_a_model_with_beginnings_name_its_words_alone():
    bags, _ = counted(RECORDS, Rules(min_documents=1, unique_words=(1, 99)), "en")
    found = bags.select(["wide", "often", beginning("aske")])
    assert found.words["word"].tolist() == ["wide", "often"]
    for column, word in enumerate(["wide", "often", "asked"]):
        place = bags.words["word"].tolist().index(word)
        assert (found.counts[:, [column]] != bags.counts[:, [place]]).nnz == 0
