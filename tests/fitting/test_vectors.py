import gzip
import lzma
from pathlib import Path

import numpy as np
import pytest
from gensim.models import FastText, KeyedVectors
from gensim.models.fasttext import save_facebook_model
from numpy.testing import assert_allclose, assert_array_equal

from cr5.base.errors import UserError
from cr5.counts.tokens import tokenise
from cr5.fitting import vectors
from cr5.fitting.options import VectorOptions

TESTS = Path(__file__).parent
WORDS = ["the", "of", "año", "b\u00e9", "house"]
ROWS = np.random.default_rng(0).normal(size=(5, 4)).astype(np.float32)
SMALL = VectorOptions(algorithm="word2vec", dimension=8, epochs=2, min_count=2, buckets=50)


@pytest.mark.parametrize("algorithm", ["word2vec", "fasttext"])
def test_words_by_frequency_then_string(algorithm):
    text = [["b", "a", "c"], ["c", "a", "b"], ["c", "d"]]
    words, rows = vectors.train(text, SMALL.model_copy(update={"algorithm": algorithm}), seed=0)
    assert words == ["c", "a", "b"]  # 3, 2, 2; d occurs once
    assert rows.shape == (3, 8)
    assert rows.dtype == np.float32


@pytest.mark.parametrize(
    ("algorithm", "rate", "power"), [("word2vec", 0.025, 0.75), ("fasttext", 0.05, 0.5)]
)
def test_rate_and_noise_are_those_of_the_authors_programs(algorithm, rate, power):
    model = vectors._untrained(SMALL.model_copy(update={"algorithm": algorithm, "min_count": 1}), 0)
    model.build_vocab([["a"] * 16 + ["b"] * 4 + ["c"]])
    shares = np.array([16, 4, 1]) ** power
    shares /= shares.sum()
    cumulated = model.cum_table / model.cum_table[-1]
    assert_allclose(np.diff(cumulated, prepend=0), shares, atol=1e-8)
    assert model.alpha == rate


def test_how_many_words_of_a_vocabulary_have_a_vector():
    """Not that of `of`, which is zero; and those of Haus and Baum only where words are cased."""
    words = ["the", "of", "Haus", "Baum", "BAUM", "rot", "Rot"]
    rows = np.ones((7, 2)) * [[1], [0], [1], [1], [1], [1], [1]]
    lower_case = vectors.coverage("de", words, rows, ["the", "of", "haus", "baum", "rot", "x"])
    assert lower_case.n_words == 6
    assert lower_case.n_with_vector == 2
    assert lower_case.n_other_case == 2
    first, second = lower_case.warnings
    assert "de: only 2 of 6 words" in first
    assert "33%" in first
    assert "de: 2 of 6 words have a vector with capitals only: lower-case" in second
    as_written = vectors.coverage("de", words, rows, ["the", "Haus", "Baum", "rot", "of"])
    assert as_written.n_with_vector == 4
    assert as_written.n_other_case == 0
    assert as_written.warnings == []


def test_vectors_that_are_zero_are_counted(tmp_path, caplog):
    (tmp_path / "en.vec").write_text("the 1 0\nof 0 0\nhouse 0 0\n")
    words, rows = vectors.read(tmp_path / "en.vec")
    assert words == ["the", "of", "house"]
    assert rows.tolist() == [[1, 0], [0, 0], [0, 0]]
    assert "2 of 3 vectors are zero, such as that of 'of'" in caplog.text


def test_too_little_text():
    with pytest.raises(UserError, match="no word occurs 5 times in the text"):
        vectors.train([["a", "b"]], SMALL.model_copy(update={"min_count": 5}), seed=0)


