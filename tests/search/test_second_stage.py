from itertools import pairwise

import numpy as np
import pytest
from scipy import sparse

from cr5.search import second_stage
from cr5.search.best import NONE, Best
from cr5.search.measures import MEASURES, TIE
from cr5.search.ranking import rankings
from cr5.search.second_stage import best_reranked

N, M = 7, 40


@pytest.fixture(params=[5, 15, 100])
def depth(request, monkeypatch):
    """How many candidates have a second stage: fewer than are `nearest`, more, more than all."""
    monkeypatch.setattr(second_stage, "DEPTH", request.param)
    return request.param


def coarse(n, seed):
    """Unit rows that repeat, so that there are ties; with exact sums."""
    return np.random.default_rng(seed).choice([-0.5, 0.5], (n, 4)).astype(np.float32)


def answers(seed):
    """Several answers, with grades; the first query has none."""
    generator = np.random.default_rng(seed)
    grades = generator.integers(1, 4, (N, M)) * (generator.random((N, M)) < 0.1)
    grades[0] = 0
    return sparse.csr_matrix(grades)


def ranked(name, relevance, run_depth, table=None, candidates=None, depth=None):
    """One stage, or two where a table says what the second adds to each pair."""
    queries = coarse(N, 0)
    candidates = coarse(M, 1) if candidates is None else candidates
    given = queries, candidates, relevance, [MEASURES[name]], queries, 3, depth
    gain = None if table is None else gain_of(table)
    [found] = rankings(*given, run_depth=run_depth, gain=gain)
    return found


def gain_of(table):
    def gain(query, candidate):
        assert (np.diff(query) >= 0).all()
        return table[query, candidate]

    return gain


def test_nothing_to_gain_changes_nothing(depth):
    first = ranked("cosine", answers(1), max(depth, 10))
    found = ranked("cosine", answers(1), 10, np.zeros((N, M)))
    np.testing.assert_array_equal(found.rank, first.rank)
    np.testing.assert_array_equal(found.score, first.score)
    if depth >= M:  # else a tie of an answer with the last of the best puts it behind them
        np.testing.assert_array_equal(found.nearest, first.nearest)
    for one, other in zip(found.run(), first.run(), strict=True):
        kept = first.run()[2] <= 10
        np.testing.assert_array_equal(one, other[kept])


@pytest.mark.parametrize("name", ["cosine", "csls"])
def test_as_by_the_definition(depth, name):
    relevance = answers(2)
    first = ranked(name, relevance, max(depth, 10))
    table = np.random.default_rng(3).choice([0, 0.25, 0.5], (N, M))
    times = 2 if name == "csls" else 1  # as the cosine in it
    found = ranked(name, relevance, depth, table)
    n_before = dict(zip(zip(*relevance.nonzero(), strict=True), first.rank, strict=True))
    query, candidate, rank, score = first.run()
    for q in range(N):
        mine = (query == q) & (rank <= depth)
        best, old = candidate[mine], score[mine].astype(float)
        new = dict(zip(best, old + times * table[q, best], strict=True))
        is_answer = {c: relevance[q, c] > 0 for c in best}
        expected = {}
        for c in best:
            if is_answer[c]:
                key = (-new[c], relevance[q, c], c)
                before = sum(
                    (-new[x], relevance[q, x], x) < key if is_answer[x] else new[x] >= new[c] - TIE
                    for x in best
                    if x != c
                )
                expected[c] = 1 + before
        got = {
            c: (r, s)
            for a, c, r, s in zip(
                found.answers.query, found.answers.candidate, found.rank, found.score, strict=True
            )
            if a == q
        }
        for c, (r, s) in got.items():
            if c in expected:
                assert r == expected[c] and s == pytest.approx(new[c])
            else:  # not among the best
                assert r == n_before[q, c] > depth
        run_query, run_candidate, run_rank, _ = found.run()
        among = run_query == q
        assert sorted(run_candidate[among]) == sorted(best)
        assert run_rank[among].tolist() == list(range(1, len(best) + 1))
        order = [new[c] for c in run_candidate[among]]
        assert all(x >= y - TIE for x, y in pairwise(order))
        nearest = sorted(best, key=lambda c: (-new[c], c))[:10]
        assert found.nearest[q][: len(nearest)].tolist() == nearest
        assert len(set(found.nearest[q])) == 10


def test_a_row_of_zeros_stays_last_and_a_depth_cuts(monkeypatch):
    monkeypatch.setattr(second_stage, "DEPTH", M)
    candidates = coarse(M, 1)
    candidates[4] = 0
    relevance = sparse.csr_matrix(([1, 1], ([0, 1], [4, 5])), (N, M))
    table = np.zeros((N, M))
    table[0, 4] = table[1, 5] = 9
    found = ranked("cosine", relevance, 0, table, candidates)
    assert found.rank.tolist() == [M, 1]
    assert found.others.shape == (N, 0)
    cut = ranked("cosine", relevance, 0, table, candidates, depth=1)
    assert cut.rank.tolist() == [1] and cut.answers.candidate.tolist() == [5]


def test_the_best_of_a_collection(monkeypatch):
    monkeypatch.setattr(second_stage, "DEPTH", 3)
    scores = np.array([[0.9, 0.8, 0.7, 0.6], [0.5, 0.5, -np.inf, -np.inf]])
    columns = np.array([[3, 1, 2, 0], [0, 2, NONE, NONE]])
    table = np.array([[9, 0.1, 0.3, 0.0], [0, 0, 0, 0]])
    first = Best(scores, columns)
    found = best_reranked(first, gain_of(table), MEASURES["cosine"], 4)
    np.testing.assert_allclose(found.scores[0], [1.0, 0.9, 0.9, 0.6])  # the last is not looked at
    assert found.columns.tolist() == [[2, 3, 1, 0], [0, 2, NONE, NONE]]
    doubled = best_reranked(first, gain_of(table), MEASURES["csls"], 1)
    np.testing.assert_allclose(doubled.scores[0], [1.3])
    assert first.scores[0, 0] == 0.9
