import math

import pytest

from cr5.fitting.criteria import MRR, Score
from cr5.fitting.tried import Tried


def test_what_was_tried_stands_in_order_with_its_score():
    tried = Tried(MRR)
    tried.add({"x": 1}, Score(0.5, {"da": {"en": 0.25}, "en": {"da": 0.75}}))
    tried.add({"x": 2}, Score(0.5, {"da": {"en": 0.5}, "en": {"da": 0.5}}))
    assert tried.entries == [{"x": 1, "mrr": 0.5}, {"x": 2, "mrr": 0.5}]
    assert tried.by_pair == {"da": {"en": [0.25, 0.5]}, "en": {"da": [0.75, 0.5]}}
    assert tried.are_alike


@pytest.mark.parametrize("score", [math.nan, math.inf])
def test_what_is_no_number_is_no_score(score):
    tried = Tried(MRR)
    tried.add({"x": 1}, 0.5)
    tried.add({"x": 2}, score)
    assert tried.entries[1] == {"x": 2, "mrr": None}
    assert tried.score(0) == 0.5
    assert math.isnan(tried.score(1))
    assert not tried.are_alike
