"""Systems of one's own, as the pages show them: fitted, validated, stored, loaded, ranked."""

import inspect
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

import cr5
from cr5.base.errors import UserError
from cr5.base.rows import unit_rows
from cr5.counts.weighting import tfidf
from cr5.models import store
from tests.kit import inside
from tests.kit.corpus import LANGUAGES, Corpus, give

HERE = Path(__file__).parent
SHORT, NETWORK = HERE / "example_system.py", HERE / "example_network.py"
ABOUT = {"system": "network"}


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    corpus = Corpus()
    return inside.given(corpus, give(tmp_path_factory.mktemp("corpus"), corpus), LANGUAGES)


@pytest.fixture(scope="module")
def network():
    return inspect.getmodule(inside.system(NETWORK))


@pytest.fixture(scope="module")
def fitted(start, network):
    return inside.fitted(network.Network, start, {})


def test_one_is_short():
    assert len(SHORT.read_text(encoding="utf-8").splitlines()) < 30


def test_many_random_vectors_are_nearly_orthogonal(start):
    """Documents are then as near as what their words have in common with each concept."""
    found = inside.fitted(inside.system(SHORT), start, {"dimension": 100_000}).model
    data, rows = start.training, {}
    for x in ("da", "en"):
        X = np.zeros((data.n_concepts, len(data.words[x])))
        np.add.at(X, data.concepts[x], data.features[x].toarray())
        every = found.embed(data.counts[x], x)
        rows[x] = tfidf(data.counts[x], data.weights[x], data.term_frequency) @ X.T, every
    (a, near_a), (b, near_b) = rows["da"], rows["en"]
    expected = unit_rows(a) @ unit_rows(b).T
    np.testing.assert_allclose(near_a @ near_b.T, expected, atol=0.02)


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


@pytest.mark.parametrize("form", ["folder", "packed"])
def test_it_is_loaded_only_where_its_class_is_passed(start, fitted, network, tmp_path, form):
    model, counts = fitted.model, start.training.features["en"]
    path = tmp_path / ("m.cr5" if form == "packed" else "m")
    if form == "folder":
        store.save(path, model, ABOUT)
    else:
        store.pack(path, model, ABOUT)
    refusal = "class TwoLayers of the module example_network, which is not part of cr5: no code is"
    with pytest.raises(UserError, match=refusal) as error:
        cr5.load(path)
    assert str(error.value).startswith(f"{path}: ")
    loaded = cr5.load(path, classes=[network.TwoLayers])
    assert type(loaded.model) is network.TwoLayers
    assert loaded.model.embed(counts, "en").tobytes() == model.embed(counts, "en").tobytes()
