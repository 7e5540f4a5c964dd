import itertools
import json

import numpy as np
import pytest

from cr5.base.errors import LeftOutError
from cr5.plan.mistakes import MistakesError
from cr5.plan.options import with_defaults
from cr5.systems import cplsa
from cr5.tasks import documents
from cr5.tasks.base import Data, rank_all

OPTIONS = {"dimensions": [10], "skip_words": 0, "max_iterations": 60, "sigma": "exact"}


@pytest.fixture(scope="module")
def fitted(made_up, prepare):
    """Of Danish and English in both orders, and with more threads."""
    found = []
    for languages, threads in itertools.product((("da", "en"), ("en", "da")), (1, 2)):
        bags = {x: made_up[x] for x in languages}
        drawn, training = prepare(bags, with_counts=True, threads=threads)
        found.append((bags, drawn, cplsa.fit(training, OPTIONS)))
    return found


def test_what_is_planted_is_found(fitted):
    bags, drawn, fit = fitted[0]
    for each in rank_all(documents.searches(Data(bags, drawn), [*bags], {}), fit.model):
        assert (1 / each.answers["rank"]).mean() > 0.25
    last = fit.report["history"][-1]
    assert last["gap_max"] <= 0.01


def test_no_order_of_languages_and_no_thread_changes_a_byte(fitted):
    first = fitted[0][-1]
    for *_, fit in fitted[1:]:
        assert json.dumps(fit.report) == json.dumps(first.report)
        for language, table in first.model.tables.items():
            np.testing.assert_array_equal(fit.model.tables[language], table)


def test_three_languages_are_left_out(made_up, prepare):
    _, training = prepare(made_up, with_counts=True)
    with pytest.raises(LeftOutError, match="couples the topics of two languages"):
        cplsa.fit(training, OPTIONS)


@pytest.mark.parametrize("sigma", ["exact", 25, 0.5])
def test_sigma_is_a_word_or_a_number(sigma):
    given = with_defaults("systems", {"mine": {"module": "cplsa", "sigma": sigma}})
    assert given["mine"]["sigma"] == sigma


@pytest.mark.parametrize("sigma", ["large", 0, True])
def test_no_other_sigma_is_taken(sigma):
    with pytest.raises(MistakesError, match=r"systems.cplsa.sigma: expected"):
        with_defaults("systems", {"cplsa": {"sigma": sigma}})


def test_the_sigma_of_the_paper_is_one(made_up, prepare):
    _, training = prepare({x: made_up[x] for x in ("da", "en")}, with_counts=True)
    options = OPTIONS | {"max_iterations": 4}
    fits = [cplsa.fit(training, options | {"sigma": sigma}) for sigma in ("paper", 1)]
    assert json.dumps(fits[0].report) == json.dumps(fits[1].report)
