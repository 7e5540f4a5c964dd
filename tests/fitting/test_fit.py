from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse
from threadpoolctl import threadpool_info, threadpool_limits

from cr5.base.errors import UserError
from cr5.contracts.system import System
from cr5.contracts.training import Coverage, Fit, Validation
from cr5.fitting.choose import best
from cr5.fitting.fit import fit
from cr5.models.word_tables import WordTables

TABLE = np.ones((12, 2))


class Toy(System):
    """Returns what `make` makes of the training set."""

    make: Any

    def fit(self, training):
        return self.make(training)


def returns(value):
    return Toy(make=lambda training: value)


@pytest.mark.parametrize("keeps", [False, True])
def test_a_model_keeps_the_documents_that_trained_where_it_is_to(make_training_set, keeps):
    training = make_training_set()
    generator = np.random.default_rng(1)
    counts = {
        language: sparse.csr_matrix(generator.poisson(1, (5, 12)))
        for language in training.languages
    }
    table = generator.normal(size=TABLE.shape)
    system = returns(Fit(WordTables.of(training, dict.fromkeys(training.languages, table))))
    model = fit(system, replace(training, counts=counts), keeps_documents=keeps).model
    assert (model.bank is not None) == keeps
    for language in training.languages if keeps else ():
        expected = model.embed(counts[language], language)
        assert len(expected) == 5
        assert_allclose(model.bank[language]["dense"], expected, atol=1e-3)


def blas_threads():
    libraries = [library for library in threadpool_info() if library["user_api"] == "blas"]
    return {library["num_threads"] for library in libraries}


def test_a_system_has_one_blas_thread_whatever_its_caller_has(make_training_set):
    def made(training):
        assert blas_threads() == {1}
        return of_table(training)

    with threadpool_limits(2):
        fit(Toy(make=made), make_training_set())
        assert blas_threads() == {2}


def test_the_report_says_how_many_words_have_a_vector(make_training_set):
    coverage = {"da": Coverage("da", 12, 3, 0), "en": Coverage("en", 12, 12, 0)}
    training = make_training_set(coverage=coverage)
    fitted = replace(of_table(training), report={"warnings": ["of the system"]})
    report = fit(returns(fitted), training).report
    assert report["share_with_vector"] == {"da": 0.25, "en": 1}
    first, second = report["warnings"]
    assert first == "of the system"
    assert second.startswith("da: only 3 of 12 words")


def of_table(training, table=TABLE):
    """A fit with this table of English."""
    return Fit(WordTables.of(training, {"da": TABLE, "en": table}))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda _: None, "fit must return a Fit with a Model, returned NoneType$"),
        (lambda _: Fit({"da": TABLE}), "fit must return a Fit with a Model, returned Fit$"),
    ],
)
def test_a_system_returns_a_fit_with_a_model(make_training_set, make, message):
    with pytest.raises(UserError, match=rf"test_fit\.py: {message}"):
        fit(Toy(make=make), make_training_set())


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (np.ones((5, 2)), ".*'en'"),
        (1j * TABLE, "table of 'en': expected float numbers, found complex128"),
        (TABLE.astype(str), "table of 'en': expected float numbers, found <U"),
        ([[1.0]], "table of 'en': expected float numbers, found list"),
    ],
)
def test_a_table_is_checked_and_the_system_named(make_training_set, table, message):
    system = Toy(make=lambda training: of_table(training, table))
    with pytest.raises(UserError, match=rf"test_fit\.py: {message}"):
        fit(system, make_training_set())


@pytest.mark.parametrize("ranks", [[2], [2, 3]])
def test_a_table_too_large_for_float32_names_system_and_language(make_training_set, ranks):
    """With one model it is the check after the fit, with a grid that before the validation."""
    training = make_training_set(validate=lambda model: model.check())
    model = WordTables.of(training, {"da": TABLE, "en": 1e200 * TABLE})  # finite in float64
    fits = [Fit(model, chosen={"rank": rank}) for rank in ranks]
    system = Toy(make=lambda training: best(training, fits))
    with pytest.raises(UserError, match=r"test_fit\.py: the table of 'en': there are numbers that"):
        fit(system, training)


def reranked(training, weights):
    model = WordTables.of(training, dict.fromkeys(training.languages, TABLE))
    return fit(returns(Fit(model, {"rank": 2, "warnings": ["w"]})), training, weights)


def test_the_second_stage_that_validates_best_is_in_the_model(make_training_set):
    def validate(model):
        return Validation(1 - (model.rerank - 0.5) ** 2)

    training = make_training_set(validate=validate)
    fitted = reranked(training, [2, 1, 0.5, 0])
    assert fitted.model.rerank == 0.5
    assert fitted.report == {
        "rank": 2,
        "warnings": ["w"],
        "rerank": 0.5,
        "rerank_validation": [  # 2 is not tried: 1 is no better than 0.5
            {"rerank": 0.0, "mrr": 0.75},
            {"rerank": 0.5, "mrr": 1.0},
            {"rerank": 1.0, "mrr": 0.75},
        ],
    }
    assert fit(returns(fitted), training, [0, 1]).model.rerank == 0.5  # the system's own choice


@pytest.mark.parametrize(("weights", "expected"), [((), 0), ([0.0], 0), ([0.5], 0.5)])
def test_a_single_weight_is_not_validated(make_training_set, weights, expected):
    assert reranked(make_training_set(), weights).model.rerank == expected


def test_of_weights_that_score_the_same_the_least_is_taken(make_training_set):
    training = make_training_set(validate=lambda model: Validation(1.0))
    assert reranked(training, [0.5, 0]).model.rerank == 0


def test_a_second_stage_needs_word_vectors(make_training_set):
    training = make_training_set()
    tables = dict.fromkeys(training.languages, sparse.csr_matrix(TABLE))
    with pytest.raises(UserError, match=r"has no vectors of words .*`rerank`"):
        fit(returns(Fit(WordTables.of(training, tables))), training, [0, 1])
