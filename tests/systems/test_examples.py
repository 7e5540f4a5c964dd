"""Systems of one's own, as the pages show them: fitted, validated, stored, loaded, ranked."""

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
from tests.kit import inside
from tests.kit.corpus import LANGUAGES, Corpus, give

HERE = Path(__file__).parent
SHORT, NETWORK = HERE / "example_system.py", HERE / "example_network.py"
ABOUT = {"system": "network"}


@pytest.fixture(scope="module")
def training(tmp_path_factory):
    corpus = Corpus()
    return inside.given(corpus, give(tmp_path_factory.mktemp("corpus"), corpus), LANGUAGES).training


@pytest.fixture(scope="module")
def network():
    return load_module(NETWORK, "fit")


@pytest.fixture(scope="module")
def fitted(training, network):
    modules = {SHORT: load_module(SHORT, "fit"), NETWORK: network}
    return {path: fit(module, training, {"module": str(path)}) for path, module in modules.items()}


def test_one_is_short():
    assert len(SHORT.read_text(encoding="utf-8").splitlines()) < 60


def test_tables_are_the_singular_vectors_of_the_stacked_documents(training, fitted):
    found, parts = fitted[SHORT], []
    for x in training.languages:
        parts.append(np.zeros((training.n_concepts, len(training.words[x]))))
        parts[-1][training.concepts[x]] = training.features[x].toarray()
    X = np.hstack(parts)
    r = found.report["rank"]
    V = np.linalg.svd(X)[2][:r].T
    T = np.vstack([found.model.tables[x] for x in training.languages])
    # singular vectors are known up to their signs
    np.testing.assert_allclose(np.abs(np.sum(T * V, axis=0)), np.ones(r), atol=1e-4)


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


@pytest.mark.parametrize("form", ["folder", "packed", "safetensors"])
def test_it_is_loaded_only_where_its_class_is_passed(training, fitted, network, tmp_path, form):
    model, counts = fitted[NETWORK].model, training.features["en"]
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
