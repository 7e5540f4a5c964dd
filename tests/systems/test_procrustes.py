import json
from dataclasses import replace

import numpy as np
import pytest
from scipy.linalg import orthogonal_procrustes

from cr5.base.errors import UserError
from cr5.fitting import fit as fitting
from cr5.fitting.seeds import Seeds
from cr5.systems import procrustes as system


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
    fit = fitting.fit(system, training, {"seeds": "identical"})
    np.testing.assert_allclose(fit.model.tables["it"], fit.model.tables["en"][order], atol=1e-4)
    assert fit.report["pairs"]["it-en"]["seed_pairs"] == 30
    assert json.loads(json.dumps(fit.report)) == fit.report


def test_too_few_identical_strings(planted):
    training, _ = planted(shared=9)
    with pytest.raises(UserError, match=r"it-en: 9 identical strings .* at least 10 are needed"):
        fitting.fit(system, training, {"seeds": "identical"})


def test_short_strings_can_be_left_out(planted):
    training, _ = planted(shared=30)  # name0 .. name9 have five characters, the others six
    fit = fitting.fit(system, training, {"seeds": "identical", "min_length": 6})
    assert fit.report["pairs"]["it-en"]["seed_pairs"] == 20


def test_numerals(planted):
    training, order = planted(shared=30)
    names = {f"name{i}": f"{i + 1900}" for i in range(25)}
    words = {x: [names.get(word, word) for word in each] for x, each in training.words.items()}
    fit = fitting.fit(system, replace(training, words=words), {"seeds": "numerals"})
    np.testing.assert_allclose(fit.model.tables["it"], fit.model.tables["en"][order], atol=1e-4)
    assert fit.report["pairs"]["it-en"]["seed_pairs"] == 25


def test_a_dictionary_and_no_rounds_is_procrustes_alone(planted):
    training, order = planted(shared=0)
    pairs = [(f"it{i}", f"en{i}") for i in range(12)]
    pairs[0] = ("it0", "en5")
    given = replace(training, seeds=Seeds({("it", "en"): pairs}))
    fit = fitting.fit(system, given, {"rounds": 0})
    X, Y = (training.vectors[x].astype(float) for x in ("it", "en"))
    place = np.argsort(order)  # of each Italian word
    A, B = X[place[:12]], Y[[5, *range(1, 12)]]
    expected = X @ orthogonal_procrustes(A, B)[0]
    np.testing.assert_allclose(fit.model.tables["it"], expected, atol=1e-5)


def test_mutual_pairs_mend_a_poor_dictionary(planted):
    training, order = planted(shared=0)
    pairs = [(f"it{i}", f"en{i if i % 3 else i + 1}") for i in range(30)]
    given = replace(training, seeds=Seeds({("it", "en"): pairs}))
    fit = fitting.fit(system, given, {"mutual": True})
    np.testing.assert_allclose(fit.model.tables["it"], fit.model.tables["en"][order], atol=1e-4)
