import json

import pytest

from cr5.base.errors import LeftOutError
from cr5.fitting import fit as fitting
from cr5.plan.options import with_defaults
from cr5.systems import cplsa
from cr5.tasks import documents
from cr5.tasks.base import Data
from cr5.tasks.ranking import rank_all

OPTIONS = {"dimensions": [10], "skip_words": 0, "max_iterations": 60, "sigma": "exact"}


def test_what_is_planted_is_found(made_up, prepare):
    bags = {x: made_up[x] for x in ("da", "en")}
    drawn, training = prepare(bags, with_counts=True)
    found = fitting.fit(cplsa, training, OPTIONS)
    for each in rank_all(documents.searches(Data(bags, drawn), [*bags], {}), found.model):
        assert (1 / each.answers["rank"]).mean() > 0.25
    assert found.report["history"][-1]["gap_max"] <= 0.01


def test_three_languages_are_left_out(made_up, prepare):
    _, training = prepare(made_up, with_counts=True)
    with pytest.raises(LeftOutError, match="couples the topics of two languages"):
        fitting.fit(cplsa, training, OPTIONS)


@pytest.mark.parametrize("sigma", ["exact", 25, 0.5])
def test_sigma_is_a_word_or_a_number(sigma):
    given = with_defaults("systems", {"mine": {"module": "cplsa", "sigma": sigma}})
    assert given["mine"]["sigma"] == sigma


def test_the_sigma_of_the_paper_is_one(made_up, prepare):
    _, training = prepare({x: made_up[x] for x in ("da", "en")}, with_counts=True)
    options = OPTIONS | {"max_iterations": 4}
    fits = [fitting.fit(cplsa, training, options | {"sigma": sigma}) for sigma in ("paper", 1)]
    assert json.dumps(fits[0].report) == json.dumps(fits[1].report)