def test_paragraphs_that_are_not_held_out_become_the_same_sentences_any_number_of_times(tmp_path):
    texts = [("Q1", "The first line.\n\n1984\nAnd the second"), ("Q2", "A query"), ("Q3", "İ")]
    texts += [(None, "b " * 20_000)]
    with vectors.sentences(texts, {"Q2"}, "en", tokenise, tmp_path / "en.parquet") as stored:
        expected = [["the", "first", "line"], ["and", "the", "second"], ["i̇"], ["b"] * 20_000]
        assert list(stored) == list(stored) == expected
        assert len(list(tmp_path.iterdir())) == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["en.txt", "en.vec.gz", "en.bin.gz"])
@pytest.mark.parametrize("first", [100, 3])
def test_reads_what_gensim_writes(tmp_path, name, first):
    path = tmp_path / name
    written = KeyedVectors(4)
    written.add_vectors(WORDS, ROWS)
    written.save_word2vec_format(str(path), binary=".bin" in name)
    words, rows = vectors.read(path, first)
    assert words == WORDS[:first]
    assert_allclose(rows, ROWS[:first], rtol=1e-6)
    assert rows.dtype == np.float32


@pytest.mark.parametrize("end", [b"", b"\n"])
@pytest.mark.parametrize(("name", "pack"), [("x.bin", bytes), ("x.bin.gz", gzip.compress)])
def test_a_count_that_is_too_low_loses_no_words(tmp_path, end, name, pack):
    """With line ends behind the numbers, as word2vec's authors write them, and without."""
    path = tmp_path / name
    content = b""
    for word, row in zip(WORDS, ROWS, strict=True):
        content += word.encode() + b" " + row.tobytes() + end
    path.write_bytes(pack(b"5 4\n" + content))
    words, _ = vectors.read(path)
    assert words == WORDS
    path.write_bytes(pack(b"4 4\n" + content))
    with pytest.raises(UserError, match=f"{name}: .*longer than it says"):
        vectors.read(path, 100)
    words, _ = vectors.read(path, 3)
    assert words == WORDS[:3]


def test_reads_fasttext_s_own_form(tmp_path):
    text = [["the", "house", "of", "the", "year"]] * 20
    model = FastText(text, vector_size=6, min_count=1, bucket=50, epochs=1, seed=1, workers=1)
    path = tmp_path / "en.bin"
    save_facebook_model(model, str(path))
    words, rows = vectors.read(path, 3)
    assert words == model.wv.index_to_key[:3]
    assert_allclose(rows, [model.wv[word] for word in words], atol=1e-6)


@pytest.mark.parametrize("start", ["", "\ufeff", "2 3\n", "\ufeff2 3\n"])
@pytest.mark.parametrize("pack", [bytes, gzip.compress, lzma.compress])
def test_without_a_header_the_first_line_says_the_dimension(tmp_path, start, pack):
    """And what follows the first words is not read."""
    path = tmp_path / "glove.txt"
    path.write_bytes(pack(f"{start}the 1 2 3\nof 4 5 6\nthis is damaged\n".encode()))
    words, rows = vectors.read(path, 2)
    assert words == ["the", "of"]
    assert rows.tolist() == [[1, 2, 3], [4, 5, 6]]


def test_words_are_written_as_texts_have_them_but_for_their_case(tmp_path):
    path = tmp_path / "x.vec"
    path.write_text("\u00ad 1\nﬁle 2\nta\u200dken 3\nfile 4\nＷ 5\n")
    words, rows = vectors.read(path)
    assert words == ["file", "taken", "W"]
    assert rows.tolist() == [[2], [3], [5]]


def test_the_word_is_all_before_the_numbers_and_of_equal_ones_the_first_counts(tmp_path):
    """Equal in canonical composition; and a first line that might be a header, but is none."""
    path = tmp_path / "x.vec"
    path.write_text("3 4\nnew york 0.5\nbe\u0301 1\nb\u00e9 2\n\u00a0x -1e-3 \nbe\u0301 3\n")
    words, rows = vectors.read(path, dimension=1)
    assert words == ["3", "new york", "b\u00e9", "\u00a0x"]
    assert_array_equal(rows, np.float32([[4], [0.5], [1], [-1e-3]]))
