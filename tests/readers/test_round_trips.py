"""What other programs write is read as it was meant."""

import string
import unicodedata

import numpy as np
import pytest
import yaml
from gensim.models import KeyedVectors
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from cr5.fitting import vectors
from cr5.plan import config_files

NAMES = st.text(string.ascii_letters + "é京'_-", min_size=1, max_size=8).map(
    lambda text: unicodedata.normalize("NFC", text)
)
FIELDS = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufeff"))
FLOATS = arrays.arrays(
    np.float32, st.tuples(st.integers(1, 4), st.integers(1, 5)), elements=st.floats(-9, 9, width=32)
)


@pytest.fixture
def file(tmp_path):
    return tmp_path / "file"


@pytest.mark.parametrize("suffix", [".vec", ".bin"])
def test_word_vectors_of_gensim(tmp_path, suffix):
    path = tmp_path / f"x{suffix}"

    @given(FLOATS, st.data())
    def check(rows, data):
        words = data.draw(st.lists(NAMES, min_size=len(rows), max_size=len(rows), unique=True))
        keyed = KeyedVectors(rows.shape[1])
        keyed.add_vectors(words, rows)
        keyed.save_word2vec_format(str(path), binary=suffix == ".bin")
        found, table = vectors.read(path, 100)
        assert found == words
        np.testing.assert_allclose(table, rows, rtol=1e-6)

    check()


def test_configurations(file):
    scalars = st.one_of(FIELDS, st.integers(-(2**63) + 1, 2**63 - 1), st.booleans(), st.none())
    values = st.recursive(
        scalars,
        lambda x: st.one_of(st.lists(x, max_size=3), st.dictionaries(NAMES, x, max_size=3)),
        max_leaves=8,
    )

    @given(st.dictionaries(NAMES, values, min_size=1), st.booleans())
    def check(config, is_flow):
        path = file.with_suffix(".yaml")
        path.write_text(yaml.safe_dump(config, default_flow_style=is_flow), encoding="utf-8")
        assert config_files.read(path) == config

    check()
