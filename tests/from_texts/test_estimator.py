"""The transformer behaves as scikit-learn's users expect.

X are texts, so `check_estimator` gives it no data: those of its checks that need none are run here
one by one, and what the others would show of texts is shown below.
"""

import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.utils import estimator_checks

import cr5
from cr5.base.errors import UserError
from tests.kit.corpus import Corpus

OPTIONS = {"rank": 10, "ridges": [0.1], "validation": {"extend": 0}}
WITHOUT_DATA = (
    "check_estimator_cloneable",
    "check_valid_tag_types",
    "check_estimator_repr",
    "check_no_attributes_set_in_init",
    "check_parameters_default_constructible",
    "check_get_params_invariance",
    "check_set_params",
    "check_do_not_raise_errors_in_init_or_set_params",
    "check_mixin_order",
)


@pytest.fixture(scope="module")
def X():  # noqa: N802
    return [(x, *each) for x in ("da", "en") for each in Corpus().documents[x].items()]


@pytest.fixture(scope="module")
def fitted(X):
    return cr5.CrosslingualEmbedding(options=OPTIONS).fit(X)


@pytest.mark.parametrize("name", WITHOUT_DATA)
def test_checks_of_scikit_learn_that_need_no_data(name):
    estimator = cr5.CrosslingualEmbedding()
    getattr(estimator_checks, name)("CrosslingualEmbedding", estimator)


def test_check_estimator_itself_knows_that_it_has_no_data_for_it():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", estimator_checks.SkipTestWarning)
        found = estimator_checks.check_estimator(cr5.CrosslingualEmbedding())
    assert {each["status"] for each in found} <= {"passed"}


def test_it_embeds_as_the_model_does(fitted, X):
    model = cr5.fit(X, "cr5", **OPTIONS)
    some = [("en", X[300][2]), ("da", X[0][2]), ("en", X[301][2])]
    rows = fitted.transform(some)
    for row, (language, text) in zip(rows, some, strict=True):
        np.testing.assert_array_equal(row, model.embed(text, language)[0])
    np.testing.assert_array_equal(rows, fitted.transform(np.array(some, object)))
    frame = pd.DataFrame(some, columns=["language", "text"])
    np.testing.assert_array_equal(rows, fitted.transform(frame))


def test_fit_changes_no_parameter_and_repeats_itself(fitted, X):
    again = clone(fitted)
    assert not hasattr(again, "model_")
    with pytest.raises(NotFittedError):
        again.transform(X[:1])
    before = {**OPTIONS}
    assert again.fit(X, y=np.arange(len(X))) is again
    assert again.get_params() == {"system": "cr5", "options": before}
    every = [fitted.transform(X), again.transform(X), fitted.fit(X).transform(X)]
    assert every[0].tobytes() == every[1].tobytes() == every[2].tobytes()


def test_rows_do_not_depend_on_others(fitted, X):
    rows = fitted.transform(X[200:260])
    single = np.vstack([fitted.transform([row]) for row in X[200:260]])
    np.testing.assert_allclose(single, rows, atol=1e-6)
    np.testing.assert_array_equal(fitted.transform(X[200:260][::-1]), rows[::-1])
    assert not fitted.transform([("da", "nothing")]).any()


def test_in_a_pipeline_with_names_of_features(fitted, X):
    topic = [int(concept[1:]) % 2 for _, concept, _ in X]
    pipeline = make_pipeline(clone(fitted), LogisticRegression())
    assert pipeline.fit(X, topic).predict(X).shape == (len(X),)
    frame = clone(fitted).set_output(transform="pandas").fit_transform(X)
    assert list(frame.columns) == [f"crosslingualembedding{i}" for i in range(10)]


def test_sparse_and_both(X):
    plain = cr5.CrosslingualEmbedding("lexical_overlap").fit(X).transform(X[:5])
    options = {"ranks": [5], "ridges": [0.1], "string_weights": [1]}
    both = cr5.CrosslingualEmbedding("cr5_spelling", options).fit(X).transform(X[:5])
    for found in (plain, both):
        assert sparse.issparse(found)
        np.testing.assert_allclose(sparse.linalg.norm(found, axis=1), np.ones(5), atol=1e-6)


def test_what_cannot_be_embedded(fitted):
    with pytest.raises(UserError, match="does not know the language 'it'"):
        fitted.transform([("it", "a text")])
    with pytest.raises(UserError, match="X, row 2: "):
        fitted.transform([("da", "a text"), ("en", None)])
