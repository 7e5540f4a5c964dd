import json
import math

import numpy as np
import pytest

from cr5.fitting.criteria import CRITERIA, Score, at_chance

RANKS = np.array([1, 2, 4, 1])


@pytest.mark.parametrize(
    ("name", "expected"), [("mrr", 2.75 / 4), ("p@1", 0.5), ("authors", 4 / 2.75)]
)
def test_figures_by_hand(name, expected):
    assert CRITERIA[name].of_ranks(RANKS) == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("name", CRITERIA)
def test_better_ranks_are_better_and_nan_never_is(name):
    criterion = CRITERIA[name]
    better, worse = (criterion.of_ranks(np.array(ranks)) for ranks in ([1, 1, 3], [1, 2, 3]))
    assert criterion.is_better(better, worse)
    assert not criterion.is_better(worse, better)
    assert not criterion.is_better(better, better)
    assert not criterion.is_better(math.nan, worse)


def test_a_score_is_a_number_that_knows_its_pairs():
    score = Score(0.5, {"da": {"en": 0.5}})
    assert score == 0.5
    assert json.dumps({"mrr": score}) == '{"mrr": 0.5}'
    assert score.by_pair["da"]["en"] == 0.5


@pytest.mark.parametrize(
    ("name", "score", "chance", "is_told"),
    [
        ("mrr", 0.6, 0.5, False),
        ("mrr", 0.5, 0.5, True),
        ("mrr", math.nan, 0.5, True),
        ("mrr", 0.1, math.nan, False),  # not known
        ("authors", 1.5, 2.0, False),  # smaller is better
        ("authors", 2.0, 2.0, True),
    ],
)
def test_a_score_at_chance_is_told(name, score, chance, is_told):
    said = at_chance(Score(score, {}, chance), CRITERIA[name])
    assert bool(said) == is_told
    assert all("this fit found NOTHING" in x and f"{chance:.4f}" in x for x in said)
