import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import (
    average_precision_score,
    label_ranking_average_precision_score,
    ndcg_score,
)

from cr5.base.errors import UserError
from cr5.scores.metrics import Ranked


def ranked(answers, n_relevant, n_candidates=20, depth=None):
    """`answers`: (query, rank, grade); queries are a, b, c, ..."""
    queries = [chr(ord("a") + i) for i in range(len(n_relevant))]
    return Ranked(
        pd.DataFrame(answers, columns=["query", "rank", "grade"]),
        pd.DataFrame(
            {
                "query": queries,
                "n_relevant": n_relevant,
                "n_candidates": n_candidates,
                "depth": pd.array(
                    depth if isinstance(depth, list) else [depth] * len(queries)
                ).astype("Int64"),
            }
        ),
    )


def one_each(ranks, n_candidates=20):
    answers = [(chr(ord("a") + i), rank, 1.0) for i, rank in enumerate(ranks)]
    return ranked(answers, [1] * len(ranks), n_candidates)


@pytest.fixture
def several():
    """a: grades 1, 3, 2 at ranks 1, 4, 2; b: no answer; c: one of two found, at rank 7."""
    answers = [("c", 7, 2.0), ("a", 1, 1.0), ("a", 4, 3.0), ("a", 2, 2.0)]
    return ranked(answers, [3, 0, 2])


def test_one_answer_each_by_hand():
    found = one_each([1, 2, 6, 20])
    assert found.values("P@1").tolist() == [1, 0, 0, 0]
    assert found.values("P@5").tolist() == [1, 1, 0, 0]
    assert found.values("P@10").tolist() == [1, 1, 1, 0]
    assert found.values("MRR").tolist() == [1, 1 / 2, 1 / 6, 1 / 20]
    assert found.values("MAP").tolist() == [1, 1 / 2, 1 / 6, 1 / 20]
    np.testing.assert_allclose(found.values("nDCG@5"), [1, 1 / np.log2(3), 0, 0])


def test_several_answers_none_and_some_not_found_by_hand(several):
    assert several.best.tolist() == [1, np.inf, 7]
    assert several.values("P@1").tolist() == [1, 0, 0]
    assert several.values("P@7").tolist() == [1, 0, 1]
    assert several.values("MRR").tolist() == [1, 0, 1 / 7]
    # a: 1/1, 2/2, 3/4 over 3 answers; c: 1/7 over 2, one of which was not found
    np.testing.assert_allclose(several.values("MAP"), [2.75 / 3, 0, 1 / 14])


def test_ndcg_by_hand():
    found = ranked([("a", 1, 1.0), ("a", 4, 3.0), ("a", 2, 2.0)], [3, 0])
    log3 = np.log2(3)
    ideal = 3 + 2 / log3 + 1 / 2
    gained = 1 + 2 / log3 + 3 / np.log2(5)
    np.testing.assert_allclose(found.values("nDCG@10"), [gained / ideal, 0])
    np.testing.assert_allclose(found.values("nDCG@2"), [(1 + 2 / log3) / (3 + 2 / log3), 0])
    np.testing.assert_allclose(found.values("nDCG@1"), [1 / 3, 0])


def test_ndcg_needs_every_rank(several):
    with pytest.raises(UserError, match=r"nDCG needs the rank of every answer: give .* no depth"):
        several.values("nDCG@5")


@pytest.mark.parametrize("metric", ["P@6", "P@10", "nDCG@6", "MRR", "MAP"])
@pytest.mark.parametrize(
    ("n_candidates", "depth"), [(20, 5), (20, [7, None, 5]), ([4, 20, 6], [4, None, 5])]
)
def test_what_needs_ranks_beyond_the_depth_is_refused(metric, n_candidates, depth):
    found = ranked([("a", 1, 1.0), ("c", 4, 2.0)], [1, 0, 1], n_candidates, depth)
    beyond = f"^{metric} needs ranks beyond 5, the depth .* k up to 5, or give the task no depth"
    with pytest.raises(UserError, match=beyond):
        found.values(metric)


def test_what_a_depth_leaves_known():
    found = ranked([("a", 1, 1.0), ("c", 4, 2.0)], [1, 0, 1], 20, 5)
    assert found.values("P@3").tolist() == [1, 0, 0]
    assert found.values("P@5").tolist() == [1, 0, 1]
    np.testing.assert_allclose(found.values("nDCG@5"), [1, 0, 1 / np.log2(5)])


@pytest.mark.parametrize("depth", [20, 21, None])
def test_a_depth_that_reaches_all_candidates_bounds_nothing(depth):
    found = ranked([("a", 20, 1.0), ("b", 5, 1.0)], [1, 1], 20, depth)
    assert found.depth == np.inf
    assert found.values("MRR").tolist() == found.values("MAP").tolist() == [1 / 20, 1 / 5]
    assert found.values("P@50").tolist() == [1, 1]


