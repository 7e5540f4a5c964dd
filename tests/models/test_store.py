"""Models on disk; that each class comes back from each format: `test_every_model`."""

import importlib.util
import json
import sys
from dataclasses import replace

import numpy as np
import pytest
from safetensors import numpy as library
from safetensors import safe_open
from scipy import sparse

import cr5
from cr5.base.errors import LeftOutError, UserError
from cr5.models import store
from cr5.models.bank import neighbours, with_bank
from cr5.models.contract import ModelError
from cr5.models.encoders.opening import checksum
from cr5.models.text_encoder import TextEncoder
from tests.models import examples
from tests.models.examples import ABOUT, MODELS, WORDS, plain
from tests.tiny_encoders import write_static


@pytest.fixture
def folder(tmp_path):
    store.save(tmp_path / "model", plain(), ABOUT)
    return tmp_path / "model"


def test_each_language_has_a_file_that_the_library_opens(tmp_path):
    store.save(tmp_path / "m", MODELS["settings"], ABOUT)
    names = sorted(x.stem for x in tmp_path.glob("m/*.safetensors"))
    assert names == sorted([*WORDS, "model"])
    for x, words in WORDS.items():
        arrays = library.load_file(tmp_path / "m" / f"{x}.safetensors")
        table, weights, offset = examples.drawn(x)
        np.testing.assert_array_equal(arrays[f"tables.{x}"], table)
        np.testing.assert_array_equal(arrays[f"weights.{x}"], weights)
        np.testing.assert_array_equal(arrays[f"offsets.{x}"], offset)
        assert json.loads(arrays[f"words.{x}"].tobytes()) == words


def mapped_from(array):
    """The mapping that an array is a view of, if any."""
    while array is not None and not isinstance(array, np.memmap):
        array = array.base
    return array


def test_dense_tables_are_mapped_into_memory(folder):
    loaded = store.load(folder)
    assert all(mapped_from(table) is not None for table in loaded.tables.values())
    assert all(table.dtype == np.float32 for table in loaded.tables.values())
    assert store.about(folder) == ABOUT


@pytest.mark.parametrize("language", ["../x", "", "/etc", "model"])
def test_a_language_that_leads_elsewhere_is_not_saved(tmp_path, language):
    model = replace(plain(), weights={language: np.ones(3)})
    with pytest.raises(UserError, match="cannot be part of a file's name"):
        store.save(tmp_path / "in" / "model", model, {})
    assert not list(tmp_path.rglob("*"))


def test_weights_that_were_computed_as_integers_are_loaded(tmp_path):
    weights = {x: np.arange(len(words)) for x, words in WORDS.items()}
    store.save(tmp_path / "m", plain(weights=weights), {})
    assert store.load(tmp_path / "m").weights["en"].tolist() == list(range(len(WORDS["en"])))


def a_column_that_does_not_exist(said, arrays):
    n = len(WORDS["en"])
    said["fields"]["tables"] = {"by": {x: {"sparse": "t", "shape": [n, 2]} for x in WORDS}}
    data = {"data": np.ones(n, np.float32), "indices": np.full(n, 9), "indptr": np.arange(n + 1)}
    arrays.update({f"t.{x}": y for x, y in data.items()})


@pytest.mark.parametrize(
    "edit",
    [
        lambda said, arrays: said.update({"class": "Layers9"}),
        lambda said, arrays: said["fields"].pop("weights"),
        lambda said, arrays: said["fields"].update({"norm": {"value": 3}}),
        a_column_that_does_not_exist,
    ],
)
def test_what_is_no_model_of_this_version(tmp_path, edit, monkeypatch):
    said, arrays = store._taken_apart(plain())
    edit(said, arrays)
    monkeypatch.setattr(store, "_taken_apart", lambda _: (said, arrays))
    store.save(tmp_path / "m", plain(), ABOUT)
    with pytest.raises(UserError, match=f"{tmp_path / 'm'}: not a whole model of this version"):
        store.load(tmp_path / "m")


def test_a_model_of_another_system(folder):
    store.load(folder, system="cr5")
    with pytest.raises(UserError, match="expected models of system 'cca', found system 'cr5'"):
        store.load(folder, system="cca")


