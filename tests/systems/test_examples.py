"""A class of models of one's own, as the pages show it, is loaded only where it is passed."""

import inspect
from pathlib import Path

import pytest

import cr5
from cr5.base.errors import UserError
from cr5.models import store
from tests.kit import inside
from tests.kit.corpus import LANGUAGES, Corpus, give


@pytest.mark.parametrize("write", [store.save, store.pack])
def test_it_is_loaded_only_where_its_class_is_passed(write, tmp_path):
    network = inspect.getmodule(inside.system(Path(__file__).parent / "example_network.py"))
    corpus, path = Corpus(), tmp_path / "m.cr5"
    start = inside.given(corpus, give(tmp_path, corpus), LANGUAGES)
    model, counts = inside.fitted(network.Network, start, {}).model, start.training.features["en"]
    write(path, model, {"system": "network"})
    refusal = "class TwoLayers of the module example_network, which is not part of cr5: no code is"
    with pytest.raises(UserError, match=refusal) as error:
        cr5.load(path)
    assert str(error.value).startswith(f"{path}: ")
    loaded = cr5.load(path, classes=[network.TwoLayers])
    assert type(loaded.model) is network.TwoLayers
    assert loaded.model.embed(counts, "en").tobytes() == model.embed(counts, "en").tobytes()
