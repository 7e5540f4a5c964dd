from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse

from cr5.base.errors import UserError
from cr5.fitting import fit as fitting
from cr5.systems.cr5.models import Cr5


@pytest.fixture
def training(training_of):
    """Documents of two languages that say the same with different words, in similar numbers."""

    def make(validate=pytest.fail, shape=(40, 60), **given):
        generator = np.random.default_rng(4)
        X = generator.random(shape) * (generator.random(shape) < 0.5) + np.eye(*shape)
        rows = {"en": X, "it": X * generator.uniform(0.8, 1.2, shape)}
        return training_of(
            {x: [f"{x}{i}" for i in range(shape[1])] for x in rows},
            features={x: sparse.csr_matrix(each) for x, each in rows.items()},
            concepts=dict.fromkeys(rows, np.arange(len(X))),
            n_concepts=len(X),
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


def test_warns_of_a_reduced_rank(training):
    report = fitting.fit(Cr5(rank=50, ridges=[0.5]), training()).report
    assert report["rank"] == 39  # 40 concepts, centred
    assert report["warnings"] == ["rank 50 reduced to 39: the data have no more"]


def test_ranks_below_the_smallest_vocabulary_are_validated(training):
    seen = []
    given = training(scripted([0.1, 0.9, 0.8, 0.1, 0.9, 0.9], seen), (30, 10))
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
