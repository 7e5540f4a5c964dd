"""Measures by their names: when numbers tie, and what texts score that share nothing."""

import numpy as np
import pytest

from cr5.base.errors import UserError
from cr5.search.corrections import TIE
from cr5.search.kernels import pairwise
from cr5.search.measures import MEASURES, measure_named

APART = np.eye(2, dtype=np.float32)  # two texts that share nothing
FIRST = np.array([0])
SECOND = np.array([1])


@pytest.mark.parametrize("name", MEASURES)
def test_a_measure_has_its_name(name):
    assert measure_named(name).name == name


def test_an_unknown_measure_is_refused_with_those_that_there_are():
    with pytest.raises(UserError, match=r"'cosinus' is not a measure.*cosine, csls"):
        measure_named("cosinus")


@pytest.mark.parametrize("name", MEASURES)
def test_texts_that_share_nothing_score_as_the_kernel_has_it(name):
    measure = MEASURES[name]
    similarity = pairwise(APART, FIRST, APART, SECOND, measure.kernel)
    assert measure.of_nothing == pytest.approx(similarity.item())


@pytest.mark.parametrize(
    ("name", "tie"),
    [
        ("cosine", TIE),
        ("l1", TIE),
        ("csls", TIE / 2),  # whose scores have the kernel twice
        ("dot", TIE * 3 * 5),  # of the longest rows
    ],
)
def test_ties_by_hand(name, tie):
    queries = np.array([[1, 0], [0, 3]], np.float32)
    candidates = np.array([[3, 4], [1, 0]], np.float32)
    assert MEASURES[name].tie(queries, candidates) == pytest.approx(tie)


def test_products_that_float32_cannot_hold_are_refused():
    rows = np.full((2, 2), 1e20, np.float32)
    with pytest.raises(UserError, match="more than float32 can hold"):
        MEASURES["dot"].tie(rows, rows)
