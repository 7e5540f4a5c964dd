"""word2vec in both forms and the authors' layout, against gensim."""

import contextlib
import gzip
import re
import struct
from dataclasses import replace

import numpy as np
import pytest

from cr5.base.errors import UserError
from cr5.models.formats import registry
from cr5.models.vector_readers import read_vectors

ENDINGS = {"word2vec": "vec", "word2vec-binary": "bin"}


def opened(folder, kind, language):
    from gensim.models import KeyedVectors

    path = str(folder / f"cr5_{language}.{ENDINGS[kind]}")
    return KeyedVectors.load_word2vec_format(path, binary=kind == "word2vec-binary")


@pytest.mark.parametrize("kind", ENDINGS)
def test_gensim_opens_what_we_write(small, model, tmp_path, kind):
    registry.write(kind, tmp_path / "m", model, small.about)
    for x, words in small.words.items():
        vectors = opened(tmp_path / "m", kind, x)
        assert vectors.index_to_key == words
        np.testing.assert_array_equal(vectors.vectors, small.drawn(x)[0])


@pytest.mark.parametrize("kind", ["word2vec", "word2vec-binary"])
def test_we_open_what_gensim_writes(small, tmp_path, kind):
    from gensim.models import KeyedVectors

    for x, words in small.words.items():
        vectors = KeyedVectors(5)
        vectors.add_vectors(words, small.drawn(x)[0])
        path = str(tmp_path / f"some_model_{x}.{ENDINGS[kind]}")
        vectors.save_word2vec_format(path, binary=kind == "word2vec-binary")
    found, about = registry.read_as(kind, tmp_path)
    assert about["languages"] == sorted(small.words)
    for x, words in small.words.items():
        assert found.words[x] == words
        np.testing.assert_array_equal(found.tables[x], small.drawn(x)[0])
        np.testing.assert_array_equal(found.weights[x], np.ones(len(words)))
    assert (found.term_frequency, found.norm) == ("raw", "l2")


def test_the_authors_layout_is_what_the_system_released_reads(small, model, tmp_path):
    registry.write("released", tmp_path / "m", model, small.about)
    for x, words in small.words.items():
        path = tmp_path / "m" / f"cr5_{x}.txt.gz"
        lines = gzip.decompress(path.read_bytes()).decode().splitlines()
        assert [line.rsplit(" ", 5)[0] for line in lines] == words
        found = read_vectors(path, words[::-1], 5)
        np.testing.assert_array_equal(found.table, small.drawn(x)[0][::-1])


def test_released_words_may_have_spaces(tmp_path):
    (tmp_path / "m_en.txt.gz").write_bytes(gzip.compress(b"new york 1 2 3\nbe\xcc\x81 4 5 6\n"))
    found, _ = registry.read_as("released", tmp_path / "m_en.txt.gz", 3)
    assert found.words == {"en": ["new york", "b\u00e9"]}
    np.testing.assert_array_equal(found.tables["en"], [[1, 2, 3], [4, 5, 6]])


def test_released_vectors_of_another_dimension(tmp_path):
    path = tmp_path / "m_en.txt"
    path.write_text("cat 1 2 3\narea 51 4 5\n")
    with pytest.raises(
        UserError, match=r"line 1: .* 2 of 2 words end in one, such as 'cat 1'.*\(dimension\)"
    ):
        registry.read_as("released", path, 2)
    with pytest.raises(UserError, match=r"line 1: expected a word and 4 numbers.*`dimension`"):
        registry.read_as("released", path, 4)
    assert registry.read_as("released", path, 3)[0].words == {"en": ["cat", "area"]}


