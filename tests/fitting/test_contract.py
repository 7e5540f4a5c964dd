import numpy as np
import pytest
from scipy import sparse
from sklearn.preprocessing import normalize


def test_the_model_weighs_documents_as_the_features_are(make_training_set):
    generator = np.random.default_rng(0)
    counts = generator.poisson(1.0, (5, 12))
    training = make_training_set(term_frequency="log")
    tables = {x: generator.normal(size=(12, 3)) for x in training.languages}
    model = training.model(tables)
    for x in training.languages:
        rows = normalize(np.log(1 + counts) * training.weights[x]) @ tables[x]
        embedded = model.embed(sparse.csr_matrix(counts), x)
        np.testing.assert_allclose(embedded, normalize(rows), atol=1e-6)
    assert model.words == training.words
    assert not model.directed


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_matrix])
def test_tables_are_float32_and_not_copied_if_they_are(make_training_set, kind):
    wide, single = kind(np.ones((12, 2))), kind(np.ones((12, 2), np.float32))
    model = make_training_set().model({"da": wide, "en": single})
    assert model.tables["da"].dtype == np.float32
    assert model.tables["en"] is single
