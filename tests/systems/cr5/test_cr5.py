import weakref
from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse

from cr5.base.errors import UserError
from cr5.fitting import fit as fitting
from cr5.systems.cr5.models import Cr5


@pytest.fixture
def training(training_of):
    """Two languages that say the same with different words, 40 documents of 60 words."""

    def make(validate=pytest.fail, n=40, **given):
        generator = np.random.default_rng(2)
        X = sparse.random_array((n, 60), density=0.2, rng=generator) + sparse.eye_array(n, 60)
        X = sparse.csr_matrix(X)
        other = X[:, generator.permutation(60)]
        return training_of(
            {language: [f"{language}{i}" for i in range(60)] for language in ("en", "it")},
            features={"en": X, "it": other},
            concepts={"en": np.arange(n), "it": np.arange(n)},
            n_concepts=n,
            validate=validate,
            **given,
        )

    return make


def scripted(scores, seen):
    """A validation that gives the scores in turn and keeps the models that it was shown."""
    iterator = iter(scores)

    def validate(model):
        seen.append(model)
        return next(iterator)

    return validate


def test_a_language_without_documents_is_named_by_its_code(training):
    given = training()
    features, concepts = dict(given.features), dict(given.concepts)
    features["it"], concepts["it"] = features["it"][:0], concepts["it"][:0]
    with pytest.raises(UserError, match="Cr5, language it: 0 training documents"):
        fitting.fit(Cr5(), replace(given, features=features, concepts=concepts))


def test_goes_on_where_the_best_ridge_is_at_the_edge(training):
    given = training(scripted([0.2, 0.3, 0.4, 0.5, 0.3], []), extend=4)
    report = fitting.fit(Cr5(rank=4, ridges=[3.0, 1.0, 0.5]), given).report
    assert [entry["ridge"] for entry in report["validation"]] == [3.0, 1.0, 0.5, 0.25, 0.125]
    assert report["ridge"] == 0.25
    assert report["warnings"] == []


def test_no_more_than_two_models_are_held(training):
    """Each is large: the best so far, and the one that is validated."""
    made = []

    def validate(model):
        made.append(weakref.ref(model))
        assert sum(each() is not None for each in made) <= 2
        return -float(len(made))  # the first one is the best

    fitting.fit(Cr5(rank=4, ranks=[2], ridges=[0.1, 0.5, 1]), training(validate))
    assert len(made) == 6


def test_warns_of_a_reduced_rank(training):
    report = fitting.fit(Cr5(rank=50, ridges=[0.5]), training()).report
    assert report["rank"] == 39  # 40 concepts, centred
    assert report["warnings"] == ["rank 50 reduced to 39: the data have no more"]


@pytest.fixture
def few_words(training_of):
    """Ten words of each language in 30 documents, in nearly the same numbers."""

    def make(validate=pytest.fail):
        generator = np.random.default_rng(4)
        X = generator.random((30, 10)) * (generator.random((30, 10)) < 0.5) + np.eye(30, 10)
        other = X * generator.uniform(0.8, 1.2, X.shape)
        return training_of(
            {x: [f"{x}{i}" for i in range(10)] for x in ("en", "it")},
            features={"en": sparse.csr_matrix(X), "it": sparse.csr_matrix(other)},
            concepts=dict.fromkeys(("en", "it"), np.arange(30)),
            n_concepts=30,
            validate=validate,
        )

    return make


def test_ranks_below_the_smallest_vocabulary_are_validated(few_words):
    seen = []
    given = replace(few_words(), validate=scripted([0.1, 0.9, 0.8, 0.1, 0.9, 0.9], seen))
    report = fitting.fit(Cr5(ridges=[0.1, 1.0]), given).report
    # 10 words of each language; their number less one, and half of it
    assert [x["rank"] for x in report["validation"]] == [20, 9, 4] * 2
    # as many orthonormal columns as rows: so are the rows, of which languages share nothing
    tables = seen[0].tables
    np.testing.assert_allclose(tables["en"] @ tables["it"].T, np.zeros((10, 10)), atol=1e-6)
    assert (report["rank"], report["ridge"]) == (9, 1.0)
    given = replace(given, validate=lambda model: 0.5)
    report = fitting.fit(Cr5(ridges=[0.1, 1.0], rank=9), given).report  # out of their reach
    assert [x["ridge"] for x in report["validation"]] == [1, 0.1]
