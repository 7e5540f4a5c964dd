from dataclasses import replace

import numpy as np
import pytest

from cr5.fitting import fit as fitting
from cr5.fitting.seeds import Seeds
from cr5.systems.procrustes import Procrustes


@pytest.fixture
def planted(training_of):
    """Italian is English turned and shuffled; and the English number of each Italian word."""
    rng = np.random.default_rng(0)
    Y = rng.normal(size=(400, 10)) * np.linspace(2, 0.5, 10) + 0.5
    Y /= np.linalg.norm(Y, axis=1, keepdims=True)
    Q = np.linalg.qr(rng.normal(size=(10, 10)))[0]
    order = rng.permutation(400)
    words = {"en": [f"en{i}" for i in range(400)], "it": [f"it{i}" for i in order]}
    vectors = {"en": Y.astype(np.float32), "it": (Y @ Q.T)[order].astype(np.float32)}
    frequencies = {"en": np.arange(400, 0, -1), "it": 400 - order}
    return training_of(words, vectors=vectors, frequencies=frequencies), order


def test_mutual_pairs_mend_a_poor_dictionary(planted):
    training, order = planted
    pairs = [(f"it{i}", f"en{i if i % 3 else i + 1}") for i in range(30)]
    given = replace(training, seeds=Seeds({("it", "en"): pairs}))
    fit = fitting.fit(Procrustes(mutual=True), given)
    np.testing.assert_allclose(fit.model.tables["it"], fit.model.tables["en"][order], atol=1e-4)
