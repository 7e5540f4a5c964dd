import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import label_ranking_average_precision_score

from cr5.scores import metrics

NAMES = {"setting": "joint", "system": "cr5", "query": "da", "target": "en"}


def ranks_frame(ranks, similarity="cosine", n_candidates=20):
    concepts = [f"c{i}" for i in range(len(ranks))]
    return pd.DataFrame(
        {"similarity": similarity, "concept": concepts, "rank": ranks, "n_candidates": n_candidates}
    )


def test_scores_by_hand():
    frame = pd.concat([ranks_frame([1, 2, 6, 20]), ranks_frame([1, 1, 1, 11], "csls")])
    scores = metrics.scores([(NAMES, frame)], 200, 0)
    found = scores.set_index(["similarity", "metric"])["value"].to_dict()
    assert found == {
        ("cosine", "P@1"): 0.25,
        ("cosine", "P@5"): 0.5,
        ("cosine", "P@10"): 0.75,
        ("cosine", "MRR"): pytest.approx((1 + 1 / 2 + 1 / 6 + 1 / 20) / 4),
        ("csls", "P@1"): 0.75,
        ("csls", "P@5"): 0.75,
        ("csls", "P@10"): 0.75,
        ("csls", "MRR"): pytest.approx((3 + 1 / 11) / 4),
    }
    assert set(scores["n_queries"]) == {4}
    assert set(scores["n_candidates"]) == {20}
    assert (scores["ci_low"] <= scores["value"]).all()
    assert (scores["ci_high"] >= scores["value"]).all()
    assert scores[list(NAMES)].drop_duplicates().iloc[0].to_dict() == NAMES


def test_mrr_equals_scikit_learn():
    generator = np.random.default_rng(0)
    scores = generator.random((30, 12))
    truth = np.eye(12)[generator.integers(0, 12, 30)]
    own = (scores * truth).sum(axis=1)
    ranks = (scores >= own[:, None]).sum(axis=1)
    expected = label_ranking_average_precision_score(truth, scores)
    assert metrics.per_query(ranks)["MRR"].mean() == pytest.approx(expected)


def test_interval_is_that_of_a_share():
    """For a share p of n queries the bootstrap approaches p +- 1.96 sqrt(p (1 - p) / n)."""
    n, p = 400, 0.3
    values = (np.arange(n) < p * n).astype(float)[:, None]
    low, high = metrics.interval(values, metrics.resamples(n, 20_000, 0))
    half = 1.96 * np.sqrt(p * (1 - p) / n)
    assert low[0] == pytest.approx(p - half, abs=0.004)
    assert high[0] == pytest.approx(p + half, abs=0.004)


def test_a_certain_value_has_a_point_for_an_interval():
    frame = ranks_frame([1] * 9)
    scores = metrics.scores([(NAMES, frame)], 50, 0)
    assert (scores[["value", "ci_low", "ci_high"]] == 1).all(axis=None)


def test_curve_by_hand_and_chance():
    curves = metrics.curves([(NAMES, ranks_frame([1, 3, 3, 20]))], 5, 100, 0)
    assert curves["k"].tolist() == [1, 2, 3, 4, 5]
    assert curves["value"].tolist() == [0.25, 0.25, 0.75, 0.75, 0.75]
    np.testing.assert_allclose(curves["chance"], [0.05, 0.1, 0.15, 0.2, 0.25])


def test_curve_ends_with_the_candidates():
    curves = metrics.curves([(NAMES, ranks_frame([1, 3], n_candidates=3))], 100, 100, 0)
    assert curves["k"].tolist() == [1, 2, 3]
    assert curves["value"].iloc[-1] == 1


def test_same_seed_same_intervals():
    results = [(NAMES, ranks_frame([1, 2, 6, 20]))]
    assert metrics.scores(results, 100, 5).equals(metrics.scores(results, 100, 5))
    assert not metrics.scores(results, 100, 5).equals(metrics.scores(results, 100, 6))