def test_data_that_allow_no_model_say_so_where_it_is_loaded(tmp_path):
    store.leave_out(tmp_path / "m", "too few strings", ABOUT)
    with pytest.raises(LeftOutError, match="too few strings"):
        store.load(tmp_path / "m")
    assert store.about(tmp_path / "m") == ABOUT


@pytest.fixture
def packed(tmp_path):
    zeros = {"el": np.zeros_like(MODELS["plain"].tables["el"])}
    model = replace(MODELS["plain"], tables=MODELS["plain"].tables | zeros)
    store.pack(tmp_path / "m.cr5", model, ABOUT, half=True, readme="the card")
    return tmp_path / "m.cr5"


def test_a_packed_model_is_a_file_of_safetensors(packed):
    with safe_open(packed, framework="numpy") as file:
        said = json.loads(file.metadata()["cr5"])
    assert (said["about"], said["readme"]) == (ABOUT, "the card")
    arrays = library.load_file(packed)
    for x in WORDS:
        exact, weights, _ = examples.drawn(x)
        exact = exact * (x != "el")
        half = arrays[f"tables.{x}"]
        assert half.dtype == np.float16
        found = half.astype(float) * said["fields"]["tables"]["by"][x]["scale"]
        # half a unit in the last of 11 bits, and of what float16 has below its normal numbers
        atol = abs(exact).max() * 2.0**-39
        np.testing.assert_allclose(found, exact, rtol=2**-11, atol=atol)
        np.testing.assert_array_equal(arrays[f"weights.{x}"], weights)
    rows, counts = cr5.load(packed).model.embed, examples.counts_of("da")
    np.testing.assert_allclose(rows(counts, "da"), examples.by_hand("da", counts), atol=3e-3)


def test_whatever_changed_in_a_packed_model_is_noticed(packed):
    content, generator = packed.read_bytes(), np.random.default_rng(0)
    for place in generator.choice(len(content), 100, replace=False):
        changed = bytearray(content)
        changed[place] ^= 64
        packed.write_bytes(changed)
        with pytest.raises(UserError, match=r"m\.cr5: "):
            store.load(packed)


def test_a_language_without_training_documents_corrects_no_hubs():
    """No mean over none of them, which would be nan and rank every answer first."""
    first, other, _ = WORDS
    given = {x: sparse.csr_matrix((9 * (x == other), len(words))) for x, words in WORDS.items()}
    for model in (plain(), with_bank(plain(), given)):
        with pytest.raises(UserError, match=f"no training documents of '{first}': .*training"):
            neighbours(model, first, other)


@pytest.fixture
def encoder(tmp_path):
    write_static(tmp_path / "encoder", {"cat": [3.0, 4], "dog": [0, 2]})
    path = tmp_path / "encoder"
    return TextEncoder({"en": ["cat", "dog"]}, str(path), checksum(str(path)))


def test_an_encoder_that_has_changed_or_gone_is_refused(encoder, tmp_path):
    encoder.check()
    (tmp_path / "encoder" / "config.json").write_text("{ }")
    said = "does not have the encoder that this model was made with"
    with pytest.raises(ModelError, match=said):
        encoder.check()
    (tmp_path / "encoder").rename(tmp_path / "away")
    with pytest.raises(ModelError, match=said):
        encoder.check()


def test_an_encoder_that_cannot_be_read_is_named(encoder, tmp_path, monkeypatch):
    folder = tmp_path / "encoder"
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "tokenizers", None)  # as where it is not installed
        patch.setattr(importlib.util, "find_spec", lambda module: None)
        with pytest.raises(UserError, match=r"package tokenizers, .* installed: \./run encoders"):
            encoder.embed(["cat"], "en")
    (folder / "config.json").write_text("{}")
    (folder / "modules.json").unlink()
    other = replace(encoder, sha256="another")
    with pytest.raises(UserError, match="not installed: pip install sentence-transformers"):
        other.embed(["cat"], "en")
    for path in folder.iterdir():
        path.unlink()
    empty = replace(encoder, sha256="a third")
    with pytest.raises(UserError, match=f"{folder}: not an encoder: expected model.onnx with"):
        empty.embed(["cat"], "en")
