"""A system of one's own takes few lines: embedding, validation and ranking come for free."""

from pathlib import Path

import numpy as np
import pytest

from cr5.base.modules import load_module
from cr5.fitting.fit import fit
from cr5.tasks import documents
from cr5.tasks.base import Data, rank_all

PATH = Path(__file__).parent / "example_system.py"


@pytest.fixture(scope="module")
def fitted(made_up, prepare):
    drawn, training = prepare(made_up)
    return drawn, training, fit(load_module(PATH, "fit"), training, {"module": str(PATH)})


def test_it_is_short():
    assert len(PATH.read_text(encoding="utf-8").splitlines()) < 60


def test_the_rank_that_validates_best_is_kept(fitted):
    _, training, found = fitted
    scores = {entry["rank"]: entry["mrr"] for entry in found.report["validation"]}
    assert list(scores) == [2, 8, 30]
    assert found.report["rank"] == max(scores, key=scores.get)
    assert training.validate(found.model) == max(scores.values())


def test_tables_are_the_singular_vectors_of_the_stacked_documents(fitted):
    _, training, found = fitted
    X = np.zeros((training.n_concepts, 180))
    for number, x in enumerate(training.languages):
        X[training.concepts[x], 60 * number : 60 * (number + 1)] = training.features[x].toarray()
    r = found.report["rank"]
    V = np.linalg.svd(X)[2][:r].T
    T = np.vstack([found.model.tables[x] for x in training.languages])
    # singular vectors are known up to their signs
    np.testing.assert_allclose(np.abs(np.sum(T * V, axis=0)), np.ones(r), atol=1e-4)


def test_it_beats_chance_in_every_direction(made_up, fitted):
    drawn, training, found = fitted
    searches = list(documents.searches(Data(made_up, drawn), training.languages, {}))
    assert len(searches) == 6
    for each in rank_all(searches, found.model, ["cosine"]):
        n = each.queries["n_candidates"].iloc[0]
        chance = np.mean(1 / np.arange(1, n + 1))
        assert (1 / each.answers["rank"]).mean() > 3 * chance
