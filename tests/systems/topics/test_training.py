import json
import logging

import numpy as np
import pytest
from scipy import sparse

from cr5.base.errors import LeftOutError, UserError
from cr5.fitting import fit as fitting
from cr5.systems.cplsa import Cplsa
from cr5.systems.jplsa import Jplsa
from cr5.systems.topics import training as fits

WORDS = {"da": [*"abcdefgh"], "en": [*"abcdklmn"]}
OPTIONS = {"skip_words": 1, "dimensions": [3], "max_iterations": 12}


@pytest.fixture(autouse=True)
def often_checked(monkeypatch):
    monkeypatch.setattr(fits, "CHECK_EVERY", 2)


@pytest.fixture
def training(training_of):
    """20 concepts in both languages, two topics of words each."""

    def make(validate=pytest.fail, **given):
        generator = np.random.default_rng(5)
        shares = generator.dirichlet([0.3, 0.3], 20)
        counts = {}
        for language in WORDS:
            topics = generator.dirichlet(np.full(8, 0.4), 2)
            found = generator.poisson(40 * shares @ topics) + np.eye(20, 8, dtype=int)
            counts[language] = sparse.csr_matrix(found.astype(np.int32))
        return training_of(
            WORDS,
            counts=counts,
            concepts={x: np.arange(20) for x in WORDS},
            n_concepts=20,
            validate=validate,
            **given,
        )

    return make


def scripted(scores, seen):
    iterator = iter(scores)

    def validate(model):
        model.check()
        seen.append(model)
        return next(iterator)

    return validate


def tried(fit):
    return [(x["dimension"], x["iterations"], x["mrr"]) for x in fit.report["validation"]]


def test_stops_after_checks_without_better_ones(training, monkeypatch):
    monkeypatch.setattr(fits, "PATIENCE", 2)
    seen = []
    given = training(scripted([0.2, 0.5, 0.4, 0.5], seen))
    fit = fitting.fit(Jplsa(**OPTIONS), given)
    assert tried(fit) == [(3, 2, 0.2), (3, 4, 0.5), (3, 6, 0.4), (3, 8, 0.5)]
    assert fit.model is seen[1]
    assert fit.chosen == {"dimension": 3, "iterations": 4}
    assert [each["iterations"] for each in fit.report["history"]] == [2, 4]
    assert fit.report["warnings"] == []


def test_each_number_of_topics_has_its_own_patience(training, monkeypatch):
    monkeypatch.setattr(fits, "PATIENCE", 1)
    scores = [0.5, 0.4, *[0.1, 0.2, 0.3, 0.9, 0.8]]
    given = training(scripted(scores, []))
    fit = fitting.fit(Jplsa(**OPTIONS | {"dimensions": [4, 2]}), given)
    runs = [(2, 2), (2, 4), (4, 2), (4, 4), (4, 6), (4, 8), (4, 10)]
    assert [each[:2] for each in tried(fit)] == runs
    assert fit.chosen == {"dimension": 4, "iterations": 8}


def test_stops_at_the_last_iteration(training):
    given = training(scripted([0.1, 0.2, 0.3], []))
    fit = fitting.fit(Jplsa(**OPTIONS | {"max_iterations": 5}), given)
    assert [each[1] for each in tried(fit)] == [2, 4, 5]
    assert "the best iterations, 5, is at the edge of the grid" in fit.report["warnings"]


def test_checks_do_not_disturb_the_iterations(training, monkeypatch):
    tables = []
    for every in (1, 12):
        seen = []
        given = training(scripted(range(30), seen))
        monkeypatch.setattr(fits, "CHECK_EVERY", every)
        fitting.fit(Jplsa(**OPTIONS | {"max_iterations": 24}), given)
        tables.append(seen[-1].tables["da"])
    np.testing.assert_array_equal(*tables)


def nobody(model):
    raise LeftOutError("no validation query for da, en")


