"""Static encoders, against model2vec, which wrote them."""

import numpy as np
import pytest
from model2vec import StaticModel
from safetensors.numpy import save_file

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
