"""The file of safetensors, opened by that library."""

import json

import numpy as np
import pytest

from cr5.base.errors import UserError
from cr5.models.formats import registry

safetensors = pytest.importorskip("safetensors.numpy", reason="the extra `export` is missing")


def test_the_library_finds_tables_weights_and_words(small, with_offsets, tmp_path):
    registry.write("safetensors", tmp_path / "m", with_offsets, small.about)
    arrays = safetensors.load_file(tmp_path / "m" / "model.safetensors")
    for x, words in small.words.items():
        table, weights, offset = small.drawn(x)
        np.testing.assert_array_equal(arrays[f"tables.{x}"], table)
        np.testing.assert_array_equal(arrays[f"weights.{x}"], weights)
        np.testing.assert_array_equal(arrays[f"offsets.{x}"], offset)
        assert json.loads(arrays[f"words.{x}"].tobytes()) == words


def test_half_as_many_bits(small, model, tmp_path):
    registry.write("safetensors", tmp_path / "m", model, small.about, half=True)
    arrays = safetensors.load_file(tmp_path / "m" / "model.safetensors")
    assert arrays["tables.da"].dtype == np.float16
    found = registry.read(tmp_path / "m")[0]
    for x in small.words:
        table = small.drawn(x)[0]
        assert found.tables[x].dtype == np.float32
        np.testing.assert_allclose(
            found.tables[x], table, rtol=2**-11, atol=abs(table).max() * 2.0**-39
        )


def test_without_the_library(small, model, tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "safetensors", None)
    with pytest.raises(UserError, match=r"this format: needs .* safetensors, .*'cr5\[export\]'"):
        registry.write("safetensors", tmp_path / "m", model, small.about)
