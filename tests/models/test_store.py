"""Models on disk; that each class comes back from each format: `test_every_model`."""

import json
from dataclasses import replace

import numpy as np
import pytest
from safetensors import numpy as library
from safetensors import safe_open
from scipy import sparse

import cr5
from cr5.base.artefacts import ABOUT as SEAL
from cr5.base.artefacts import making
from cr5.base.errors import LeftOutError, UserError
from cr5.models import store
from cr5.models.bank import neighbours, with_bank
from tests.models import examples
from tests.models.examples import ABOUT, MODELS, PLAIN_WORDS, WORDS, dense


@pytest.fixture
def folder(tmp_path):
    store.save(tmp_path / "model", dense(), ABOUT)
    return tmp_path / "model"


def test_each_language_has_a_file_that_the_library_opens(tmp_path):
    store.save(tmp_path / "m", MODELS["settings"], ABOUT)
    names = sorted(x.stem for x in tmp_path.glob("m/*.safetensors"))
    assert names == sorted([*PLAIN_WORDS, "model"])
    for x, words in PLAIN_WORDS.items():
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
    model = replace(dense(), weights={language: np.ones(3)})
    with pytest.raises(UserError, match="cannot be part of a file's name"):
        store.save(tmp_path / "in" / "model", model, {})
    assert not list(tmp_path.rglob("*"))


def test_weights_that_were_computed_as_integers_are_loaded(tmp_path):
    weights = {x: np.arange(len(words)) for x, words in WORDS.items()}
    store.save(tmp_path / "m", dense(weights=weights), {})
    assert store.load(tmp_path / "m").weights["en"].tolist() == list(range(len(WORDS["en"])))


def edited(path, edit, arrays=lambda found: found):
    """Rewrite a file with what it says, and its arrays, changed."""
    with safe_open(path, framework="numpy") as file:
        said = json.loads(file.metadata()["cr5"])
    said = edit(said) or said
    found = arrays(library.load_file(path))
    library.save_file(found, path, {"cr5": json.dumps(said)})
    seal(path.parent)


def seal(folder):
    """Seal what was changed by hand."""
    files = {x.name: x.read_bytes() for x in folder.iterdir() if x.name != SEAL}
    with making(folder, store.KIND) as part:
        for name, content in files.items():
            (part / name).write_bytes(content)


def csr(name, indices):
    def of(found):
        n = len(WORDS["en"])
        return found | {
            f"{name}.data": np.ones(n, np.float32),
            f"{name}.indices": np.full(n, indices, np.int32),
            f"{name}.indptr": np.arange(n + 1, dtype=np.int32),
        }

    return of


@pytest.mark.parametrize(
    ("edit", "arrays"),
    [
        (lambda said: said.update({"class": "Layers9"}), dict),
        (lambda said: said["fields"].pop("weights") and None, dict),
        (lambda said: said["fields"].update({"norm": {"value": 3}}), dict),
        (lambda said: "WordTables", dict),
        (
            lambda said: said["fields"].update(
                {"tables": {"by": {x: {"sparse": "t", "shape": [14, 2]} for x in WORDS}}}
            ),
            csr("t", 9),
        ),
    ],
)
def test_what_is_no_model_of_this_version(folder, edit, arrays):
    edited(folder / store.MODEL, edit, arrays)
    with pytest.raises(UserError, match="not a whole model of this version") as error:
        store.load(folder)
    assert str(error.value).startswith(f"{folder}: ")


@pytest.mark.parametrize("content", [b"", b"\xff" * 100, b"\2\0\0\0\0\0\0\0[]"])
def test_a_file_of_something_else_and_a_model_of_another_system(folder, content):
    store.load(folder, system="cr5")
    with pytest.raises(UserError, match="expected models of system 'cca', found system 'cr5'"):
        store.load(folder, system="cca")
    (folder / "en.safetensors").write_bytes(content)
    seal(folder)
    with pytest.raises(UserError, match=r"model: "):
        store.load(folder)
    (folder / SEAL).unlink()
    for read in (store.load, store.about):
        with pytest.raises(UserError, match="model: "):
            read(folder)


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
    for x in PLAIN_WORDS:
        exact, weights, _ = examples.drawn(x)
        exact = exact * (x != "el")
        half = arrays[f"tables.{x}"]
        assert half.dtype == np.float16
        found = half.astype(float) * said["fields"]["tables"]["by"][x]["scale"]
        # half a unit in the last of 11 bits, and of what float16 has below its normal numbers
        atol = abs(exact).max() * 2.0**-39
        np.testing.assert_allclose(found, exact, rtol=2**-11, atol=atol)
        np.testing.assert_array_equal(arrays[f"weights.{x}"], weights)
    rows, counts = cr5.load(packed).embed_counts, examples.counts_of("da")
    np.testing.assert_allclose(rows(counts, "da"), examples.by_hand("da", counts), atol=3e-3)


def test_whatever_changed_in_a_packed_model_is_noticed(packed):
    content, generator = packed.read_bytes(), np.random.default_rng(0)
    for place in generator.choice(len(content), 100, replace=False):
        changed = bytearray(content)
        changed[place] ^= 64
        packed.write_bytes(changed)
        with pytest.raises(UserError, match=r"m\.cr5: "):
            store.load(packed)


def test_training_documents_take_two_bytes_a_number_and_empty_languages_correct_no_hubs(tmp_path):
    """No mean over none of them, which would be nan and rank every answer first."""
    generator = np.random.default_rng(8)
    given = {x: sparse.csr_matrix(generator.poisson(0.8, (9, len(y)))) for x, y in WORDS.items()}
    first, other = WORDS
    given[first] = given[first][:0]
    model = with_bank(dense(), given)
    for each in (dense(), model):
        with pytest.raises(UserError, match=f"no training documents of '{first}': .*training"):
            neighbours(each, first, other)
    store.save(tmp_path / "m", model, {})
    stored = library.load_file(tmp_path / "m" / f"{other}.safetensors")[f"bank.{other}.dense"]
    assert (stored.dtype, len(stored)) == (np.float16, 9)
