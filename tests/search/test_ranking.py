import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from cr5.base.rows import unit_rows
from cr5.search import ranking, similarity


def space(rows, prefix="c"):
    rows = unit_rows(np.asarray(rows, np.float32))
    return ranking.Space(pd.Index([f"{prefix}{i:04}" for i in range(len(rows))]), rows)


def random_space(n, d, seed):
    return space(np.random.default_rng(seed).normal(size=(n, d)))


def twin(queries, candidates, neighbours, k):
    """Ranks by the definitions, in float64, one query at a time."""
    Q, C, N = (s.rows.astype(np.float64) for s in (queries, candidates, neighbours))
    cosines = Q @ C.T
    r_query = np.sort(cosines, axis=1)[:, -k:].mean(axis=1)
    r_candidate = np.sort(C @ N.T, axis=1)[:, -k:].mean(axis=1)
    csls = 2 * cosines - r_query[:, None] - r_candidate[None, :]
    found = {}
    for name, scores in (("cosine", cosines), ("csls", csls)):
        for i, concept in enumerate(queries.concepts):
            j = candidates.concepts.get_loc(concept)
            order = np.argsort(-scores[i], kind="stable")
            found[name, concept] = (
                1 + (scores[i] > scores[i, j] + 1e-9).sum(),
                scores[i, j],
                candidates.concepts[order[:10]].tolist(),
            )
    return found


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(("n", "m"), [(5, 12), (130, 300), (40, 9)])
def test_equals_a_slow_twin(n, m, threads):
    candidates = random_space(m, 6, 0)
    queries = random_space(max(n, 10), 6, 1)
    neighbours = queries
    queries = queries.select(queries.concepts[: min(n, m)])
    k = min(10, m, len(neighbours.concepts))
    expected = twin(queries, candidates, neighbours, k)
    frame = ranking.ranks(queries, candidates, neighbours, k, threads)
    assert len(frame) == 2 * len(queries.concepts)
    assert set(frame["n_candidates"]) == {m}
    for row in frame.itertuples():
        rank, score, nearest = expected[row.similarity, row.concept]
        assert row.rank == rank
        assert row.score == pytest.approx(score, abs=1e-5)
        assert list(row.nearest) == nearest


def test_ties_count_against_the_query():
    candidates = space([[1, 0], [1, 0], [1, 0], [0, 1]])
    queries = space([[1, 0]])
    frame = ranking.ranks(queries, candidates, queries)
    assert frame.loc[frame["similarity"] == "cosine", "rank"].tolist() == [3]


def test_equal_documents_tie_wherever_they_stand():
    rows = np.random.default_rng(5).normal(size=(5000, 300))
    places = np.random.default_rng(6).choice(np.arange(1, 5000), 60, replace=False)
    rows[places] = rows[0]
    candidates = space(rows)
    # As hard as it gets: a cosine near one has the largest rounding error.
    queries = space(rows[:1] + 0.1 * np.random.default_rng(7).normal(size=(1, 300)))
    frame = ranking.ranks(queries, candidates, candidates)
    assert frame["rank"].tolist() == [61, 61]


@pytest.mark.parametrize(("rows", "columns"), [(1, 8), (16, 50), (100, 1000), (256, 4096)])
def test_the_shape_of_the_blocks_changes_no_rank(monkeypatch, rows, columns):
    candidates, queries = random_space(500, 100, 0), random_space(300, 100, 1)
    expected = ranking.ranks(queries, candidates, queries)
    monkeypatch.setattr(similarity, "ROWS", rows)
    monkeypatch.setattr(similarity, "COLUMNS", columns)
    found = ranking.ranks(queries, candidates, queries, threads=2)
    assert found["rank"].tolist() == expected["rank"].tolist()
    np.testing.assert_allclose(found["score"], expected["score"], rtol=0, atol=1e-6)


def test_an_empty_document_is_ranked_last():
    candidates = space([[0, 0], [1, 0], [-1, 0], [0, 1]])
    queries = space([[0, 0]])
    frame = ranking.ranks(queries, candidates, queries)
    assert frame.loc[frame["similarity"] == "cosine", "rank"].tolist() == [4]


def test_ranks_of_a_query_do_not_depend_on_the_other_queries():
    candidates, queries = random_space(500, 9, 0), random_space(300, 9, 1)
    everything = ranking.ranks(queries, candidates, queries)
    few = ranking.ranks(queries.select(queries.concepts[:7]), candidates, queries)
    both = everything.merge(few, on=["similarity", "concept"], suffixes=("", "_few"))
    assert len(both) == 14
    assert (both["rank"] == both["rank_few"]).all()
    assert (both["score"] == both["score_few"]).all()


def test_sparse_rows_give_the_ranks_of_dense_rows():
    generator = np.random.default_rng(3)
    dense = [generator.random((60, 20)) * (generator.random((60, 20)) < 0.3) for _ in range(2)]
    spaces = [space(rows) for rows in dense]
    sparse_spaces = [ranking.Space(s.concepts, sparse.csr_matrix(s.rows)) for s in spaces]
    ours, theirs = (ranking.ranks(q, c, q) for q, c in (spaces, sparse_spaces))
    assert ours["rank"].tolist() == theirs["rank"].tolist()


def test_threads_change_no_byte():
    candidates, queries = random_space(3000, 70, 0), random_space(1100, 70, 1)
    one, three = (ranking.ranks(queries, candidates, queries, 10, n) for n in (1, 3))
    pd.testing.assert_frame_equal(one, three, check_exact=True)


def test_a_query_without_counterpart_is_refused():
    with pytest.raises(KeyError, match="c0002"):
        ranking.ranks(random_space(3, 4, 0), random_space(2, 4, 1), random_space(3, 4, 0))
