from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from cr5.base.errors import UserError
from cr5.base.rows import normalised, unit_rows
from cr5.search import corrections, similarity
from cr5.search.measures import MEASURES
from cr5.search.ranking import Found, rankings
from tests.search.slow_ranking import (
    KINDS,
    chosen,
    coarse,
    compare,
    graded,
    nothing,
    one_each,
    rows,
)

L2, L1 = ("cosine", "csls", "inverted_softmax", "globally_corrected", "dot"), ("l1", "dot")
SINGLE = [(name,) for name in L2] + [("l1",), ("jensen_shannon",)]


def norm_of(names):
    return "l1" if {"l1", "jensen_shannon"} & {*names} else "l2"


@pytest.mark.parametrize("names", [*SINGLE, L2, L2[::-1], ("csls", "dot"), L1, L1[::-1]])
@pytest.mark.parametrize("relevance", [one_each, graded, nothing])
@pytest.mark.parametrize(
    ("depth", "run_depth"), [(None, 100), (None, 1), (1, 5), (3, 1), (3, 5), (100, 5)]
)
def test_equals_a_slow_twin(names, relevance, depth, run_depth):
    norm = norm_of(names)
    given = rows(12, 5, 0, norm), rows(40, 5, 1, norm), rows(25, 5, 2, norm)
    Q, C, N = map(abs, given) if names == ("jensen_shannon",) else given  # which is of shares
    compare(Q, C, N, relevance(12, 40, 3), names, depth=depth, run_depth=run_depth)


def test_every_measure_is_compared_with_it():
    assert {name for names in SINGLE for name in names} == set(MEASURES)


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("cosine", {"correction": "csls"}),
        ("csls", {"correction": "globally_corrected"}),
        ("inverted_softmax", {"correction": ""}),
        ("globally_corrected", {"correction": "inverted_softmax"}),
        ("dot", {"kernel": "l1"}),
        ("l1", {"kernel": "product"}),
    ],
)
def test_a_broken_measure_does_not(monkeypatch, name, fault):
    monkeypatch.setitem(MEASURES, name, replace(MEASURES[name], **fault))
    norm = norm_of([name])
    Q, C, N = rows(12, 5, 0, norm), rows(40, 5, 1, norm), rows(25, 5, 2, norm)
    with pytest.raises(AssertionError):
        compare(Q, C, N, graded(12, 40, 3), [name])


# without jensen_shannon: it is of shares, and of rows in one part
@pytest.mark.parametrize("names", [*SINGLE[:-1], L2, L1])
@pytest.mark.parametrize("relevance", [one_each, graded])
@pytest.mark.parametrize("depth", [None, 1, 3, 100])
@pytest.mark.parametrize("kind", KINDS)
def test_ties_of_equal_rows_and_different_grades(names, relevance, depth, kind):
    norm = norm_of(names)
    Q, C, N = coarse(12, 0, norm), coarse(40, 1, norm), coarse(25, 2, norm)
    assert len(np.unique(C, axis=0)) < 40
    # with 4 neighbours a mean is exact, too
    compare(Q, C, N, relevance(12, 40, 3), names, k=4, depth=depth, kind=kind)


def test_all_measures_at_once_on_rows_of_both_norms():
    """One-hot rows, some of zeros: the only ones of norm one by l1 and by l2."""
    corners = np.concatenate([np.eye(5), -np.eye(5), np.zeros((2, 5))]).astype(np.float32)
    generator = np.random.default_rng(4)
    Q, C, N = (corners[generator.integers(0, 12, n)] for n in (15, 50, 20))
    names = ("l1", "csls", "dot", "cosine")
    for kind in KINDS:
        for depth in (None, 4):
            compare(Q, C, N, graded(15, 50, 5), names, k=4, depth=depth, kind=kind)


@pytest.mark.parametrize("names", [L2, L1])
@pytest.mark.parametrize("depth", [None, 3])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("n_rows", "n_columns"), [(1, 8), (7, 9), (16, 50)])
def test_small_blocks(monkeypatch, names, depth, kind, n_rows, n_columns):
    monkeypatch.setattr(similarity, "ROWS", n_rows)
    monkeypatch.setattr(similarity, "COLUMNS", n_columns)
    norm = norm_of(names)
    Q, C, N = coarse(30, 0, norm), coarse(61, 1, norm), coarse(33, 2, norm)
    relevance = graded(30, 61, 3)
    compare(Q, C, N, relevance, names, k=4, depth=depth, threads=2, kind=kind)


@pytest.mark.parametrize("depth", [None, 3])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("n_rows", "n_columns"), [(7, 9), (16, 50), (512, 1024)])
@pytest.mark.parametrize("at_most", [29, 30])
def test_neighbours_are_the_queries(monkeypatch, depth, kind, n_rows, n_columns, at_most):
    """Whether they are few enough to be compared with the candidates only once, or not."""
    monkeypatch.setattr(similarity, "ROWS", n_rows)
    monkeypatch.setattr(similarity, "COLUMNS", n_columns)
    monkeypatch.setattr(corrections, "TOGETHER", at_most)
    Q, C = coarse(30, 0), coarse(61, 1)
    names = ("csls", "cosine", "inverted_softmax")
    compare(Q, C, Q, graded(30, 61, 3), names, k=4, depth=depth, threads=2, kind=kind)


