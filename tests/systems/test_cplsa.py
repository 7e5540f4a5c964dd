import json

import pytest
from cr5.plan.options import with_defaults

from cr5.fitting import fit as fitting
from cr5.systems import cplsa

OPTIONS = {"dimensions": [10], "skip_words": 0, "max_iterations": 60, "sigma": "exact"}


@pytest.mark.parametrize("sigma", ["exact", 25, 0.5])
def test_sigma_is_a_word_or_a_number(sigma):
    given = with_defaults("systems", {"mine": {"module": "cplsa", "sigma": sigma}})
    assert given["mine"]["sigma"] == sigma


def test_the_sigma_of_the_paper_is_one(planted):
    training = planted(n=60).training
    options = OPTIONS | {"max_iterations": 4}
    fits = [fitting.fit(cplsa, training, options | {"sigma": sigma}) for sigma in ("paper", 1)]
    assert json.dumps(fits[0].report) == json.dumps(fits[1].report)
