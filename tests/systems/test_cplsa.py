import json

import pytest

from cr5.fitting import fit as fitting
from cr5.systems.cplsa import Cplsa


@pytest.mark.parametrize("sigma", ["exact", 25, 0.5])
def test_sigma_is_a_word_or_a_number(sigma):
    assert Cplsa(sigma=sigma).sigma == sigma


def test_the_sigma_of_the_paper_is_one(planted):
    training = planted(n=60).training
    options = {"dimensions": [10], "skip_words": 0, "max_iterations": 4}
    fits = [fitting.fit(Cplsa(**options, sigma=sigma), training) for sigma in ("paper", 1)]
    assert json.dumps(fits[0].report) == json.dumps(fits[1].report)
