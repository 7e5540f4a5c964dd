"""What every measure keeps: it ranks as a slow twin does; a broken one fails.

The twins are in `slow.py`.
"""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse

from cr5.base.errors import UserError
from cr5.base.rows import HybridRows, unit_rows
from cr5.search import kernels, ranking, word_matches
from cr5.search.measures import MEASURES
from cr5.search.options import NEAREST, SearchOptions
from tests.search.drawn import unit
from tests.search.slow import BETA, TIMES, Search, nearest_slowly, ranked_slowly, score_table

L2 = ("cosine", "csls", "inverted_softmax", "globally_corrected", "dot")
L1 = ("l1", "dot")
SINGLE = [(name,) for name in MEASURES]


def in_two_parts(rows):
    return HybridRows(rows[:, :2], sparse.csr_matrix(rows[:, 2:]))


KINDS = [np.asarray, sparse.csr_matrix, in_two_parts]


def ranked(search, names, threads=1, gain=None, **options):
    """Rankings by the measures' names."""
    rankings = ranking.rankings(
        search.queries,
        search.candidates,
        search.relevance,
        [MEASURES[name] for name in names],
        search.neighbours,
        SearchOptions(**options),
        threads,
        gain,
    )
    return {result.measure: result for result in rankings}


def answers_of(result):
    """Query, candidate, grade and rank of each answer."""
    answers = result.answers
    return list(zip(answers.query, answers.candidate, answers.grade, result.rank, strict=True))


def bytes_of(results):
    """What rankings are, by the measures' names."""
    contents = {}
    for name, result in results.items():
        arrays = (result.rank, result.score, result.nearest, result.nearest_scores)
        contents[name] = [array.tobytes() for array in arrays]
    return contents


def norm_of(names):
    if "l1" in names or "jensen_shannon" in names:
        return "l1"
    return "l2"


def coarse(n_rows, seed, norm="l2"):
    """Rows that repeat, with numbers whose sums are exact: ties are ties and nothing else is."""
    generator = np.random.default_rng(seed)
    if norm == "l1":
        quarters = generator.multinomial(4, [0.25] * 4, n_rows)
        return (quarters / 4).astype(np.float32)
    return generator.choice([-0.5, 0.5], (n_rows, 4)).astype(np.float32)


def one_each(n_queries, n_candidates, seed):
    generator = np.random.default_rng(seed)
    queries = np.arange(n_queries)
    answers = generator.permutation(n_candidates)[:n_queries]
    grades = np.ones(n_queries, np.int8)
    return sparse.csr_matrix((grades, (queries, answers)), (n_queries, n_candidates))


def graded(n_queries, n_candidates, seed, share=0.1):
    """Several answers of grades 1 to 3, in no order; the first query has none, the second all."""
    generator = np.random.default_rng(seed)
    shape = (n_queries, n_candidates)
    grades = generator.integers(1, 4, shape)
    grades *= generator.random(shape) < share
    grades[0] = 0
    grades[1] = generator.integers(1, 4, n_candidates)
    query, candidate = np.nonzero(grades)
    in_no_order = generator.random(len(query))
    candidate = candidate[np.lexsort((in_no_order, query))]
    starts = np.searchsorted(query, np.arange(n_queries + 1))
    return sparse.csr_matrix((grades[query, candidate], candidate, starts), shape)


def nothing(n_queries, n_candidates, seed):
    return sparse.csr_matrix((n_queries, n_candidates), dtype=np.int8)


def small_search(make_relevance, norm="l2"):
    """12 queries among 40 candidates, with other neighbours."""
    return Search(
        queries=unit(12, 5, 0, norm),
        candidates=unit(40, 5, 1, norm),
        neighbours=unit(25, 5, 2, norm),
        relevance=make_relevance(12, 40, 3),
    )


def check(search, names, kind=np.asarray, threads=1, gains=None, **options):
    """Raise unless every measure, and the result that its ranks say, is as the slow twins'."""
    options = {"csls_neighbours": 3, "run_depth": 5, "inverse_temperature": BETA} | options

    def gain(query, candidate):
        return gains[query, candidate]

    if gains is None:
        gain = None
    results = ranked(search.converted(kind), names, threads, gain, **options)
    assert list(results) == list(names)
    n_listed = max(NEAREST, options["run_depth"])
    for name, result in results.items():
        scores = score_table(search, name, options["csls_neighbours"], gains)
        tie = MEASURES[name].tie(search.queries, search.candidates)
        check_result(search, result, scores, TIMES[name] * tie, n_listed)