@pytest.mark.parametrize(
    ("dimension", "text", "message"),
    [
        (2, "a 1 2\nb 1 2 3\nc 1 2 3\n", r"line 2: .* 2 of 3 words end in one, such as 'b 1'"),
        (2, "a 1 2 3\nb 1 2\n", r"line 1: .* 1 of 2 words end in one, such as 'a 1'"),
        (1, "2 1\na 1\nb 2\n", "line 1: it says how many words follow, as the header of word2vec"),
    ],
)
def test_released_vectors_of_which_some_are_longer(tmp_path, dimension, text, message):
    (tmp_path / "m_en.txt").write_text(text)
    with pytest.raises(UserError, match=rf"m_en\.txt, {message}"):
        registry.read_as("released", tmp_path / "m_en.txt", dimension)


def test_released_phrases_may_end_in_a_number(tmp_path):
    (tmp_path / "m_en.txt").write_text("windows 10 1 2\na 3 4\n7 5 6\n")
    found, _ = registry.read_as("released", tmp_path / "m_en.txt", 2)
    assert found.words == {"en": ["windows 10", "a", "7"]}
    np.testing.assert_array_equal(found.tables["en"], [[1, 2], [3, 4], [5, 6]])


def test_released_words_of_ours_may_all_end_in_a_number(small, model, tmp_path):
    words = {x: [f"{word} 1" for word in of] for x, of in small.words.items()}
    registry.write("released", tmp_path / "m", replace(model, words=words), small.about)
    assert registry.read(tmp_path / "m")[0].words == words


@pytest.mark.parametrize("kind", ["word2vec", "word2vec-binary"])
def test_a_byte_order_mark_before_the_header(tmp_path, kind):
    row = b"1 2 3" if kind == "word2vec" else ROW
    path = tmp_path / f"x_da.{ENDINGS[kind]}"
    path.write_bytes(b"\xef\xbb\xbf1 3\nh\xc2\xa0s " + row + b"\n")
    found, _ = registry.read_as(kind, path)
    assert found.words == {"da": ["h\u00a0s"]}
    assert found.tables["da"].tolist() == [[1, 2, 3]]


ROW = struct.pack("<3f", 1, 2, 3)


def test_gensims_own_files_are_not_read_but_turned_by_gensim(small, tmp_path):
    from gensim.models import KeyedVectors

    vectors = KeyedVectors(5)
    vectors.add_vectors(small.words["da"], small.drawn("da")[0])
    vectors.save(str(tmp_path / "x_en.kv"))
    with pytest.raises(UserError, match=r"keyedvectors is no longer a format") as error:
        registry.read_as("keyedvectors", tmp_path / "x_en.kv")
    # as the message says, in the file's folder
    said = re.search(r"(KeyedVectors\.load\('.*True\)), and import", str(error.value))[1]
    with contextlib.chdir(tmp_path):
        eval(said)
    found, _ = registry.read_as("word2vec-binary", tmp_path / "x_en.bin")
    assert found.words["en"] == small.words["da"]
    np.testing.assert_array_equal(found.tables["en"], small.drawn("da")[0])


def test_names_that_do_not_say_the_language(tmp_path):
    (tmp_path / "vectors.vec").write_text("1 1\na 1\n")
    with pytest.raises(UserError, match=r"found no file NAME_LANGUAGE\.vec"):
        registry.read_as("word2vec", tmp_path)
    for name in ("a_en.vec", "b_en.vec"):
        (tmp_path / name).write_text("1 1\na 1\n")
    with pytest.raises(UserError, match="several files of a language"):
        registry.read_as("word2vec", tmp_path)


@pytest.mark.parametrize("name", ["x_EN.vec", "x_deutsch.vec.gz"])
def test_a_file_whose_name_says_no_language_is_not_passed_over(tmp_path, name):
    (tmp_path / "x_de.vec").write_text("1 2\na 1 0\n")
    (tmp_path / name).write_text("1 2\na 1 0\n")
    (tmp_path / "README.md").write_text("not of vectors\n")
    with pytest.raises(UserError, match=f": {name}: the name does not say the language"):
        registry.read_as("word2vec", tmp_path)
    (tmp_path / name).unlink()
    assert list(registry.read_as("word2vec", tmp_path)[0].words) == ["de"]