def test_nothing_found_at_all():
    found = ranked([], [1, 2])
    for metric in ("P@1", "MRR", "MAP"):
        assert found.values(metric).tolist() == [0, 0]


@pytest.mark.parametrize("seed", range(5))
def test_scikit_learn_agrees(seed):
    generator = np.random.default_rng(seed)
    scores = generator.random((30, 12))
    grades = generator.integers(1, 4, (30, 12)) * (generator.random((30, 12)) < 0.3)
    grades[:, 0] = 1  # scikit-learn has no value for a query without an answer
    ranks = (-scores).argsort(axis=1).argsort(axis=1) + 1
    places = [(q, c) for q, c in np.ndindex(grades.shape) if grades[q, c]]
    generator.shuffle(places)
    answers = pd.DataFrame([(f"q{q}", ranks[q, c], grades[q, c]) for q, c in places])
    answers.columns = ["query", "rank", "grade"]
    queries = pd.DataFrame(
        {"query": [f"q{q}" for q in range(30)], "n_relevant": (grades > 0).sum(axis=1)}
    ).assign(n_candidates=12, depth=pd.NA)
    found = Ranked(answers, queries)
    for k in (1, 3, 10, 50):
        expected = [ndcg_score([g], [s], k=k) for g, s in zip(grades, scores, strict=True)]
        np.testing.assert_allclose(found.values(f"nDCG@{k}"), expected)
    expected = [average_precision_score(g > 0, s) for g, s in zip(grades, scores, strict=True)]
    np.testing.assert_allclose(found.values("MAP"), expected)


def test_mrr_equals_scikit_learn():
    generator = np.random.default_rng(0)
    scores = generator.random((26, 12))
    truth = np.eye(12)[generator.integers(0, 12, 26)]
    own = (scores * truth).sum(axis=1)
    found = one_each((scores >= own[:, None]).sum(axis=1))
    expected = label_ranking_average_precision_score(truth, scores)
    assert found.values("MRR").mean() == pytest.approx(expected)


@pytest.mark.parametrize(
    ("metric", "rank", "found"),
    [("MRR", 0.5, "2.0"), ("MRR", -2.0, "-0.5"), ("MAP", 0.5, "2.0"), ("MAP", np.nan, "nan")],
)
def test_what_is_no_fraction_is_refused(metric, rank, found):
    with pytest.raises(UserError, match=f"^{metric}: expected a fraction .* found {found}; remove"):
        one_each([3, rank]).values(metric)


def test_no_query_at_all_has_no_score():
    with pytest.raises(UserError, match=r"^P@1: expected a fraction .* found no query"):
        ranked([], []).values("P@1")


@pytest.mark.parametrize("seed", range(20))
def test_the_best_order_has_an_ndcg_of_one_and_never_more(seed):
    """The sum of its gains may differ from that of the ideal in the last bit."""
    grades = np.sort(np.random.default_rng(seed).random(50))[::-1]
    order = np.random.default_rng(seed).permutation(50)  # as rows come in any order
    [value] = ranked([("a", i + 1, grades[i]) for i in order], [50], 50).values("nDCG@50")
    assert 1 - 1e-12 < value <= 1


@pytest.mark.parametrize("metric", ["P@0", "p@1", "P@", "nDCG", "MRR@5", "recall", "P@1 ", "P@-1"])
def test_an_unknown_metric(metric, several):
    with pytest.raises(UserError, match="is no metric; there are P@k, nDCG@k, MRR and MAP"):
        several.values(metric)


def test_hits_of_several_ks(several):
    assert several.hits(np.array([1, 6, 7])).tolist() == [[1, 1, 1], [0, 0, 0], [0, 0, 1]]


def test_chance_of_one_answer_is_k_of_n():
    ks = np.arange(1, 6)
    np.testing.assert_allclose(one_each([1, 3, 3]).chance(ks), ks / 20)


def test_chance_of_several_answers_is_what_shuffling_gives():
    found = ranked([], [3, 0, 1, 6], [7, 4, 2, 6])
    ks = np.array([1, 2, 5, 9])
    generator = np.random.default_rng(0)
    hits = np.zeros(4)
    for n, m in ((7, 3), (4, 0), (2, 1), (6, 6)):
        order = generator.random((20_000, n)).argsort(axis=1) < m  # True at answers
        hits += [order[:, :k].any(axis=1).mean() for k in ks]
    np.testing.assert_allclose(found.chance(ks), hits / 4, atol=0.005)
