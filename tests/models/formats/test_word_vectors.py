"""word2vec's text, against gensim."""

import numpy as np
import pytest

from cr5.base.errors import UserError
from cr5.models.formats import registry


def test_gensim_opens_what_we_write(small, model, tmp_path):
    from gensim.models import KeyedVectors

    registry.write("word2vec", tmp_path / "m", model, small.about)
    for x, words in small.words.items():
        vectors = KeyedVectors.load_word2vec_format(str(tmp_path / "m" / f"cr5_{x}.vec"))
        assert vectors.index_to_key == words
        np.testing.assert_array_equal(vectors.vectors, small.drawn(x)[0])


def test_we_open_what_gensim_writes(small, tmp_path):
    from gensim.models import KeyedVectors

    for x, words in small.words.items():
        vectors = KeyedVectors(5)
        vectors.add_vectors(words, small.drawn(x)[0])
        vectors.save_word2vec_format(str(tmp_path / f"some_model_{x}.vec"))
    found, about = registry.read_as("word2vec", tmp_path)
    assert about["languages"] == sorted(small.words)
    for x, words in small.words.items():
        assert found.words[x] == words
        np.testing.assert_array_equal(found.tables[x], small.drawn(x)[0])
        np.testing.assert_array_equal(found.weights[x], np.ones(len(words)))
    assert (found.term_frequency, found.norm) == ("raw", "l2")


def test_a_byte_order_mark_before_the_header(tmp_path):
    path = tmp_path / "x_da.vec"
    path.write_bytes(b"\xef\xbb\xbf1 3\nh\xc2\xa0s 1 2 3\n")
    found, _ = registry.read_as("word2vec", path)
    assert found.words == {"da": ["h\u00a0s"]}
    assert found.tables["da"].tolist() == [[1, 2, 3]]


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
