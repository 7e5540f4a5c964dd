"""Bags of texts and of weighted words: by hand and by scikit-learn."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_svmlight_file
from sklearn.feature_extraction.text import CountVectorizer

from cr5.base.errors import UserError
from cr5.counts import bags, counting, documents
from cr5.counts.counting import Pieces
from cr5.counts.tokens import tokenise
from cr5.texts.sources import matrix

RECORDS = [
    ("q1", "One", "a a a b c"),
    ("q2", "Two", "a b b d"),
    ("q3", "Three", "a b c d e f"),
    ("q4", "Four", "e"),
]

LETTERS = list("abcdefghijklm")


def rules(**changes):
    return bags.Rules(**{"min_documents": 2, "unique_words": (1, 99), **changes})


def counted(given=None, **changes):
    """Return the bags of the records, by changed rules or with given words."""
    made, _ = bags.counted(RECORDS, rules(**changes), "en", given)
    return made


def test_counts_vocabulary_and_documents_by_hand():
    built, summary = bags.counted(RECORDS, rules(), "en")
    # a: 5 in 3 documents; b: 4 in 3; c, d, e: 2 in 2; f: 1 in 1, dropped
    assert built.words.to_dict("list") == {
        "word": ["a", "b", "c", "d", "e"],
        "document_frequency": [3, 3, 2, 2, 2],
        "collection_frequency": [5, 4, 2, 2, 2],
    }
    assert built.counts.toarray().tolist() == [
        [3, 1, 1, 0, 0],
        [1, 2, 0, 1, 0],
        [1, 1, 1, 1, 1],
        [0, 0, 0, 0, 1],
    ]
    assert built.documents.to_dict("list") == {
        "concept": ["q1", "q2", "q3", "q4"],
        "title": ["One", "Two", "Three", "Four"],
        "n_tokens": [5, 4, 6, 1],
        "n_unique": [3, 3, 6, 1],
    }
    assert summary == {
        "language": "en",
        "documents": 4,
        "kept_documents": 4,
        "distinct_words": 6,
        "words": 5,
        "tokens": 16,
        "mean_unique_words": 13 / 4,
        "nonzeros": 12,
    }
    assert built.rows(["q3", "q1"]).tolist() == [2, 0]
    with pytest.raises(KeyError, match="q9"):
        built.rows(["q1", "q9"])


OF_MOST_FREQUENT = {"max_words": 3, "unique_words": (3, 5), "unique_words_in": "vocabulary"}


@pytest.mark.parametrize(
    ("changes", "words", "concepts"),
    [
        ({"max_words": 4, "vocabulary": "text"}, "abcd", "q1 q2 q3 q4"),  # ties go by the word
        ({"max_words": 3}, "abcde", "q1 q2 q3 q4"),  # training documents choose later
        ({"unique_words": (3, 5)}, "abcde", "q1 q2"),  # both ends included
        # six unique words, five of them kept
        ({"unique_words": (1, 5), "unique_words_in": "vocabulary"}, "abcde", "q1 q2 q3 q4"),
        (OF_MOST_FREQUENT, "abcde", "q1 q3"),
    ],
)
def test_rules_of_words_and_documents(changes, words, concepts):
    built = counted(**changes)
    assert built.words["word"].tolist() == list(words)
    expected_concepts = concepts.split()
    assert built.documents["concept"].tolist() == expected_concepts
    assert built.counts.shape == (len(expected_concepts), len(words))


def test_equals_scikit_learn():
    generator = np.random.default_rng(1)
    texts = [" ".join(generator.choice(LETTERS, 30)) for _ in range(50)]
    records = [(str(number), "", text) for number, text in enumerate(texts)]
    built, _ = bags.counted(records, rules(min_documents=1), "en")
    vocabulary = built.words["word"].tolist()
    expected = CountVectorizer(vocabulary=vocabulary, token_pattern=r"\w+").transform(texts)
    assert (built.counts != expected).nnz == 0


def test_a_filter_that_drops_most_documents_is_told(caplog):
    counted(unique_words=(3, 5))
    assert not caplog.records
    counted(unique_words=(5, 10))
    [warning] = caplog.messages
    assert "only 1 of 4 documents have 5 to 10 unique words (bags.unique_words)" in warning
    with pytest.raises(UserError, match=r"'en': only 0 of 4 .*; nine tenths have 1 to 5"):
        counted(unique_words=(50, 60))


def test_a_given_vocabulary_is_kept_as_it_is():
    built = counted(["f", "new_york", "b", "a"])
    assert built.words.to_dict("list") == {
        "word": ["f", "new_york", "b", "a"],
        "document_frequency": [1, 0, 3, 3],
        "collection_frequency": [1, 0, 4, 5],
    }
    expected = [[0, 0, 1, 3], [0, 0, 2, 1], [1, 0, 1, 1], [0, 0, 0, 0]]
    assert built.counts.toarray().tolist() == expected


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("within", ["text", "vocabulary"])
def test_in_pieces_and_by_threads_and_loaded_the_same_as_in_one(
    tmp_path, monkeypatch, threads, within
):
    monkeypatch.setattr(documents, "GROUP_ROWS", 3)
    monkeypatch.setattr(counting, "TABLES_AT_ONCE", 2)
    generator = np.random.default_rng(3)
    records = []
    for length in range(30):
        text = " ".join(generator.choice(LETTERS, length))
        records.append((str(length), f"Title {length}", text))
    documents.write(tmp_path / "en", records, "en")
    chosen_by = rules(max_words=9, unique_words=(3, 8), unique_words_in=within)
    expected, summary = bags.counted(records, chosen_by, "en")

    pieces = Pieces(tmp_path / "en" / documents.FILE, "en", tokenise, tmp_path, threads)
    table = pd.DataFrame(records, columns=["concept", "title", "text"])
    names = table[["concept", "title"]]
    first = tmp_path / "bags"
    second = tmp_path / "again"
    bags.build(pieces, names, chosen_by, "en", second)
    _, summary_of_pieces = bags.build(pieces, names, chosen_by, "en", first)
    loaded = bags.load(first, "en")
    assert (loaded.counts != expected.counts).nnz == 0
    assert loaded.words.equals(expected.words)
    assert loaded.documents.equals(expected.documents)
    assert summary_of_pieces == summary
    for file in first.iterdir():
        if file.name != "about.json":
            same_file = second / file.name
            assert file.read_bytes() == same_file.read_bytes()


@pytest.fixture
def weights(tmp_path):
    """40 documents, about 12 of 50 words in each; the classes are numbers, as svmlight wants it."""
    generator = np.random.default_rng(0)
    lines = []
    for number in range(40):
        words = np.flatnonzero(generator.random(50) < 0.25) + 1
        entries = [f"{word}:{generator.random() + 0.01:.6f}" for word in words]
        lines.append(f"{number % 3} {' '.join(entries)}\n")
    (tmp_path / "a.svm").write_text("".join(lines))
    return str(tmp_path / "a.svm")


def weighted(path, prefix="en", folder=None, **changes):
    """Return the bags of a file of weights, and their summary."""
    chosen_by = rules(**{"min_documents": 1} | changes)
    return bags.weighted(matrix.documents("en:", path), chosen_by, "en", prefix, folder)


def test_weights_are_those_of_the_file_as_scikit_learn_reads_it(weights, tmp_path):
    _, summary = weighted(weights, folder=tmp_path / "bags")
    built = bags.load(tmp_path / "bags", "en")  # to the last bit
    matrix_of_file, labels = load_svmlight_file(weights, zero_based=False)
    numbers_of_words = built.words["word"].str.removeprefix("en").astype(int)
    expected = matrix_of_file.toarray()[:, numbers_of_words - 1]
    np.testing.assert_array_equal(built.counts.toarray(), expected)
    assert built.counts.dtype == np.float64
    np.testing.assert_array_equal(built.documents["label"].astype(float), labels)
    assert built.documents["concept"].tolist() == [f"en:{number}" for number in range(1, 41)]
    frequency = (expected > 0).sum(axis=0)
    assert built.words["document_frequency"].tolist() == frequency.tolist()
    assert (np.diff(frequency) <= 0).all()
    assert summary["documents"] == 40
    assert summary["nonzeros"] == matrix_of_file.nnz


def test_weights_without_a_prefix_have_the_words_of_other_languages(weights):
    of_language, _ = weighted(weights)
    shared, _ = weighted(weights, "")
    expected = [f"en{word}" for word in shared.words["word"]]
    assert of_language.words["word"].tolist() == expected


def test_a_document_of_a_class_alone_is_left_out(tmp_path):
    path = tmp_path / "a"
    path.write_text("X 2147483647:0.5 0:2\nY\n")
    built, _ = weighted(str(path))
    assert built.documents["concept"].tolist() == ["en:1"]
    assert built.counts.toarray().tolist() == [[2, 0.5]]
    assert built.words["word"].tolist() == ["en0", "en2147483647"]


@pytest.mark.parametrize(
    ("given", "case", "warnings"),
    [
        (["a", "B", "C", "c"], "lower", 1),
        (["a", "b", "B"], "lower", 0),
        (["a", "B"], "keep", 0),
    ],
)
def test_given_words_with_capitals_are_told_where_text_is_lower_cased(
    given, case, warnings, caplog
):
    counted(given, case=case)
    sentence = "1 of 4 words of the vectors, such as 'B', have capitals"
    assert len(caplog.messages) == warnings
    for message in caplog.messages:
        assert sentence in message