def check_result(search, result, scores, tie, n_listed):
    """Raise unless a result is as all scores, queries x candidates, say."""
    rounded = scores.round(9)  # the last digits differ, and what is equal must be equal
    answers = ranked_slowly(search, rounded, tie)
    nearest = nearest_slowly(search, rounded, answers, n_listed)
    assert answers_of(result) == answers
    assert result.nearest.tolist() == nearest.tolist()
    of_answers = [scores[query, candidate] for query, candidate, _, _ in answers]
    assert_close(result.score, of_answers)
    assert_close(result.nearest_scores, np.take_along_axis(scores, nearest, 1))


def assert_close(scores, expected):
    assert_allclose(scores, expected, rtol=2e-6, atol=2e-6)  # they are float32


@pytest.mark.parametrize("names", [*SINGLE, L2, L2[::-1], ("csls", "dot"), L1, L1[::-1]])
@pytest.mark.parametrize("make_relevance", [one_each, graded, nothing])
@pytest.mark.parametrize("run_depth", [100, 1])
def test_every_measure_keeps_it(names, make_relevance, run_depth):
    """A candidate is zeros, of no known words, and a query: from that l1 is 1 but for rounding."""
    search = small_search(make_relevance, norm_of(names))
    search.candidates[3] = 0
    if "l1" not in names:
        search.queries[4] = 0
    check(search, names, run_depth=run_depth)


@pytest.mark.parametrize("depth", [5, 15, 100])
def test_a_second_stage_reorders_the_first(depth, monkeypatch):
    """Fewer of them than are `nearest`, more, more than there are."""
    monkeypatch.setattr(word_matches, "DEPTH", depth)
    gains = np.random.default_rng(3).random((12, 40)) / 4
    check(small_search(graded), ("cosine", "csls"), run_depth=10, gains=gains)


@pytest.mark.parametrize("depth", [4, 5])
def test_in_ties_a_second_stage_is_against_the_query(depth, monkeypatch):
    monkeypatch.setattr(word_matches, "DEPTH", depth)
    queries = np.array([[1, 0]], np.float32)
    candidates = np.array([[0.6, 0.8], [0.8, 0.6], [1, 0], [0, 1], [0, 0]], np.float32)
    gains = np.array([0.4, 0.2, 0, 0.1, 9])  # three of 1; the last has no known words
    relevance = sparse.csr_matrix([[1, 0, 0, 0, 1]])

    def gain(query, candidate):
        return gains[candidate]

    search = Search(queries, candidates, queries, relevance)
    result = ranked(search, ["cosine"], gain=gain, run_depth=5)["cosine"]
    assert answers_of(result) == [(0, 0, 1, 3), (0, 4, 1, 5)]
    assert result.nearest.tolist() == [[1, 2, 0, 3, 4]]


# jensen_shannon is of shares, and of rows in one part
@pytest.mark.parametrize("names", [L2, L1])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n_held", [61, 1000])  # similarities: one query at a time, or seven
def test_ties_of_equal_rows_and_different_grades_in_small_blocks(monkeypatch, names, kind, n_held):
    monkeypatch.setattr(kernels, "ROWS", 7)
    monkeypatch.setattr(kernels, "COLUMNS", 9)
    monkeypatch.setattr(kernels, "HELD", n_held)
    monkeypatch.setattr(kernels, "FEWEST", 1)
    norm = norm_of(names)
    queries = coarse(30, 0, norm)
    candidates = coarse(61, 1, norm)
    neighbours = coarse(33, 2, norm)
    assert len(np.unique(candidates, axis=0)) < 61
    among_queries = Search(queries, candidates, queries, graded(30, 61, 3))
    for search in (among_queries, replace(among_queries, neighbours=neighbours)):
        # with 4 neighbours a mean is exact, too
        check(search, names, kind, threads=2, csls_neighbours=4)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("together", [3, 8192])  # queries seen at a time: some, all
