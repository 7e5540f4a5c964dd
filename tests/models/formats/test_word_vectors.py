"""word2vec's text, against gensim."""

import re
from dataclasses import replace

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
        lines = (tmp_path / "m" / f"cr5_{x}.weights.tsv").read_text(encoding="utf-8").splitlines()
        weights = [line.split("\t") for line in lines]
        assert [word for word, _ in weights] == words
        assert [float(weight) for _, weight in weights] == small.drawn(x)[1].tolist()


def test_nothing_is_overwritten(small, model, tmp_path):
    (tmp_path / "mine").mkdir()
    with pytest.raises(UserError, match="mine is there already"):
        registry.write("word2vec", tmp_path / "mine", model, small.about)


@pytest.mark.parametrize("word", ["et\0hus", "et hus", "\ufeffa"])
def test_words_that_a_file_cannot_hold(small, model, tmp_path, word):
    """Between fields or at the beginning of a file they would be read as something else."""
    words = {**small.words, "da": [word, *small.words["da"][1:]]}
    with pytest.raises(UserError, match=re.escape(repr(word))):
        registry.write("word2vec", tmp_path / "m", replace(model, words=words), small.about)
