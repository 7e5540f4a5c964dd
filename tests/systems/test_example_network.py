"""A class of models of one's own is fitted, stored, loaded where it is passed, and ranked."""

from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

import cr5
from cr5.base.errors import UserError
from cr5.base.modules import load_module
from cr5.fitting.fit import fit
from cr5.models import store
from cr5.models.formats import registry
from cr5.tasks import documents
from cr5.tasks.base import Data, rank_all

PATH = Path(__file__).parent / "example_network.py"
ABOUT = {"system": "network"}


@pytest.fixture(scope="module")
def network():
    return load_module(PATH, "fit")


@pytest.fixture(scope="module")
def fitted(made_up, prepare, network):
    drawn, training = prepare(made_up)
    return drawn, training, fit(network, training, {"module": str(PATH)})


def test_gradients_are_those_of_finite_differences(network):
    generator = np.random.default_rng(1)
    X = sparse.csr_matrix(generator.normal(size=(5, 4)))
    Y, A, B = (generator.normal(size=shape) for shape in ((5, 3), (4, 2), (2, 3)))
    _, *found = network.gradients(X, Y, A, B)
    for changed, gradient in zip((A, B), found, strict=True):
        for place in np.ndindex(changed.shape):
            before, losses = changed[place], []
            for step in (1e-6, -1e-6):
                changed[place] = before + step
                losses.append(network.gradients(X, Y, A, B)[0])
            changed[place] = before
            assert gradient[place] == pytest.approx((losses[0] - losses[1]) / 2e-6, abs=1e-6)


def test_it_beats_chance_in_every_direction(made_up, fitted):
    drawn, training, found = fitted
    searches = list(documents.searches(Data(made_up, drawn), training.languages, {}))
    for each in rank_all(searches, found.model, ["cosine"]):
        n = each.queries["n_candidates"].iloc[0]
        chance = np.mean(1 / np.arange(1, n + 1))
        assert (1 / each.answers["rank"]).mean() > 2 * chance


@pytest.mark.parametrize("form", ["folder", "packed", "safetensors"])
def test_it_is_loaded_only_where_its_class_is_passed(fitted, network, tmp_path, form):
    _, training, found = fitted
    model, counts = found.model, training.features["en"]
    path = tmp_path / ("m.cr5" if form == "packed" else "m")
    if form == "folder":
        store.save(path, model, ABOUT)
    else:
        registry.write(form, path, model, ABOUT)
    refusal = "class TwoLayers of the module example_network, which is not part of cr5: no code is"
    with pytest.raises(UserError, match=refusal) as error:
        cr5.load(path)
    assert str(error.value).startswith(f"{path}: ")
    loaded = cr5.load(path, classes=[network.TwoLayers])
    assert type(loaded.model) is network.TwoLayers
    assert loaded.model.embed(counts, "en").tobytes() == model.embed(counts, "en").tobytes()
