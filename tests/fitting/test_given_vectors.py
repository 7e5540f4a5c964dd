import gzip
import lzma

import numpy as np
import pytest
from gensim.models import FastText, KeyedVectors
from gensim.models.fasttext import save_facebook_model

from cr5.fitting import given_vectors

WORDS = ["the", "of", "año", "b\u00e9", "house"]
ROWS = np.random.default_rng(0).normal(size=(5, 4)).astype(np.float32)


@pytest.fixture
def written(tmp_path):
    """By another program, in the form that a name says."""

    def write(name):
        vectors = KeyedVectors(4)
        vectors.add_vectors(WORDS, ROWS)
        path = tmp_path / name
        vectors.save_word2vec_format(str(path), binary=".bin" in name)
        return path

    return write


@pytest.mark.parametrize("name", ["wiki.en.vec", "en.txt", "en.bin"])
def test_reads_what_gensim_writes(written, name):
    words, rows = given_vectors.read(written(name), 100)
    assert words == WORDS
    np.testing.assert_allclose(rows, ROWS, rtol=1e-6)
    assert rows.dtype == np.float32


@pytest.mark.parametrize(("name", "pack"), [("en.vec", gzip), ("en.bin", gzip), ("en.vec", lzma)])
def test_reads_compressed_files(written, tmp_path, name, pack):
    packed = tmp_path / f"{name}.packed"
    packed.write_bytes(pack.compress(written(name).read_bytes()))
    assert given_vectors.read(packed, 100)[0] == WORDS


def test_reads_fasttext_s_own_form(tmp_path):
    text = [["the", "house", "of", "the", "year"]] * 20
    model = FastText(text, vector_size=6, min_count=1, bucket=50, epochs=1, seed=1, workers=1)
    path = tmp_path / "en.bin"
    save_facebook_model(model, str(path))
    words, rows = given_vectors.read(path, 3)
    assert words == model.wv.index_to_key[:3]
    np.testing.assert_allclose(rows, [model.wv[word] for word in words], atol=1e-6)


@pytest.mark.parametrize("start", ["", "\ufeff", "2 3\n", "\ufeff2 3\n"])
def test_without_a_header_the_first_line_says_the_dimension(tmp_path, start):
    path = tmp_path / "glove.txt"
    path.write_text(f"{start}the 1 2 3\nof 4 5 6\n", encoding="utf-8")
    words, rows = given_vectors.read(path, 10)
    assert (words, rows.tolist()) == (["the", "of"], [[1, 2, 3], [4, 5, 6]])


def test_no_more_than_the_first_are_read(tmp_path):
    path = tmp_path / "en.vec"
    path.write_text("3 2\nthe 1 2\nof 3 4\nthis is damaged\n")
    assert given_vectors.read(path, 2)[0] == ["the", "of"]


def test_of_words_that_composition_makes_the_same_the_first_counts(tmp_path):
    path = tmp_path / "fr.vec"
    path.write_text("3 1\nbe\u0301 1\nb\u00e9 2\nla 3\n", encoding="utf-8")
    words, rows = given_vectors.read(path, 10)
    assert (words, rows.tolist()) == (["b\u00e9", "la"], [[1], [3]])


def test_vectors_of_words_with_capital_letters_are_warned_of(tmp_path, caplog):
    path = tmp_path / "de.vec"
    path.write_text("Haus 1\nund 2\n")
    assert given_vectors.read(path, 10)[0] == ["Haus", "und"]
    assert "1 of 2 words have capital letters" in caplog.text