def test_without_queries_the_objective_says_when_to_stop(training, caplog):
    caplog.set_level(logging.INFO)
    fit = fitting.fit(Jplsa(**OPTIONS | {"max_iterations": 5000}), training(nobody))
    assert "no validation query for da, en; without any, the objective" in caplog.text
    assert "3 topics: iterations 2, objective -" in caplog.text
    found = [each["objective"] for each in fit.report["history"]]
    assert 20 < fit.chosen["iterations"] < 5000
    assert (np.diff(found) > -1e-6 * abs(found[-1])).all()
    assert found[-1] - found[-2] <= 2e-6 * abs(found[-1])
    assert "validation" not in fit.report
    with pytest.raises(LeftOutError, match="no validation query"):
        fitting.fit(Jplsa(**OPTIONS | {"dimensions": [2, 3]}), training(nobody))


def test_no_more_topics_than_words(training):
    # eleven strings are kept of twelve
    fit = fitting.fit(Jplsa(**OPTIONS | {"dimensions": [11]}), training(nobody))
    assert fit.chosen["dimension"] == 11
    many = scripted([0.5] * 6, [])
    fit = fitting.fit(Jplsa(**OPTIONS | {"dimensions": [3, 12, 40]}), training(many))
    warnings = ["12 topics were left out: only 11 words", "40 topics were left out: only 11 words"]
    assert fit.report["warnings"][:2] == warnings
    with pytest.raises(UserError, match="dimensions: 12, 40 topics, but there are only 11 words"):
        fitting.fit(Jplsa(**OPTIONS | {"dimensions": [40, 12]}), training())


@pytest.mark.parametrize("kind", [Jplsa, Cplsa])
def test_a_document_takes_one_iteration_from_theta0(training, kind, monkeypatch):
    kept = []
    real = fits.Runs._model

    def model(runs, topics):
        kept.append((runs.columns, topics.theta.copy(), topics.phi.copy()))
        return real(runs, topics)

    monkeypatch.setattr(fits.Runs, "_model", model)
    given = training(nobody)
    fit = fitting.fit(kind(**OPTIONS | {"max_iterations": 4}), given)
    columns, theta, phi = kept[-1]
    start = theta.mean(axis=0)
    fit.model.check()
    for language in WORDS:
        counts = given.counts[language][:5].toarray()
        expected = np.full((5, 3), 0.1)
        for i, w in zip(*np.nonzero(counts), strict=True):
            column = columns.numbers[language][w]
            if column >= 0:
                q = start * phi[column]
                expected[i] += counts[i, w] * q / q.sum()
        expected /= expected.sum(axis=1, keepdims=True)
        found = fit.model.embed(given.counts[language][:5], language)
        np.testing.assert_allclose(found, expected, rtol=2e-5)


def test_a_document_of_unknown_words_has_all_topics_alike(training):
    fit = fitting.fit(Jplsa(**OPTIONS), training(nobody))
    nothing = sparse.csr_matrix((2, 8))
    np.testing.assert_allclose(fit.model.embed(nothing, "da"), np.full((2, 3), 1 / 3), rtol=1e-6)


def test_parts_of_words_and_of_the_prior_add_up(training):
    given = training(nobody)
    fit = fitting.fit(Jplsa(**OPTIONS), given)
    document = given.counts["en"][3]
    columns, rows = fit.model.parts(document, "en")
    known = [x for x in document.indices if fit.model.weights["en"][x]]
    assert columns.tolist() == [*known, -1]
    np.testing.assert_allclose(rows.sum(axis=0), fit.model.embed(document, "en")[0], rtol=1e-6)


def test_the_report_says_what_coupling_leaves(training):
    options = OPTIONS | {"max_iterations": 6}
    loose, tight = (
        fitting.fit(Cplsa(**options, sigma=sigma), training(nobody)).report
        for sigma in (0.01, "exact")
    )
    assert json.loads(json.dumps(loose)) == loose
    assert loose["pairs"] == 20
    assert (loose["documents"], loose["columns"]) == (40, 11)
    last = loose["history"][-1]
    assert 0.1 < last["gap_mean"] < last["gap_max"] <= 2
    assert any("sigma: exact makes them equal" in each for each in loose["warnings"])
    assert tight["history"][-1]["gap_max"] <= 0.01
    assert tight["history"][-1]["coupling_steps"] >= 20
    assert tight["warnings"] == []
