from typing import get_args

import numpy as np
import pytest
from scipy import sparse

from cr5.base.errors import UserError
from cr5.search.corrections import Space, csls
from cr5.search.measures import MEASURES, TIE, measure
from cr5.search.options import Name


def test_by_name():
    assert [measure(name).name for name in MEASURES] == [
        "cosine",
        "csls",
        "inverted_softmax",
        "globally_corrected",
        "dot",
        "l1",
        "jensen_shannon",
    ]


def test_an_unknown_measure_is_named_with_those_there_are():
    with pytest.raises(UserError, match="'cosinus' is not a measure; there are cosine, csls, inv"):
        measure("cosinus")


@pytest.mark.parametrize("n_queries", [2, 3])
def test_penalty_and_score_make_csls_by_hand(n_queries):
    """2 cos(x, y) - r(x) - r(y), with two neighbours; of three, these are all queries."""
    candidates = np.array([[1, 0], [0.6, 0.8]], np.float32)
    neighbours = np.array([[1, 0], [0, 1], [-1, 0]], np.float32)
    queries = neighbours if n_queries == 3 else neighbours[:2]
    correction = csls(Space(queries, candidates, neighbours, 2, 30.0, 1))
    assert bool(correction.see) == (n_queries == 3)
    cosines = queries @ candidates.T
    if correction.see:
        correction.see([cosines[:1], cosines[1:]], 0)
    block = correction.of_block(cosines, 0)
    penalties = -correction.of_pairs(np.zeros(3), np.array([1, 0, 1]))[1:]
    np.testing.assert_allclose(block, cosines - penalties, rtol=1e-6, atol=1e-7)
    np.testing.assert_allclose(penalties, [(1 + 0) / 2 / 2, (0.8 + 0.6) / 2 / 2], rtol=1e-6)
    # x = (0, 1): cosines 0 and 0.8, r(x) = 0.4
    order = np.array([0, 0.8]) - penalties
    expected = [0 - 0.4 - 0.5, 2 * 0.8 - 0.4 - 0.7]
    np.testing.assert_allclose(measure("csls").score(order, 0.4), expected, rtol=1e-6)


@pytest.mark.parametrize("name", [name for name in MEASURES if name != "csls"])
def test_of_other_measures_the_order_is_the_score(name):
    order = np.array([0.3, -0.2])
    np.testing.assert_array_equal(measure(name).score(order, np.array([9.0, 9.0])), order)


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_matrix])
def test_ties_of_products_grow_with_the_rows(kind):
    queries = kind(np.array([[3, 4], [1, 0]], np.float32))
    candidates = kind(np.array([[0, 2], [0, 0]], np.float32))
    assert measure("dot").tie(queries, candidates) == pytest.approx(TIE * 5 * 2)
    assert measure("cosine").tie(queries, candidates) == TIE
    assert measure("csls").tie(queries, candidates) == TIE / 2


def test_products_that_float32_cannot_hold():
    rows = np.full((2, 2), 1e20, np.float32)
    with pytest.raises(UserError, match=r"dot: products of rows reach 2e.40, more than float32"):
        measure("dot").tie(rows, rows)


def test_every_measure_can_be_configured():
    assert get_args(Name) == tuple(MEASURES)


def test_corrections_of_cosines_fit_every_model_that_is_compared_by_cosine():
    fitting = {name for name in MEASURES if measure(name).fits(("cosine",))}
    assert fitting == {"cosine", "inverted_softmax", "globally_corrected"}
    assert not measure("inverted_softmax").fits(("dot", "csls"))