def test_neighbours_that_are_the_queries_need_no_product_of_their_own(monkeypatch, kind, together):
    """Few of the candidates are answers; in blocks, with several threads."""
    monkeypatch.setattr(kernels, "TOGETHER", together)
    monkeypatch.setattr(kernels, "COLUMNS", 9)
    queries = unit(12, 5, 0)
    search = Search(queries, unit(61, 5, 1), queries, one_each(12, 61, 2))
    check(search, ("csls", "cosine"), kind, threads=3, csls_neighbours=4)


@pytest.mark.parametrize("kind", KINDS)
def test_neighbours_that_are_the_queries_are_so_without_any_answer(kind):
    queries = unit(12, 5, 0)
    search = Search(queries, unit(61, 5, 1), queries, nothing(12, 61, 2))
    check(search, ("csls", "cosine"), kind, csls_neighbours=4)


def test_a_softmax_may_be_of_numbers_that_float64_has_not():
    """All of exp(-750), which is 0 to float64: beside one neighbour cos - cos is left."""
    query = np.array([[1, 0]], np.float32)
    neighbour = np.array([[-1, 0]], np.float32)
    candidates = np.array([[0.6, 0.8], [1, 0], [0, 1]], np.float32)
    search = Search(query, candidates, neighbour, sparse.csr_matrix([[0, 0, 1]]))
    name = "inverted_softmax"
    results = ranked(search, [name], inverse_temperature=500)
    result = results[name]
    assert result.rank.tolist() == [3]
    assert result.nearest.tolist() == [[1, 0, 2]]
    assert_close(result.nearest_scores, [[2, 1.2, 0]])


def test_equal_documents_tie_wherever_they_stand():
    generator = np.random.default_rng(6)
    candidates = unit(5000, 300, 5)
    places = generator.choice(np.arange(1, 5000), 60, replace=False)
    candidates[places] = candidates[0]
    # As hard as it gets: a cosine near one has the largest rounding error.
    near_the_first = candidates[:1] + 0.1 * unit(1, 300, 7)
    queries = unit_rows(near_the_first)
    is_answer = np.arange(5000) == 0
    relevance = sparse.csr_matrix(is_answer.astype(np.int8))
    search = Search(queries, candidates, candidates, relevance)
    results = ranked(search, ("cosine", "csls", "dot"))
    ranks = {name: result.rank.tolist() for name, result in results.items()}
    assert ranks == {"cosine": [61], "csls": [61], "dot": [61]}


@pytest.mark.parametrize("names", [L2, L1])
@pytest.mark.parametrize("are_queries", [True, False])
def test_threads_change_no_byte(names, are_queries):
    norm = norm_of(names)
    queries = unit(1100, 20, 1, norm)[2:]
    neighbours = queries if are_queries else queries[2:]
    candidates = unit(1500, 20, 0, norm)
    relevance = graded(1100, 1500, 2, share=0.002)[2:]  # the second has 1,500 answers
    search = Search(queries, candidates, neighbours, relevance)
    by_one = ranked(search, names, threads=1, run_depth=20)
    by_three = ranked(search, names, threads=3, run_depth=20)
    assert bytes_of(by_one) == bytes_of(by_three)


PLACES = ("queries", "candidates", "neighbours")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("bad", [np.nan, np.inf, 2.0])
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("name", ["cosine", "csls", "dot", "l1"])
def test_rows_that_are_not_finite_or_of_another_norm_are_refused(kind, bad, place, name):
    """Comparisons with nan are false: its answer would come first."""
    rows = {}
    for named in PLACES:
        rows[named] = unit(5, 3, 0, norm_of([name]))
    rows[place][4, 1] = bad
    search = Search(**rows, relevance=one_each(5, 5, 0))
    searched = search.converted(kind)
    is_not_used = place == "neighbours" and name != "csls"
    may_have_any_norm = bad == 2 and name == "dot"
    if is_not_used or may_have_any_norm:
        assert list(ranked(searched, [name])) == [name]
        return
    with pytest.raises(UserError, match=f"{place}: expected .* row 4 has norm"):
        ranked(searched, [name])


def test_corrections_of_cosines_fit_every_model_that_is_compared_by_cosine():
    fitting = {name for name in MEASURES if MEASURES[name].fits(("cosine",))}
    assert fitting == {"cosine", "inverted_softmax", "globally_corrected"}
    assert not MEASURES["inverted_softmax"].fits(("dot", "csls"))
