from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import sparse
from threadpoolctl import threadpool_info, threadpool_limits

from cr5.base.errors import UserError
from cr5.base.parts import System
from cr5.fitting.choose import best
from cr5.fitting.contract import Fit
from cr5.fitting.fit import fit
from cr5.fitting.vectors import Coverage

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
    counts = {x: sparse.csr_matrix(generator.poisson(1, (5, 12))) for x in training.languages}
    table = generator.normal(size=TABLE.shape)
    system = returns(Fit(training.model(dict.fromkeys(training.languages, table))))
    model = fit(system, replace(training, counts=counts), keeps_documents=keeps).model
    assert (model.bank is not None) == keeps
    for language in training.languages if keeps else ():
        expected = model.embed(counts[language], language)
        assert len(expected) == 5
        np.testing.assert_allclose(model.bank[language]["dense"], expected, atol=1e-3)


def blas_threads():
    return {x["num_threads"] for x in threadpool_info() if x["user_api"] == "blas"}


def test_a_system_has_one_blas_thread_whatever_its_caller_has(make_training_set):
    def made(training):
        assert blas_threads() == {1}
        return of(training)

    with threadpool_limits(2):
        fit(Toy(make=made), make_training_set())
        assert blas_threads() == {2}


def test_the_report_says_how_many_words_have_a_vector(make_training_set):
    coverage = {"da": Coverage("da", 12, 3, 0), "en": Coverage("en", 12, 12, 0)}
    training = make_training_set(coverage=coverage)
    report = fit(Toy(make=lambda x: replace(of(x), report={"warnings": ["own"]})), training).report
    assert report["share_with_vector"] == {"da": 0.25, "en": 1}
    own, few = report["warnings"]
    assert own == "own" and few.startswith("da: only 3 of 12 words")


def of(training, en=TABLE, **changes):
    return Fit(replace(training.model({"da": TABLE, "en": en}), **changes))


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (lambda _: None, "fit must return a Fit with a Model, returned NoneType$"),
        (lambda _: Fit({"da": TABLE}), "fit must return a Fit with a Model, returned Fit$"),
        (lambda x: of(x, en=np.ones((5, 2))), ".*'en'"),
        (lambda x: of(x, en=1j * TABLE), "table of 'en': expected float numbers, found complex128"),
        (lambda x: of(x, en=TABLE.astype(str)), "table of 'en': expected float numbers, found <U"),
        (lambda x: of(x, en=[[1.0]]), "table of 'en': expected float numbers, found list"),
    ],
)
def test_what_a_system_returns_is_checked_and_the_system_named(make_training_set, made, said):
    with pytest.raises(UserError, match=rf"test_fit\.py: {said}"):
        fit(Toy(make=made), make_training_set())


@pytest.mark.parametrize("ranks", [[2], [2, 3]])
def test_a_table_too_large_for_float32_names_system_and_language(make_training_set, ranks):
    """With one model it is the check after the fit, with a grid that before the validation."""
    training = make_training_set(validate=lambda model: model.check())
    model = training.model({"da": TABLE, "en": 1e200 * TABLE})  # finite in float64
    made = Toy(make=lambda x: best(x, (Fit(model, chosen={"rank": rank}) for rank in ranks)))
    with pytest.raises(UserError, match=r"test_fit\.py: the table of 'en': there are numbers that"):
        fit(made, training)


def reranked(training, weights):
    tables = dict.fromkeys(training.languages, TABLE)
    return fit(
        returns(Fit(training.model(tables), {"rank": 2, "warnings": ["w"]})), training, weights
    )


def test_the_second_stage_that_validates_best_is_in_the_model(make_training_set):
    training = make_training_set(validate=lambda model: 1 - (model.rerank - 0.5) ** 2)
    found = reranked(training, [2, 1, 0.5, 0])  # 2 is not tried: 1 is no better than 0.5
    assert found.model.rerank == found.report["rerank"] == 0.5
    assert found.report["rank"] == 2
    assert found.report["warnings"] == ["w"]
    expected = [(0.0, 0.75), (0.5, 1.0), (1.0, 0.75)]
    assert [(x["rerank"], x["mrr"]) for x in found.report["rerank_validation"]] == expected
    assert fit(returns(found), training, [0, 1]).model.rerank == 0.5  # the system's own choice


def test_none_is_the_default_ties_go_to_it_and_one_weight_is_not_validated(make_training_set):
    for weights, expected in [((), 0), ([0.0], 0), ([0.5], 0.5)]:
        assert reranked(make_training_set(), weights).model.rerank == expected
    assert reranked(make_training_set(validate=lambda _: 1.0), [0.5, 0]).model.rerank == 0


def test_a_second_stage_needs_word_vectors(make_training_set):
    training = make_training_set()
    tables = dict.fromkeys(training.languages, sparse.csr_matrix(TABLE))
    with pytest.raises(UserError, match=r"has no vectors of words .*`rerank`"):
        fit(returns(Fit(training.model(tables))), training, [0, 1])
