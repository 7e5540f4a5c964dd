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
from cr5.contracts.model import ModelError
from cr5.models import store
from cr5.models.bank import neighbours, with_bank
from cr5.models.encoders.opening import checksum
from cr5.models.text_encoder import TextEncoder
from tests.models import examples
from tests.models.examples import ABOUT, MODELS, OFFSETS, TABLES, WEIGHTS, WORDS, plain
from tests.tiny_encoders import write_static


@pytest.fixture
def folder(tmp_path):
    store.save(tmp_path / "model", plain(), ABOUT)
    return tmp_path / "model"


def test_each_language_has_a_file_that_the_library_opens(tmp_path):
    store.save(tmp_path / "m", MODELS["settings"], ABOUT)
    names = {path.stem for path in tmp_path.glob("m/*.safetensors")}
    assert names == set(WORDS) | {"model"}
    for language, words in WORDS.items():
        arrays = library.load_file(tmp_path / "m" / f"{language}.safetensors")
        np.testing.assert_array_equal(arrays[f"tables.{language}"], TABLES[language])
        np.testing.assert_array_equal(arrays[f"weights.{language}"], WEIGHTS[language])
        np.testing.assert_array_equal(arrays[f"offsets.{language}"], OFFSETS[language])
        assert text_in(arrays[f"words.{language}"]) == words


def text_in(array):
    """Return the list of text that an array has as JSON."""
    return json.loads(array.tobytes())


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


@pytest.mark.parametrize("dtype", ["int64", ">f4", ">f8", "float16", "longdouble"])
def test_weights_of_other_types_weigh_and_are_loaded_as_numbers_of_float64(tmp_path, dtype):
    weights = {}
    in_float64 = {}
    for language, words in WORDS.items():
        numbers = np.arange(len(words))
        weights[language] = numbers.astype(dtype)
        in_float64[language] = numbers.astype(float)
    counts = sparse.csr_matrix(np.eye(9) + 1)
    expected = plain(weights=in_float64).embed(counts, "en")
    model = plain(weights=weights)
    np.testing.assert_array_equal(model.embed(counts, "en"), expected)
    store.save(tmp_path / "m", model, {})
    store.pack(tmp_path / "m.cr5", model, {})
    for place in (tmp_path / "m", tmp_path / "m.cr5"):
        loaded = store.load(place)
        assert loaded.weights["en"].tolist() == list(range(9))
        np.testing.assert_array_equal(loaded.embed(counts, "en"), expected)


def with_a_class_that_is_not_there(description, arrays):
    description["class"] = "Layers9"


def without_a_field(description, arrays):
    del description["fields"]["weights"]


def with_a_number_for_a_name(description, arrays):
    description["fields"]["norm"] = {"value": 3}


def with_a_column_that_does_not_exist(description, arrays):
    n_words = len(WORDS["en"])
    table = {"sparse": "t", "shape": [n_words, 2]}
    description["fields"]["tables"] = {"by": dict.fromkeys(WORDS, table)}
    arrays["t.data"] = np.ones(n_words, np.float32)
    arrays["t.indices"] = np.full(n_words, 9)
    arrays["t.indptr"] = np.arange(n_words + 1)


@pytest.mark.parametrize(
    "edit",
    [
        with_a_class_that_is_not_there,
        without_a_field,
        with_a_number_for_a_name,
        with_a_column_that_does_not_exist,
    ],
)
def test_what_is_no_model_of_this_version(tmp_path, edit, monkeypatch):
    description, arrays = store._described(plain())
    edit(description, arrays)
    monkeypatch.setattr(store, "_described", lambda _: (description, arrays))
    store.save(tmp_path / "m", plain(), ABOUT)
    with pytest.raises(UserError, match=f"{tmp_path / 'm'}: not a whole model of this version"):
        store.load(tmp_path / "m")


@pytest.fixture(params=[None, 1, 3])
def number(request, monkeypatch):
    """Another number of the format, with which models are written; the first had none."""
    description, arrays = store._described(plain())
    description["format"] = request.param
    if request.param is None:
        del description["format"]
    monkeypatch.setattr(store, "_described", lambda *_: (description, arrays))
    return request.param or 1


def test_a_model_of_another_format_is_refused_by_name(tmp_path, number):
    store.save(tmp_path / "m", plain(), ABOUT)
    store.pack(tmp_path / "m.cr5", plain(), ABOUT)
    for place in (tmp_path / "m", tmp_path / "m.cr5"):
        with pytest.raises(UserError, match=f"{place}: a model in format {number}, .*fit it again"):
            store.load(place)


def test_what_stands_for_unknown_words_is_stored_beside_the_words(tmp_path):
    store.save(tmp_path / "m", MODELS["fallbacks"], ABOUT)
    arrays = library.load_file(tmp_path / "m" / "da.safetensors")
    assert text_in(arrays["words.da"]) == WORDS["da"][:6]
    assert text_in(arrays["fallbacks.da.words"]) == ["and", "ko"]
    assert text_in(arrays["fallbacks.da.beginnings"]) == ["hund", "byer"]
    assert store.load(tmp_path / "m").fallbacks == MODELS["fallbacks"].fallbacks


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
        description = json.loads(file.metadata()["cr5"])
    assert description["about"] == ABOUT
    assert description["readme"] == "the card"
    arrays = library.load_file(packed)
    for language in WORDS:
        scale = description["fields"]["tables"]["by"][language]["scale"]
        assert_halved(arrays[f"tables.{language}"], scale, TABLES[language] * (language != "el"))
        np.testing.assert_array_equal(arrays[f"weights.{language}"], WEIGHTS[language])
    counts = examples.counts_of("da")
    rows = cr5.load(packed).model.embed(counts, "da")
    np.testing.assert_allclose(rows, examples.by_hand("da", counts), atol=3e-3)


def assert_halved(halved, scale, exact):
    """Compare up to half a unit in the last of 11 bits, and in those below normal numbers."""
    assert halved.dtype == np.float16
    tolerance = abs(exact).max() * 2.0**-39
    np.testing.assert_allclose(halved.astype(float) * scale, exact, rtol=2**-11, atol=tolerance)


def test_whatever_changed_in_a_packed_model_is_noticed(packed):
    content = packed.read_bytes()
    for place in np.random.default_rng(0).choice(len(content), 100, replace=False):
        changed = bytearray(content)
        changed[place] ^= 64
        packed.write_bytes(changed)
        with pytest.raises(UserError, match=r"m\.cr5: "):
            store.load(packed)


def test_a_language_without_training_documents_corrects_no_hubs():
    """No mean over none of them, which would be nan and rank every answer first."""
    training = {"da": sparse.csr_matrix((0, 10)), "el": sparse.csr_matrix((9, 7))}
    for model in (plain(), with_bank(plain(), training)):
        with pytest.raises(UserError, match=r"no training documents of 'da': .*training"):
            neighbours(model, "da", "el")


@pytest.fixture
def encoder(tmp_path):
    write_static(tmp_path / "encoder", {"cat": [3.0, 4], "dog": [0, 2]})
    path = tmp_path / "encoder"
    return TextEncoder({"en": ["cat", "dog"]}, str(path), checksum(str(path)))


def test_an_encoder_that_has_changed_or_gone_is_refused(encoder, tmp_path):
    encoder.check()
    (tmp_path / "encoder" / "config.json").write_text("{ }")
    sentence = "does not have the encoder that this model was made with"
    with pytest.raises(ModelError, match=sentence):
        encoder.check()
    (tmp_path / "encoder").rename(tmp_path / "away")
    with pytest.raises(ModelError, match=sentence):
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
