"""PLTM hands its options to the sampler, and finds what was planted."""

from itertools import count

import numpy as np

from cr5.fitting.fit import fit
from cr5.systems.pltm import Pltm
from cr5.systems.projections.columns import ColumnSettings, columns
from cr5.systems.topics import training as fits
from cr5.systems.topics.corpus import joined
from cr5.systems.topics.gibbs import Gibbs

PLTM = Pltm(dimensions=[12], skip_words=0, max_iterations=60, alpha=0.2, beta=0.05, burn_in=40)


def test_documents_are_shares_of_the_sampled_topics(planted):
    """theta ~ sum_w n_w p(t | w) + alpha with p(t | w) ~ p(t) p(w | t), each language by itself."""
    better = count()
    training = planted(n=150, validate=lambda model: next(better)).training
    fitted = fit(PLTM, training)
    assert fitted.chosen == {"dimension": 12, "iterations": 60}
    chosen = columns(training.words, training.counts, ColumnSettings(0, 20000, merged=False))
    first_of_es = (chosen.numbers["en"] >= 0).sum()
    corpus = joined(training, chosen)
    gibbs = Gibbs(corpus, 0.2, 0.05, [0, first_of_es], 40, training.seed)
    sample = gibbs.start(12)
    for _ in range(60):
        gibbs.step(sample)
    phi, theta0 = gibbs.means(sample)
    topics = phi * theta0 / (phi * theta0).sum(axis=1, keepdims=True)
    for x in training.languages:
        rows = training.counts[x].toarray() @ chosen.table(x, topics) + 0.2
        expected = rows / rows.sum(axis=1, keepdims=True)
        np.testing.assert_allclose(fitted.model.embed(training.counts[x], x), expected, atol=1e-5)


def test_topics_are_validated_only_after_burn_in(planted, monkeypatch):
    """A sample of the first sweeps says nothing yet, so patience must not end the run on it."""
    monkeypatch.setattr(fits, "PATIENCE", 1)
    worse = count(0, -1)
    training = planted(n=50, validate=lambda model: next(worse)).training
    report = fit(PLTM, training).report
    assert [each["iterations"] for each in report["validation"]] == [45, 50]
