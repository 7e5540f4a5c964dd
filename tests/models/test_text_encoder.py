"""Encoders of others, each library against vectors worked out by hand."""

import importlib.metadata
import importlib.util
import sys

import numpy as np
import pytest

import cr5
from cr5.base import provenance
from cr5.base.errors import UserError
from cr5.models import encoders
from cr5.models.contract import ModelError
from cr5.models.text_encoder import TextEncoder
from tests.tiny_encoders import write_onnx, write_sentence_transformers, write_static

VECTORS = {"cat": [3.0, 4], "dog": [0, 2], "gatto": [3, 4], "query": [4, -4]}
WRITERS = {
    "model2vec": write_static,
    "onnx": write_onnx,
    "sentence_transformers": write_sentence_transformers,
}
WORDS = {"en": ["cat", "dog"], "it": ["gatto"]}


def encoder(folder, **options):
    sha256 = provenance.folder(folder)["sha256"]
    return TextEncoder(WORDS, str(folder), sha256, encoders.library_of(folder), **options)


@pytest.fixture(params=WRITERS)
def folder(request, tmp_path):
    needed = "onnxruntime" if request.param == "onnx" else request.param
    if not importlib.util.find_spec(needed):
        pytest.skip(f"{needed} is not installed")
    WRITERS[request.param](tmp_path / "encoder", VECTORS)
    assert encoders.library_of(tmp_path / "encoder") == request.param
    return tmp_path / "encoder"


def test_texts_become_unit_rows_of_the_mean_of_their_tokens(folder):
    found = encoder(folder).embed(["cat", "cat dog", "dog cat", "gatto gatto"], "en")
    assert found.dtype == np.float32
    mean = np.array([1.5, 3]) / np.hypot(1.5, 3)
    np.testing.assert_allclose(found, [[0.6, 0.8], mean, mean, [0.6, 0.8]], rtol=1e-6)


def test_the_system_takes_it_as_it_is(folder):
    texts = [f"cat dog w{x}" for x in "abcdefghij"]
    translations = [f"gatto cane w{x}" for x in "abcdefghij"]
    model = cr5.fit({"en": texts, "it": translations}, "encoder", path=str(folder))
    package = encoders.PACKAGES[encoders.library_of(folder)]
    expected = {"package": package, "version": importlib.metadata.version(package), "dimension": 2}
    assert model.report.items() >= expected.items()
    found = model.similarity("cat", "en", ["gatto", "dog"], "it")
    np.testing.assert_allclose(found, [[1, 0.8]], rtol=1e-6)


def test_a_prefix_is_put_before_each_text(folder):
    found = encoder(folder, prefix="query ").embed(["gatto"], "it")
    np.testing.assert_allclose(found, [[1, 0]], atol=1e-7)  # (3, 4) and (4, -4)


def test_an_encoder_that_has_changed_or_gone_is_refused(folder, tmp_path):
    model = encoder(folder)
    model.check()
    (folder / "config.json").write_text("{ }")
    with pytest.raises(ModelError, match="is not the one that this model was made with"):
        model.check()
    folder.rename(tmp_path / "away")
    with pytest.raises(ModelError, match="there is no folder"):
        model.check()


@pytest.mark.parametrize(
    ("pooling", "expected"),
    [("mean", [[2, 3], [5, 6]]), ("max", [[3, 4], [5, 6]]), ("first", [[1, 2], [5, 6]])],
)
def test_states_are_pooled_over_tokens_and_not_over_padding(pooling, expected):
    states = np.array([[[1.0, 2], [3, 4]], [[5, 6], [70, 80]]], np.float32)
    mask = np.array([[1, 1], [1, 0]])
    np.testing.assert_allclose(encoders.pooled(states, mask, pooling), expected)
    assert not encoders.pooled(states, 0 * mask, pooling).any()


def test_a_long_text_is_cut_off_where_it_is_told_to(tmp_path):
    pytest.importorskip("onnxruntime")
    write_onnx(tmp_path / "encoder", VECTORS)
    found = encoder(tmp_path / "encoder", most_tokens=1).embed(["dog cat cat"], "en")
    np.testing.assert_allclose(found, [[0, 1]])


def test_batches_change_nothing(tmp_path):
    pytest.importorskip("onnxruntime")
    write_onnx(tmp_path / "encoder", VECTORS)
    texts = ["cat " * (i % 3 + 1) + "dog" for i in range(2 * encoders.BATCH + 1)]
    model = encoder(tmp_path / "encoder")
    alone = np.vstack([model.embed([text], "en") for text in texts])
    np.testing.assert_allclose(model.embed(texts, "en"), alone, rtol=1e-6)


@pytest.mark.parametrize(
    ("library", "said"),
    [
        ("model2vec", r"pip install 'cr5\[encoders\]'"),
        ("onnx", r"pip install 'cr5\[encoders\]'"),
        ("sentence_transformers", "pip install sentence-transformers"),
    ],
)
def test_what_is_not_installed_is_named_with_the_command(tmp_path, monkeypatch, library, said):
    for name in ("model2vec", "onnxruntime", "sentence_transformers"):
        monkeypatch.setitem(sys.modules, name, None)  # as where it is not installed
    with pytest.raises(UserError, match=f"which is not installed: {said}"):
        encoders.opened(tmp_path, library, "mean", 512)


def test_another_folder_is_no_encoder(tmp_path):
    with pytest.raises(UserError, match="not the folder of an encoder"):
        encoders.library_of(tmp_path)
