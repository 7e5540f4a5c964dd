import numpy as np
import pytest

from cr5.counts import documents
from cr5.fitting import sentences, vectors
from cr5.fitting.options import VectorOptions

OPTIONS = VectorOptions(algorithm="word2vec", dimension=8, epochs=2, min_count=2, buckets=50)


def text():
    """Some short sentences, and one of more words than gensim takes of a sentence."""
    rng = np.random.default_rng(0)
    words = [f"wört{i}" for i in range(40)]
    return [[words[i] for i in rng.zipf(1.5, n) % 40] for n in [12] * 60 + [10_500, 1, 7]]


def test_paragraphs_of_the_documents_that_are_not_held_out(tmp_path):
    path = tmp_path / "en.parquet"
    records = [
        ("Q1", "One", "The first line.\n\n1984\nAnd the second"),
        ("Q2", "Two", "A query's text"),
        ("Q3", "Three", "Third"),
    ]
    documents.write(path, records, "en")
    found = sentences.of_documents(path, "en", frozenset({"Q2"}))
    assert list(found) == [["the", "first", "line"], ["and", "the", "second"], ["third"]]


def test_a_file_gives_the_same_sentences_any_number_of_times(tmp_path):
    odd = [["a"], ["İ", "\u0301x", "e\u0301"], ["b"] * 20_000]
    with sentences.on_disk(iter(odd), beside=tmp_path / "en.parquet") as stored:
        assert list(stored) == odd
        assert list(stored) == odd
        assert stored.path.parent.parent == tmp_path
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("algorithm", ["word2vec", "fasttext"])
def test_training_from_the_file_gives_the_bytes_of_training_from_the_list(tmp_path, algorithm):
    options = OPTIONS.model_copy(update={"algorithm": algorithm})
    words, expected = vectors.train(text(), options, seed=3)
    with sentences.on_disk(iter(text()), beside=tmp_path / "en.parquet") as stored:
        found_words, found = vectors.train(stored, options, seed=3)
    assert found_words == words
    assert found.tobytes() == expected.tobytes()


def test_without_a_sentence_there_is_nothing_to_go_through(tmp_path):
    with sentences.on_disk([], beside=tmp_path / "en.parquet") as stored:
        assert list(stored) == []


def test_a_failure_leaves_no_file(tmp_path):
    def broken():
        yield ["a"]
        raise RuntimeError

    with pytest.raises(RuntimeError), sentences.on_disk(broken(), beside=tmp_path / "en.parquet"):
        pass
    assert list(tmp_path.iterdir()) == []
