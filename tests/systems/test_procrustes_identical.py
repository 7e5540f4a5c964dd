import json

import numpy as np
import pytest

from cr5.base.errors import UserError
from cr5.systems import procrustes_identical as system
from cr5.systems.mapping.refinement import RefinementSettings


@pytest.fixture
def planted(training_of):
    """Italian is English turned; `shared` words are spelled the same, shuffled within it."""

    def make(shared):
        words, vectors, order = turned(shared)
        frequencies = {"en": np.arange(len(order), 0, -1), "it": len(order) - order}
        return training_of(words, vectors=vectors, frequencies=frequencies), order

    return make


def turned(shared, n=400, d=10, seed=0):
    rng = np.random.default_rng(seed)
    Y = rng.normal(size=(n, d)) * np.linspace(2, 0.5, d) + 0.5
    Y /= np.linalg.norm(Y, axis=1, keepdims=True)
    Q = np.linalg.qr(rng.normal(size=(d, d)))[0]
    english = [f"name{i}" if i < shared else f"en{i}" for i in range(n)]
    order = rng.permutation(n)
    italian = [english[i] if i < shared else f"it{i}" for i in order]
    vectors = {"en": Y.astype(np.float32), "it": (Y @ Q.T)[order].astype(np.float32)}
    return {"en": english, "it": italian}, vectors, order


def test_recovers_the_rotation_from_shared_strings(planted):
    training, order = planted(shared=30)
    fit = system.fit(training, {})
    np.testing.assert_allclose(fit.model.tables["it"], fit.model.tables["en"][order], atol=1e-4)
    assert fit.report["pairs"]["it-en"]["starts"][0]["identical_strings"] == 30
    assert json.loads(json.dumps(fit.report)) == fit.report


def test_too_few_identical_strings(planted):
    training, _ = planted(shared=9)
    with pytest.raises(UserError, match=r"it-en: 9 identical strings .* at least 10 are needed"):
        system.fit(training, {})


def test_short_strings_can_be_left_out(planted):
    training, _ = planted(shared=30)  # name0 .. name9 have five characters, the others six
    fit = system.fit(training, {"min_length": 6})
    assert fit.report["pairs"]["it-en"]["starts"][0]["identical_strings"] == 20


def test_identical_pairs_by_hand():
    pairs = system.identical_pairs(["a", "bb", "c", "dd"], ["dd", "a", "bb"], 2)
    assert pairs.tolist() == [[1, 2], [3, 0]]
    assert system.identical_pairs(["a"], ["b"], 1).shape == (0, 2)


def test_defaults_are_those_of_refinement():
    assert system.NEEDS == ("vectors",)
    own = {"pivot": None, "directed": False, "centre": False, "min_length": 1}
    assert own | vars(RefinementSettings()) == system.DEFAULTS
