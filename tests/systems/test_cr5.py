import json
from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse

from cr5.fitting.contract import TrainingSet
from cr5.systems import cr5


def training_set(validate):
    """Two languages that say the same with different words, 40 documents of 60 words."""
    generator = np.random.default_rng(2)
    X = sparse.random_array((40, 60), density=0.2, rng=generator) + sparse.eye_array(40, 60)
    X = sparse.csr_matrix(X)
    other = X[:, generator.permutation(60)]
    return TrainingSet(
        languages=("it", "en"),
        words={language: [f"{language}{i}" for i in range(60)] for language in ("en", "it")},
        features={"en": X, "it": other},
        concepts={"en": np.arange(40), "it": np.arange(40)},
        n_concepts=40,
        vectors=None,
        frequencies={"en": np.ones(60), "it": np.ones(60)},
        validate=validate,
        seed=1,
    )


def scripted(scores, seen):
    """A validation that gives the scores in turn and keeps the tables that it was shown."""
    iterator = iter(scores)

    def validate(tables):
        seen.append(tables)
        return next(iterator)

    return validate


def test_keeps_the_ridge_that_validates_best():
    seen = []
    training = training_set(scripted([0.2, 0.9, 0.4], seen))
    fit = cr5.fit(training, {"rank": 8, "ridges": [0.1, 1.0, 3.0]})
    assert fit.report["validation"] == [
        {"ridge": 3.0, "mrr": 0.2},
        {"ridge": 1.0, "mrr": 0.9},
        {"ridge": 0.1, "mrr": 0.4},
    ]
    assert fit.report["ridge"] == 1.0
    assert fit.report["warnings"] == []
    for language in training.languages:
        np.testing.assert_array_equal(fit.tables[language], seen[1][language])


def test_ties_go_to_the_larger_ridge():
    training = training_set(scripted([0.5, 0.5, 0.5], []))
    assert cr5.fit(training, {"rank": 4, "ridges": [1.0, 0.1, 3.0]}).report["ridge"] == 3.0


def test_one_ridge_needs_no_validation():
    fit = cr5.fit(training_set(pytest.fail), {"rank": 8, "ridges": [0.5]})
    assert fit.report["validation"] == []
    assert fit.report["ridge"] == 0.5


def test_tables_belong_to_their_language_and_find_the_counterpart():
    training = training_set(pytest.fail)
    fit = cr5.fit(training, {"rank": 20, "ridges": [0.1]})
    embedded = {}
    for language in training.languages:
        assert fit.tables[language].shape == (60, 20)
        assert fit.tables[language].dtype == np.float32
        rows = training.features[language] @ fit.tables[language]
        embedded[language] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    cosines = embedded["en"] @ embedded["it"].T
    # The two languages are the same up to the order of words, so are the embeddings.
    np.testing.assert_allclose(np.diag(cosines), np.ones(40), atol=1e-5)
    np.testing.assert_array_equal(cosines.argmax(axis=1), np.arange(40))


@pytest.mark.parametrize("solver", ["dense", "iterative"])
def test_report_is_plain_json(solver):
    options = {"rank": 8, "ridges": [0.5], "solver": solver, "tolerance": 1e-4}
    report = cr5.fit(training_set(pytest.fail), options).report
    assert json.loads(json.dumps(report)) == report
    assert report["solver"] == solver
    assert report["rank"] == len(report["eigenvalues"]) == 8
    assert report["converged"] is True
    assert 0 <= report["residual_max"] <= 1e-4
    assert report["memory_estimate_mib"] >= 0


def test_warns_of_a_reduced_rank():
    report = cr5.fit(training_set(pytest.fail), {"rank": 50, "ridges": [0.5]}).report
    assert report["rank"] == 39  # 40 concepts, centred
    assert report["warnings"] == ["rank 50 reduced to 39: the data have no more"]


def test_warns_of_a_ridge_at_the_edge_of_the_grid():
    training = training_set(scripted([0.1, 0.2], []))
    report = cr5.fit(training, {"rank": 8, "ridges": [2.0, 0.5]}).report
    assert report["warnings"] == ["the best ridge, 0.5, is at the edge of the grid"]


def test_warns_of_a_fit_that_has_not_converged():
    options = {"rank": 8, "ridges": [0.01], "solver": "iterative", "max_iterations": 1}
    options["tolerance"] = 1e-8
    report = cr5.fit(training_set(pytest.fail), options).report
    assert report["converged"] is False
    assert "NOT CONVERGED" in report["warnings"][0]


def test_threads_are_those_of_the_training_set_and_change_no_byte():
    options = {"rank": 3, "ridges": [1.0], "solver": "iterative", "tolerance": 1e-8}
    one, two = (
        cr5.fit(replace(training_set(pytest.fail), threads=threads), options) for threads in (1, 2)
    )
    for language, table in one.tables.items():
        assert table.tobytes() == two.tables[language].tobytes()
