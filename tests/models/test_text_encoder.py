"""Encoders of others, against vectors worked out by hand."""

import sys

import numpy as np
import pytest

from cr5.base.errors import UserError
from cr5.models.contract import ModelError
from cr5.models.text_encoder import TextEncoder, sha256_of
from tests.tiny_encoders import write_static

VECTORS = {"cat": [3.0, 4], "dog": [0, 2], "gatto": [3, 4], "query": [4, -4]}
WORDS = {"en": ["cat", "dog"], "it": ["gatto"]}


def encoder(folder, **options):
    return TextEncoder(WORDS, str(folder), sha256_of(folder), **options)


@pytest.fixture
def folder(tmp_path):
    write_static(tmp_path / "encoder", VECTORS)
    return tmp_path / "encoder"


def test_texts_become_unit_rows_of_the_mean_of_their_tokens(folder):
    found = encoder(folder).embed(["cat", "cat dog", "dog cat", "gatto gatto"], "en")
    assert found.dtype == np.float32
    mean = np.array([1.5, 3]) / np.hypot(1.5, 3)
    np.testing.assert_allclose(found, [[0.6, 0.8], mean, mean, [0.6, 0.8]], rtol=1e-6)
    found = encoder(folder, prefix="query ").embed(["gatto"], "it")
    np.testing.assert_allclose(found, [[1, 0]], atol=1e-7)  # (3, 4) and (4, -4)


def test_an_encoder_that_has_changed_or_gone_is_refused(folder, tmp_path):
    model = encoder(folder)
    model.check()
    (folder / "config.json").write_text("{ }")
    said = "does not have the encoder that this model was made with"
    with pytest.raises(ModelError, match=said):
        model.check()
    folder.rename(tmp_path / "away")
    with pytest.raises(ModelError, match=said):
        model.check()


def test_what_cannot_be_read_is_named(tmp_path, monkeypatch):
    with pytest.raises(UserError, match=f"{tmp_path}: not an encoder that sentence-transformers"):
        encoder(tmp_path).embed(["cat"], "en")
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)  # as where it is not installed
    with pytest.raises(UserError, match="not installed: pip install sentence_transformers"):
        encoder(tmp_path).embed(["cat"], "en")
