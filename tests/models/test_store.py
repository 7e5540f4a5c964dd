import json
from dataclasses import replace

import numpy as np
import pytest

from cr5.base import artefacts
from cr5.base.errors import LeftOutError, UserError
from cr5.base.labels import MODELS as MODEL
from cr5.base.origin import Origin
from cr5.models import store
from tests.models.examples import dense


def test_dense_tables_are_mapped_into_memory(tmp_path):
    store.save(tmp_path / "model", dense(), {})
    loaded = store.load(tmp_path / "model")
    assert all(isinstance(table, np.memmap) for table in loaded.tables.values())
    assert all(table.dtype == np.float32 for table in loaded.tables.values())
    assert all(weights.dtype == np.float64 for weights in loaded.weights.values())


def test_a_second_stage_is_kept_and_none_leaves_no_trace(tmp_path):
    for rerank in (0.0, 0.5):
        folder = tmp_path / str(rerank)
        store.save(folder, replace(dense(), rerank=rerank), {})
        assert store.load(folder).rerank == rerank
        assert ("rerank" in (folder / "model.json").read_text()) == bool(rerank)


def test_what_made_a_model(tmp_path):
    about = {"seed": 3, "versions": {"numpy": "2"}, "warnings": ["đ"]}
    store.save(tmp_path / "model", dense(), about)
    assert store.about(tmp_path / "model") == about
    (tmp_path / "model" / "fit.json").write_text("{")
    with pytest.raises(UserError, match=r"model/fit\.json: "):
        store.about(tmp_path / "model")


@pytest.mark.parametrize("language", ["../x", "", "a/b", ".hidden", "/etc"])
def test_a_language_that_leads_elsewhere_is_not_saved(tmp_path, language):
    model = replace(dense(), weights={language: np.ones(3)})
    with pytest.raises(UserError, match="cannot be part of a file's name"):
        store.save(tmp_path / "in" / "model", model, {})
    assert [path.name for path in tmp_path.rglob("*")] == ["in"]


def test_a_model_that_lost_its_contents_is_not_read(tmp_path):
    store.save(tmp_path / "model", dense(), {})
    (tmp_path / "model" / artefacts.NAME).unlink()
    for read in (store.load, store.about):
        with pytest.raises(UserError, match="model: "):
            read(tmp_path / "model")


def test_a_model_of_another_system_is_noticed(tmp_path):
    store.save(tmp_path / "model", dense(), {"system": "cr5", "setting": "joint"})
    store.load(tmp_path / "model", system="cr5")
    with pytest.raises(UserError, match="expected models of system 'cca', found system 'cr5'"):
        store.load(tmp_path / "model", system="cca")


def refused(folder):
    with pytest.raises(UserError, match="not a model that this version can read") as error:
        store.load(folder)
    assert str(error.value).startswith(f"{folder}: ")
    assert str(error.value).endswith("remove the folder and fit it again")


def edited(folder, edit):
    store.save(folder, dense(), {})
    stored = json.loads((folder / "model.json").read_text())
    stored = edit(stored) or stored
    (folder / "model.json").write_text(json.dumps(stored))
    artefacts.seal_folder(folder, MODEL.label({}, {}))


@pytest.mark.parametrize(
    "edit",
    [
        lambda stored: stored.update({"class": "Layers9"}),
        lambda stored: stored.update({"class": ["WordTables"]}),
        lambda stored: stored.update({"format": 99}),
        lambda stored: stored.pop("fields") and None,
        lambda stored: stored.update({"fields": ["words"]}),
        lambda stored: stored.update({"fields": 3}),
        lambda stored: stored["fields"].update({"color": {"value": 3}}),
        lambda stored: stored["fields"].pop("weights") and None,
        lambda stored: stored["fields"].update({"weights": "npy"}),
        lambda stored: stored["fields"].update({"weights": {"by": ["en"]}}),
        lambda stored: [stored],
        lambda stored: "WordTables",
    ],
)
def test_a_model_of_another_kind(tmp_path, edit):
    edited(tmp_path / "model", edit)
    refused(tmp_path / "model")


@pytest.mark.parametrize("key", ["../x", "../../secret", "/etc/x", "a/b", ""])
def test_no_key_leads_out_of_the_folder(tmp_path, key):
    np.save(tmp_path / "x.npy", np.ones(3))
    np.save(tmp_path / "secret.npy", np.ones(3))
    by_language = {"by": {key: {"file": "npy"}}}
    edited(tmp_path / "one", lambda stored: stored["fields"].update({"weights": by_language}))
    edited(tmp_path / "two", lambda stored: stored["fields"].update({key: {"file": "npy"}}))
    for folder in (tmp_path / "one", tmp_path / "two"):
        with pytest.raises(UserError, match="cannot be part of a file's name") as error:
            store.load(folder)
        assert str(error.value).startswith(f"{folder}: ")


def test_no_pickle_is_opened(tmp_path):
    folder = tmp_path / "model"
    store.save(folder, dense(), {})
    np.save(folder / "weights" / "en.npy", np.array([{}], object), allow_pickle=True)
    artefacts.seal_folder(folder, MODEL.label({}, {}))
    refused(folder)


def test_data_that_allow_no_model_say_so_where_it_is_loaded(tmp_path):
    about = {"origin": {"seed": 1, "configuration": "a", "corpus": "b", "code": ["1"]}}
    store.leave_out(tmp_path / "m", "too few strings", about)
    with pytest.raises(LeftOutError, match="too few strings"):
        store.load(tmp_path / "m")
    assert store.origin_of(tmp_path / "m") == Origin(1, "a", "b", ("1",))


@pytest.mark.parametrize("text", ["{}", '{"origin": {"seed": 1}}', '{"origin": null}'])
def test_a_model_of_unknown_origin(tmp_path, text):
    (tmp_path / "fit.json").write_text(text)
    artefacts.seal_folder(tmp_path, MODEL.label({}, {}))
    with pytest.raises(UserError, match="does not say where the model comes from"):
        store.origin_of(tmp_path)
