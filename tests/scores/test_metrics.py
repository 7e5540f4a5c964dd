"""Metrics by hand; `metric_contract` compares them with ir-measures."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from cr5.base.errors import UserError
from cr5.base.modules import load_module
from cr5.scores.metrics import METRICS, RENAMED, known_for, parsed, values

contract = load_module(Path(__file__).parent / "metric_contract.py", "check")
ranked = contract.ranked


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
    assert values(found, "Success@1").tolist() == [1, 0, 0, 0]
    assert values(found, "Success@5").tolist() == [1, 1, 0, 0]
    assert values(found, "Success@10").tolist() == [1, 1, 1, 0]
    assert values(found, "RR").tolist() == [1, 1 / 2, 1 / 6, 1 / 20]
    assert values(found, "AP").tolist() == [1, 1 / 2, 1 / 6, 1 / 20]
    np.testing.assert_allclose(values(found, "nDCG@5"), [1, 1 / np.log2(3), 0, 0])


def test_several_answers_none_and_some_not_found_by_hand(several):
    assert several.best.tolist() == [1, np.inf, 7]
    assert values(several, "Success@1").tolist() == [1, 0, 0]
    assert values(several, "Success@7").tolist() == [1, 0, 1]
    assert values(several, "RR").tolist() == [1, 0, 1 / 7]
    # a: 1/1, 2/2, 3/4 over 3 answers; c: 1/7 over 2, one of which was not found
    np.testing.assert_allclose(values(several, "AP"), [2.75 / 3, 0, 1 / 14])


def test_ndcg_by_hand():
    found = ranked([("a", 1, 1.0), ("a", 4, 3.0), ("a", 2, 2.0)], [3, 0])
    log3 = np.log2(3)
    ideal = 3 + 2 / log3 + 1 / 2
    gained = 1 + 2 / log3 + 3 / np.log2(5)
    np.testing.assert_allclose(values(found, "nDCG@10"), [gained / ideal, 0])
    np.testing.assert_allclose(values(found, "nDCG@2"), [(1 + 2 / log3) / (3 + 2 / log3), 0])
    np.testing.assert_allclose(values(found, "nDCG@1"), [1 / 3, 0])


def test_shares_of_the_relevant_and_of_the_nearest_by_hand(several):
    assert values(several, "P@2").tolist() == [1, 0, 0]
    assert values(several, "P@8").tolist() == [3 / 8, 0, 1 / 8]
    assert values(several, "R@2").tolist() == [2 / 3, 0, 0]
    assert values(several, "R@8").tolist() == [1, 0, 1 / 2]
    assert values(several, "RR@6").tolist() == [1, 0, 0]
    np.testing.assert_allclose(values(several, "AP@2"), [2 / 3, 0, 0])


def test_what_was_judged_by_hand():
    judged = [[False, True, True], [True, False, False]]
    found = ranked([("a", 3, 1.0)], [1, 0], 3, judged=judged)
    assert values(found, "Judged@2").tolist() == [1 / 2, 1 / 2]
    assert values(found, "Judged@5").tolist() == [2 / 3, 1 / 3]
    more = ranked([("a", 3, 1.0)], [1, 0], [3, 4], judged=judged)
    assert values(more, "Judged@3").tolist() == [2 / 3, 1 / 3]
    with pytest.raises(UserError, match="Judged@4 needs more than the 3 nearest that are kept"):
        values(more, "Judged@4")


def test_what_was_judged_is_known_of_judged_candidates_alone(several):
    with pytest.raises(UserError, match="Judged needs a task whose candidates were judged"):
        values(several, "Judged@5")


def test_ndcg_needs_every_rank(several):
    with pytest.raises(UserError, match=r"nDCG needs the rank of every relevant .* no depth"):
        values(several, "nDCG@5")


@pytest.mark.parametrize("metric", ["Success@6", "Success@10", "nDCG@6", "RR", "AP"])
@pytest.mark.parametrize(
    ("n_candidates", "depth"), [(20, 5), (20, [7, None, 5]), ([4, 20, 6], [4, None, 5])]
)
def test_what_needs_ranks_beyond_the_depth_is_refused(metric, n_candidates, depth):
    found = ranked([("a", 1, 1.0), ("c", 4, 2.0)], [1, 0, 1], n_candidates, depth)
    name = metric.split("@")[0]
    beyond = f"^{metric} needs ranks beyond 5, the depth .* for {name}@5, or give the task no depth"
    with pytest.raises(UserError, match=beyond):
        values(found, metric)


def test_what_a_depth_leaves_known():
    found = ranked([("a", 1, 1.0), ("c", 4, 2.0)], [1, 0, 1], 20, 5)
    assert values(found, "Success@3").tolist() == [1, 0, 0]
    assert values(found, "Success@5").tolist() == [1, 0, 1]
    np.testing.assert_allclose(values(found, "nDCG@5"), [1, 0, 1 / np.log2(5)])


@pytest.mark.parametrize("depth", [20, 21, None])
def test_a_depth_that_reaches_all_candidates_bounds_nothing(depth):
    found = ranked([("a", 20, 1.0), ("b", 5, 1.0)], [1, 1], 20, depth)
    assert found.depth == np.inf
    assert values(found, "RR").tolist() == values(found, "AP").tolist() == [1 / 20, 1 / 5]
    assert values(found, "Success@50").tolist() == [1, 1]


def test_nothing_found_at_all():
    found = ranked([], [1, 2])
    for metric in ("Success@1", "RR", "AP"):
        assert values(found, metric).tolist() == [0, 0]


@pytest.mark.parametrize(
    ("metric", "rank", "found"),
    [("RR", 0.5, "2.0"), ("RR", -2.0, "-0.5"), ("AP", 0.5, "2.0"), ("AP", np.nan, "nan")],
)
def test_what_is_no_fraction_is_refused(metric, rank, found):
    with pytest.raises(UserError, match=f"^{metric}: expected a fraction .* found {found}; remove"):
        values(one_each([3, rank]), metric)


def test_no_query_at_all_has_no_score():
    with pytest.raises(UserError, match=r"^Success@1: expected a fraction .* found no query"):
        values(ranked([], []), "Success@1")


@pytest.mark.parametrize("seed", range(20))
def test_the_best_order_has_an_ndcg_of_one_and_never_more(seed):
    """The sum of its gains may differ from that of the ideal in the last bit."""
    grades = np.sort(np.random.default_rng(seed).random(50))[::-1]
    order = np.random.default_rng(seed).permutation(50)  # as rows come in any order
    [value] = values(ranked([("a", i + 1, grades[i]) for i in order], [50], 50), "nDCG@50")
    assert 1 - 1e-12 < value <= 1


@pytest.mark.parametrize(
    "metric", ["Success@0", "p@1", "P@", "P", "R", "Judged", "MRR@5", "recall", "P@1 ", "P@-1"]
)
def test_an_unknown_metric(metric, several):
    known = "Success@k, P@k, R@k, RR, AP, nDCG, Judged@k"
    with pytest.raises(UserError, match=f"is no metric; there are {known}; any may have a k"):
        values(several, metric)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("MRR", "RR"),
        ("Hits@1", "Success@1"),
        ("ndcg@10", "nDCG@10"),
        ("map@5", "AP@5"),
        ("Recall", "R@k"),
        ("precision@0", "P@k"),
        ("Sucess@10", "Success@10"),
        ("P@1 ", "P@1"),
    ],
)
def test_the_metric_that_was_probably_meant(written, meant):
    assert known_for(written).endswith(f" (did you mean {meant}?)")


def test_a_name_like_no_other_gets_no_suggestion():
    assert "did you mean" not in known_for("kappa")


def test_old_names_are_of_metrics():
    assert {parsed(name)[0].name for name in RENAMED.values()} == {"RR", "AP"}


@pytest.mark.parametrize("name", METRICS)
def test_every_metric_passes_the_contract(name):
    """Among other things, it equals ir-measures' for every query."""
    contract.check(METRICS[name])


BROKEN = {
    "says nothing": {"says": ""},
    "needs a k and says it does not": {"needs_k": False},
    "one value": {"of": lambda ranked, k: np.float64(1)},
    "above one": {"of": lambda ranked, k: 2.0 * (ranked.best <= k)},
    "k is ignored": {"of": lambda ranked, k: ranked.found(np.inf) / k},
    "what is not relevant counts": {"of": METRICS["Judged"].of},
    "one relevant document suffices": {"of": lambda ranked, k: ranked.best <= k},
    "the order of the rows counts": {
        "of": lambda ranked, k: ranked.found(k) / k * ranked.answers["rank"].head(1).le(6).all()
    },
}


@pytest.mark.parametrize("fault", BROKEN.values(), ids=BROKEN)
def test_a_broken_metric_fails_the_contract(fault, monkeypatch):
    """Precision, with one fault."""
    broken = replace(METRICS["P"], **fault)
    monkeypatch.setitem(METRICS, "P", broken)
    with pytest.raises(AssertionError):
        contract.check(broken)


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
