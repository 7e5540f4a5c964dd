"""What the systems have in common that map words without a dictionary from several starts."""

import json

import numpy as np
import pytest

from cr5.base.options import complete
from cr5.systems import icp, vecmap_unsupervised, wasserstein

QUICK = {"starts": 2, "rounds": 2, "neighbours": 5}
SYSTEMS = {
    vecmap_unsupervised: QUICK | {"patience": 2, "growth": 4.0, "centre": False},
    wasserstein: QUICK | {"plan_steps": 8, "epochs": 1, "steps": 3, "batch": 150, "epsilon": 0.02},
    icp: QUICK | {"axes": 3, "trials": 20},
}
CENTRE = {vecmap_unsupervised: True, wasserstein: False, icp: False}


@pytest.fixture(params=SYSTEMS, ids=lambda system: system.__name__.rpartition(".")[2])
def system(request):
    return request.param


@pytest.fixture
def planted(training_of, rotated_copy):
    """Italian is English turned and shuffled: the words, and the order they came in."""

    def make(**given):
        Y, X, _ = rotated_copy(n=200, d=6, noise=0.01)
        order = np.random.default_rng(1).permutation(200)
        words = {"en": [f"e{i}" for i in range(200)], "it": [f"i{i}" for i in order]}
        return training_of(words, vectors={"en": Y, "it": X[order]}, **given), order

    return make


def test_recovers_a_rotation_and_reports_how_many_starts_did(system, planted):
    training, order = planted()
    fit = system.fit(training, SYSTEMS[system])
    english, italian = (fit.model.tables[x] for x in ("en", "it"))
    assert (italian * english[order]).sum(axis=1).min() > 0.95
    report = fit.report["pairs"]["it-en"]
    assert report["succeeded"] == len(report["starts"]) == 2
    assert report["criterion"] > 0.95
    assert json.loads(json.dumps(fit.report)) == fit.report


def test_both_directions_alone(system, planted):
    training, _ = planted()
    fit = system.fit(training, SYSTEMS[system] | {"directed": True, "starts": 1})
    assert set(fit.report["pairs"]) == {"it-en", "en-it"}


def test_needs_and_centring(system):
    assert system.NEEDS == ("vectors",)
    assert complete(system.OPTIONS, {})["centre"] == CENTRE[system]
