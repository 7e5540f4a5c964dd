"""A class of models of one's own, as the pages show it, is loaded only where it is passed."""

import inspect
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

import cr5
from cr5.base.errors import UserError
from cr5.models import store
from tests.kit import inside
from tests.kit.corpus import LANGUAGES, Corpus, give
from tests.systems.oracles.slopes import differences

NETWORK = Path(__file__).parent / "example_network.py"


@pytest.fixture(scope="module")
def network():
    return inspect.getmodule(inside.system(NETWORK))


def test_gradients_are_those_of_differences(network):
    generator = np.random.default_rng(1)
    X = sparse.csr_matrix(generator.normal(size=(5, 4)))
    Y, A, B = (generator.normal(size=shape) for shape in ((5, 3), (4, 2), (2, 3)))
    _, *found = network.gradients(X, Y, A, B)
    for changed, gradient in zip((A, B), found, strict=True):
        expected = differences(lambda: network.gradients(X, Y, A, B)[0], changed)
        np.testing.assert_allclose(gradient, expected, atol=1e-6)


@pytest.mark.parametrize("write", [store.save, store.pack])
def test_it_is_loaded_only_where_its_class_is_passed(write, network, tmp_path):
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
