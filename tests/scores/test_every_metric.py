"""What every metric keeps: for each query it is what ir-measures computes.

By hand is what ir-measures has no value for: queries without an answer, and answers not found.
"""

import ir_measures
import numpy as np
import pytest

from cr5.scores.metrics import METRICS, values
from tests.kit.inside import answered

CANDIDATES = 12
KS = (1, 2, 3, 5, 12, 50)
LOG3 = np.log2(3)


@pytest.fixture
def grades() -> np.ndarray:
    """Grades of queries x candidates, -1 where not judged."""
    generator = np.random.default_rng(5)
    grades = generator.integers(0, 4, (40, CANDIDATES))
    grades[generator.random(grades.shape) < 0.6] = -1
    grades[:, 0] = 1  # ir-measures has no value for a query without a relevant document
    return grades


@pytest.fixture
def order() -> np.ndarray:
    """The candidates of each query, the nearest first."""
    numbers = np.tile(np.arange(CANDIDATES), (40, 1))
    return np.random.default_rng(6).permuted(numbers, axis=1)


def ranked(grades: np.ndarray, order: np.ndarray, shuffled: bool = False):
    """All relevant documents at their places in the order."""
    ranks = order.argsort(axis=1) + 1
    is_relevant = grades > 0
    query, candidate = np.nonzero(is_relevant)
    rank = ranks[query, candidate]
    grade = grades[query, candidate]
    answers = np.column_stack([query, rank, grade]).astype(float)
    if shuffled:
        answers = np.random.default_rng(1).permutation(answers)
    n_relevant = is_relevant.sum(axis=1)
    return answered(answers, n_relevant, CANDIDATES)


def of_ir_measures(name: str, grades: np.ndarray, order: np.ndarray) -> list[float]:
    """A metric of each query, as ir-measures computes it."""
    run = []
    qrels = []
    for query, candidates in enumerate(order):
        for place, candidate in enumerate(candidates):
            score = float(CANDIDATES - place)
            run.append(ir_measures.ScoredDoc(f"q{query}", f"d{candidate}", score))
            grade = int(grades[query, candidate])
            if grade >= 0:
                qrels.append(ir_measures.Qrel(f"q{query}", f"d{candidate}", grade))
    measure = ir_measures.parse_measure(name)
    computed = ir_measures.iter_calc([measure], qrels, run)
    by_query = {metric.query_id: metric.value for metric in computed}
    return [by_query[f"q{query}"] for query in range(len(grades))]


def full_names() -> list[str]:
    """Each metric with every k, and by itself if it may."""
    names = []
    for name, metric in METRICS.items():
        if not metric.needs_k:
            names.append(name)
        for k in KS:
            names.append(f"{name}@{k}")
    return names


@pytest.mark.parametrize("shuffled", [False, True])
@pytest.mark.parametrize("name", full_names())
def test_every_metric_keeps_it(grades, order, name, shuffled):
    expected = of_ir_measures(name, grades, order)
    computed = values(ranked(grades, order, shuffled), name)
    np.testing.assert_allclose(computed, expected)


@pytest.mark.parametrize("name", METRICS)
def test_every_metric_says_what_it_is_and_who_defined_it(name):
    assert METRICS[name].says
    assert METRICS[name].source


# a: grades 1, 3, 2 at ranks 1, 4, 2; b: no answer; c: one of two found, at rank 7
AP_OF_A = (1 / 1 + 2 / 2 + 3 / 4) / 3
DCG_OF_A = 1 + 2 / LOG3 + 3 / np.log2(5)
LARGEST_DCG_OF_A = 3 + 2 / LOG3 + 1 / 2
SEVERAL = answered([(2, 7, 2.0), (0, 1, 1.0), (0, 4, 3.0), (0, 2, 2.0)], [3, 0, 2])
NOTHING = answered([], [1, 2])
ALONE = answered([(0, 1, 1.0), (0, 4, 3.0), (0, 2, 2.0)], [3])  # a
TO_DEPTH_5 = answered([(0, 1, 1.0), (2, 4, 2.0)], [1, 0, 1], 20, 5)
TO_DEPTH_20 = answered([(0, 20, 1.0)], [1], 20, 20)
BY_HAND = [
    (SEVERAL, "Success@1", [1, 0, 0]),
    (SEVERAL, "Success@7", [1, 0, 1]),
    (SEVERAL, "RR", [1, 0, 1 / 7]),
    (SEVERAL, "RR@6", [1, 0, 0]),
    (SEVERAL, "AP", [AP_OF_A, 0, 1 / 7 / 2]),
    (SEVERAL, "AP@2", [2 / 3, 0, 0]),
    (SEVERAL, "P@8", [3 / 8, 0, 1 / 8]),
    (SEVERAL, "R@8", [1, 0, 1 / 2]),
    (NOTHING, "Success@1", [0, 0]),
    (NOTHING, "RR", [0, 0]),
    (NOTHING, "AP", [0, 0]),
    (TO_DEPTH_20, "RR", [1 / 20]),  # a depth that bounds nothing
    (TO_DEPTH_5, "Success@3", [1, 0, 0]),
    (TO_DEPTH_5, "Success@5", [1, 0, 1]),
    (ALONE, "nDCG@10", [DCG_OF_A / LARGEST_DCG_OF_A]),
]


@pytest.mark.parametrize(("ranked", "name", "expected"), BY_HAND)
def test_by_hand(ranked, name, expected):
    np.testing.assert_allclose(values(ranked, name), expected)


@pytest.mark.parametrize("seed", range(20))
def test_the_best_order_has_an_ndcg_of_one_and_never_more(seed):
    """The sum of its gains may differ from that of the ideal in the last bit."""
    grades = np.random.default_rng(seed).random(50)
    falling_grades = np.sort(grades)[::-1]
    order = np.random.default_rng(seed).permutation(50)  # as rows come in any order
    answers = [(0, place + 1, falling_grades[place]) for place in order]
    ranks = answered(answers, [50], 50)
    [ndcg] = values(ranks, "nDCG@50")
    assert 1 - 1e-12 < ndcg <= 1
