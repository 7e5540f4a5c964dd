"""The bilingual autoencoder finds what was planted, and encodes as written out."""

import numpy as np
from scipy import sparse

from cr5.fitting.fit import fit
from cr5.systems.bae import Bae
from cr5.systems.networks.bilingual import blanked
from cr5.systems.projections.columns import ColumnSettings, columns


def test_documents_are_encoded_layer_by_layer(planted):
    training = planted(n=100).training
    few = Bae(widths=[5, 4, 3], epochs=[1], skip_words=2, rates=[0.01], stack_epochs=10)
    model = fit(few, training).model
    counts = training.counts["es"][:4].toarray() * (model.weights["es"] > 0)
    h = counts @ model.tables["es"].astype(float) + counts.sum(axis=1)[:, None] * model.bias
    h = 1 / (1 + np.exp(-h))
    for number in ("2", "3"):
        h = 1 / (1 + np.exp(-(h @ model.layers[number] + model.biases[number])))
    expected = h / np.linalg.norm(h, axis=1, keepdims=True)
    np.testing.assert_allclose(model.embed(training.counts["es"][:4], "es"), expected, atol=1e-6)
    assert (~model.learned("es")).sum() >= 2
    nothing = sparse.csr_matrix((1, len(model.words["es"])))
    assert not model.embed(nothing, "es").any()


def test_one_language_alone_is_to_give_both(planted):
    training = planted(n=30).training
    chosen = columns(training.words, training.counts, ColumnSettings(0, 100, False))
    X = sparse.csr_matrix(np.arange(2.0 * chosen.n).reshape(2, -1) + 1)
    given, wanted = blanked(X, training, chosen)
    assert given.shape == wanted.shape == (6, chosen.n)
    np.testing.assert_array_equal(wanted.toarray(), np.tile(X.toarray(), (3, 1)))
    np.testing.assert_array_equal(given[2:4].toarray() + given[4:].toarray(), X.toarray())
    assert given[2:4].nnz == 2 * (chosen.numbers["en"] >= 0).sum()
