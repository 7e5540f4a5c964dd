"""The weight of the second stage is chosen like a hyperparameter, for any system."""

from dataclasses import dataclass, field

import numpy as np
import pytest
from scipy import sparse

from cr5.base.errors import UserError
from cr5.fitting.contract import Fit
from cr5.fitting.fit import fit
from cr5.models.contract import Model
from tests.fitting.toy import Toy

TABLE = np.ones((12, 2))


def returns(fitted):
    return Toy(make=lambda _: fitted)


def of(training, rerank=()):
    tables = dict.fromkeys(training.languages, TABLE)
    fitted = Fit(training.model(tables), {"rank": 2, "warnings": ["w"]})
    return fit(returns(fitted), training, rerank)


def test_the_weight_that_validates_best_is_in_the_model(make_training_set):
    training = make_training_set(validate=lambda model: 1 - (model.rerank - 0.5) ** 2)
    found = of(training, rerank=[2, 1, 0.5, 0])  # 2 is not tried: 1 is no better than 0.5
    assert found.model.rerank == found.report["rerank"] == 0.5
    assert found.report["rank"] == 2 and found.report["warnings"] == ["w"]
    expected = [(0.0, 0.75), (0.5, 1.0), (1.0, 0.75)]
    assert [(x["rerank"], x["mrr"]) for x in found.report["rerank_validation"]] == expected


@pytest.mark.parametrize("rerank", [(), [0.0]])
def test_none_is_the_default_and_is_not_validated(make_training_set, rerank):
    found = of(make_training_set(), rerank)
    assert found.model.rerank == 0 and "rerank" not in found.report


def test_ties_go_to_no_second_stage_and_one_weight_is_not_validated(make_training_set):
    assert of(make_training_set(validate=lambda _: 1.0), rerank=[0.5, 0]).model.rerank == 0
    assert of(make_training_set(), rerank=[0.5]).model.rerank == 0.5


@dataclass(frozen=True)
class Other(Model):
    """A model that reads texts."""

    words: dict = field(default_factory=dict)
    measures: tuple = ("cosine",)

    def embed(self, counts, language, target_language=None):
        raise NotImplementedError

    def check(self):
        pass


def test_models_without_word_vectors_are_refused(make_training_set):
    training = make_training_set()
    with pytest.raises(UserError, match=r"toy.py: .* Other has no vectors of words .*`rerank`"):
        fit(returns(Fit(Other(training.words))), training, [0, 1])
    tables = dict.fromkeys(training.languages, sparse.csr_matrix(TABLE))
    with pytest.raises(UserError, match="no vectors of words"):
        fit(returns(Fit(training.model(tables))), training, [0, 1])


class Matching(Other):
    """Has vectors of words, but no field for the weight."""

    def matched(self, counts, language):
        return None
