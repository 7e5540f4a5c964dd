"""S2Net: what it starts from, which pairs it learns from, and that it finds what was planted."""

from dataclasses import replace

import numpy as np
import pytest

from cr5.base.errors import LeftOutError
from cr5.base.rows import unit_rows
from cr5.fitting.fit import fit
from cr5.systems.networks import training as networks
from cr5.systems.projections import pencils
from cr5.systems.projections.documents import Documents
from cr5.systems.projections.opca import Opca
from cr5.systems.s2net import S2Net, translations


def test_before_the_first_epoch_it_is_opca(planted, monkeypatch):
    training = planted(n=200).training
    monkeypatch.setattr(networks, "train", lambda *_: {})
    fitted = fit(S2Net(dimension=20, held_out=0), training)
    expected = fit(Opca(dimensions=[20], skip_words=0), training).model
    for x in training.languages:
        table = fitted.model.tables[x]
        assert np.std(table[fitted.model.learned(x)]) == pytest.approx(0.1, rel=0.01)
        rows = [model.embed(training.counts[x], x) for model in (fitted.model, expected)]
        np.testing.assert_allclose(rows[0] @ rows[0].T, rows[1] @ rows[1].T, atol=1e-4)


def test_pairs_are_of_one_concept_in_two_languages_and_both_directions():
    """Two documents of concept 0 in the first language, one in the others; concept 2 is alone."""
    documents = Documents(None, np.array([0, 0, 0, 1, 2]), np.array([0, 0, 1, 0, 0]))
    pairs = set(zip(*map(np.ndarray.tolist, translations(documents)), strict=True))
    one_way = {(0, 3), (0, 4), (1, 3), (1, 4), (3, 4)}
    assert pairs == one_way | {(b, a) for a, b in one_way}


def test_documents_of_a_concept_are_held_out_together(planted):
    made = planted(n=300, languages=("da", "en", "es"))
    n = made.training.n_concepts
    few = S2Net(dimension=5, epochs=1, start="random", optimiser="adam")
    report = fit(few, made.training).report
    assert report["held_out"] == 6 * (n // 10)
    assert report["pairs"] == 6 * (n - n // 10)


def test_opca_does_not_see_what_is_held_out(planted, monkeypatch):
    """The pairs by which training is stopped would else all be found before the first epoch."""
    seen = []
    monkeypatch.setattr(networks, "train", lambda _, held, *more: seen.append(held) or {})
    kept = []
    opca_of = pencils.opca
    monkeypatch.setattr(pencils, "opca", lambda rows: kept.append(rows) or opca_of(rows))
    made = planted(n=300)
    fit(S2Net(dimension=5), made.training)
    [held], [documents] = seen, kept
    n = made.training.n_concepts
    assert len(np.unique(held.groups)) == n // 10
    assert documents.n_concepts == n - n // 10
    unseen = np.setdiff1d(np.arange(n), held.groups)
    np.testing.assert_array_equal(documents.concept, np.tile(np.arange(len(unseen)), 2))
    expected = held.X[np.concatenate([unseen, n + unseen])]
    np.testing.assert_allclose(documents.Z.toarray(), expected.toarray(), rtol=1e-6)


def test_documents_on_which_opca_has_no_dimension_are_left_out(planted):
    """Of a single concept the means, which OPCA takes away, are all there is."""
    with pytest.raises(LeftOutError, match="2 training documents have nothing in common"):
        fit(S2Net(dimension=20, merged=False), planted(n=1).training)


def test_a_string_of_both_languages_is_one_word(planted):
    training = planted(n=100).training
    words = {
        x: [w.replace(x, "name") if w.endswith("5") else w for w in training.words[x]]
        for x in training.words
    }
    training = replace(training, words=words)
    few = S2Net(dimension=5, epochs=1, optimiser="adam", start="random")
    model = fit(few, training).model
    en, es = (dict(zip(model.words[x], model.tables[x], strict=True)) for x in ("en", "es"))
    np.testing.assert_array_equal(en["name55"], es["name55"])
    assert not np.array_equal(en["en54"], es["es54"])
    np.testing.assert_allclose(unit_rows(model.tables["en"]).any(axis=1).mean(), 1, atol=0.05)