def test_neighbours_that_are_the_queries_are_compared_once(monkeypatch):
    shapes = []
    product = similarity._product
    monkeypatch.setattr(
        similarity, "_product", lambda *given: shapes.append(given[0].shape) or product(*given)
    )
    Q, C = rows(600, 8, 0), rows(5000, 8, 1)
    rankings(Q, C, one_each(600, 5000, 2), chosen("cosine", "csls"), Q)
    # 2 x 5 blocks, and those of r(y) of the 600 answers: 2 x 1
    assert len(shapes) == 2 * 5 + 2


def test_equal_documents_tie_wherever_they_stand():
    C = rows(5000, 300, 5)
    places = np.random.default_rng(6).choice(np.arange(1, 5000), 60, replace=False)
    C[places] = C[0]
    # As hard as it gets: a cosine near one has the largest rounding error.
    Q = unit_rows(C[:1] + 0.1 * rows(1, 300, 7))
    relevance = sparse.csr_matrix(([1], ([0], [0])), (1, 5000))
    found = rankings(Q, C, relevance, chosen("cosine", "csls", "dot"), C)
    assert [each.rank.tolist() for each in found] == [[61]] * 3


def test_no_run_unless_it_is_asked_for():
    Q, C = rows(5, 3, 0), rows(9, 3, 1)
    [found] = rankings(Q, C, one_each(5, 9, 2), chosen("cosine"), Q)
    assert found.others.shape == (5, 0)


def flat(found):
    arrays = (
        (
            each.answers.query,
            each.answers.candidate,
            each.rank,
            each.score,
            each.nearest,
            *each.run(),
        )
        for each in found
    )
    return [array.tobytes() for group in arrays for array in group]


@pytest.mark.parametrize("depth", [None, 5])
@pytest.mark.parametrize("names", [L2, L1])
def test_threads_change_no_byte(depth, names):
    norm = norm_of(names)
    Q, C = rows(1100, 20, 1, norm), rows(1500, 20, 0, norm)
    relevance = graded(1100, 1500, 2, 0.002)[2:]  # the second has 1,500 answers
    queries = Q[2:]
    for neighbours in (Q, queries):
        given = queries, C, relevance, chosen(*names), neighbours
        one, three = (
            rankings(*given, depth=depth, threads=threads, run_depth=20) for threads in (1, 3)
        )
        assert flat(one) == flat(three)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", [*L2, "l1"])
def test_a_query_without_known_words_finds_its_answer_last(name, kind):
    """Whatever a correction for hubs says of the candidates."""
    C, Q = rows(9, 4, 0, norm_of([name])), np.zeros((1, 4), np.float32)
    for answer in range(9):
        relevance = sparse.csr_matrix(([1], ([0], [answer])), (1, 9))
        [found] = rankings(kind(Q), kind(C), relevance, chosen(name), kind(C))
        assert found.rank.tolist() == [9]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", [*L2, "l1"])
def test_an_answer_without_known_words_is_found_last(name, kind):
    """Its cosine of 0 is above those of candidates that point away from the query."""
    norm = norm_of([name])
    Q = np.float32([[1, 0]])
    C = normalised(np.float32([[-1, 0], [-2, 1], [0, 0], [3, 1]]), norm)
    for relevant, ranks in (([2], [4]), ([2, 3], [4, 1]), ([0, 2], [3, 4])):
        relevance = sparse.csr_matrix(np.isin(range(4), relevant)[None])
        [found] = rankings(kind(Q), kind(C), relevance, chosen(name), kind(C), 1)
        assert found.rank.tolist() == ranks
        assert np.isfinite(found.score).all()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("place", ["queries", "candidates", "neighbours"])
@pytest.mark.parametrize("name", ["cosine", "csls", "dot", "l1"])
def test_rows_that_are_not_finite_are_refused(kind, bad, place, name):
    """Comparisons with nan are false: its answer would come first."""
    given = {x: rows(5, 3, 0, norm_of([name])) for x in ("queries", "candidates", "neighbours")}
    given[place][4, 1] = bad
    Q, C, N = map(kind, given.values())
    relevance = one_each(5, 5, 0)
    if place == "neighbours" and name != "csls":  # nobody looks at them
        assert len(rankings(Q, C, relevance, chosen(name), N)) == 1
        return
    with pytest.raises(UserError, match=f"{place}: expected .* row 4 has norm"):
        rankings(Q, C, relevance, chosen(name), N)


@pytest.mark.parametrize(("name", "norm"), [("cosine", "l2"), ("csls", "l2"), ("l1", "l1")])
def test_rows_of_another_norm_are_refused(name, norm):
    good = rows(5, 3, 0, norm)
    for Q, C, whose in ((good * 2, good, "queries"), (good, good / 2, "candidates")):
        with pytest.raises(UserError, match=f"{whose}: expected rows of {norm} norm 1"):
            rankings(Q, C, one_each(5, 5, 0), chosen(name), Q)


def test_the_summary_is_the_share_of_queries_with_an_answer_in_the_first_place():
    # a has two answers, one of them first; b's is second; c's was not found; d's is first
    answers = pd.DataFrame({"query": ["a", "a", "b", "d"], "rank": [1, 2, 2, 1]})
    found = Found("da", "en", "cosine", answers, pd.DataFrame({"query": list("abcd")}))
    assert found.summary() == "da-en cosine: Success@1 0.500"
