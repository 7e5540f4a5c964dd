"""Static encoders, against model2vec, which wrote them."""

import json

import numpy as np
import pytest
from model2vec import StaticModel
from safetensors.numpy import save_file
from tokenizers.processors import TemplateProcessing

from cr5.base.errors import UserError
from cr5.models.encoders.opening import checksum, opened
from tests.tiny_encoders import tokenizer_of

TEXTS = ["cat", "cat dog dog", "sea nothing cat", "nothing", "dog " * 500]
WORDS = ["cat", "dog", "sea"]
TABLE = np.random.default_rng(1).normal(size=(5, 4)).astype(np.float32)


@pytest.mark.parametrize("has_unit_rows", [False, True])
@pytest.mark.parametrize(
    "more",
    [
        {},
        {"weights": np.array([1, 1, 0.5, 2, 3], np.float32)},
        {"token_mapping": np.array([0, 1, 3, 3, 4]), "weights": np.arange(5, dtype=np.float32)},
    ],
    ids=["plain", "weights", "mapping"],
)
def test_rows_are_the_librarys_own(tmp_path, more, has_unit_rows):
    model = StaticModel(TABLE, tokenizer_of(WORDS), normalize=has_unit_rows, **more)
    model.save_pretrained(str(tmp_path))
    rows = opened(str(tmp_path), checksum(str(tmp_path))).encode(TEXTS, "")
    np.testing.assert_allclose(rows, model.encode(TEXTS, max_length=None), atol=1e-6)
    assert not rows[3].any()


def test_a_file_without_a_table_is_refused(tmp_path):
    StaticModel(TABLE, tokenizer_of(WORDS), normalize=False).save_pretrained(str(tmp_path))
    save_file({"vectors": TABLE}, tmp_path / "model.safetensors")
    with pytest.raises(UserError, match=r"expected an array embeddings or embedding\.weight"):
        opened(str(tmp_path), checksum(str(tmp_path)))


def test_a_prefix_is_text_as_any(tmp_path):
    StaticModel(TABLE, tokenizer_of(WORDS), normalize=False).save_pretrained(str(tmp_path))
    encoder = opened(str(tmp_path), checksum(str(tmp_path)))
    rows = encoder.encode(["cat", "sea"], "dog ")
    np.testing.assert_array_equal(rows, encoder.encode(["dog cat", "dog sea"], ""))


def test_a_long_text_counts_to_its_end(tmp_path):
    StaticModel(TABLE, tokenizer_of(WORDS), normalize=False).save_pretrained(str(tmp_path))
    encoder = opened(str(tmp_path), checksum(str(tmp_path)))
    [row] = encoder.encode(["cat " * 1000 + "dog " * 1000], "")
    np.testing.assert_allclose(row, (TABLE[2] + TABLE[3]) / 2, atol=1e-5)


def test_the_table_may_be_in_a_folder_of_its_own(tmp_path):
    """As sentence-transformers writes it, with the tokenizer beside the table."""
    folder = tmp_path / "0_StaticEmbedding"
    folder.mkdir()
    save_file({"embedding.weight": TABLE}, folder / "model.safetensors")
    tokenizer_of(WORDS).save(str(folder / "tokenizer.json"))
    module = {"path": folder.name, "type": "sentence_transformers.models.StaticEmbedding"}
    (tmp_path / "modules.json").write_text(json.dumps([module]))
    [row] = opened(str(tmp_path), checksum(str(tmp_path))).encode(["dog"], "")
    np.testing.assert_array_equal(row, TABLE[3])


def test_what_the_tokenizer_adds_and_cuts_does_not_count(tmp_path):
    """Here it puts padding before each text, too, and in the end has eight tokens of each."""
    StaticModel(TABLE, tokenizer_of(WORDS), normalize=False).save_pretrained(str(tmp_path))
    tokenizer = tokenizer_of(WORDS)
    tokenizer.post_processor = TemplateProcessing("[PAD] $0", special_tokens=[("[PAD]", 1)])
    tokenizer.enable_padding(length=8, pad_id=1, pad_token="[PAD]")
    tokenizer.enable_truncation(2)
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    [row] = opened(str(tmp_path), checksum(str(tmp_path))).encode(["cat dog sea"], "")
    np.testing.assert_allclose(row, TABLE[2:5].mean(axis=0), rtol=1e-6)
