"""What every metric keeps: for each query it is what ir-measures computes.

By hand is what ir-measures has no value for: queries without an answer, and answers not found.
"""

import ir_measures
import numpy as np
import pandas as pd
import pytest

from cr5.scores.metrics import METRICS
from cr5.scores.metrics import values as metric
from tests.kit.inside import answered

CANDIDATES = 12
KS = (1, 2, 3, 5, 12, 50)
LOG3 = np.log2(3)


def drawn() -> tuple[np.ndarray, np.ndarray]:
    """Grades of queries x candidates, -1 where not judged, and the order of the candidates."""
    generator = np.random.default_rng(5)
    grades = generator.integers(0, 4, (40, CANDIDATES))
    grades[generator.random(grades.shape) < 0.6] = -1
    grades[:, 0] = 1  # ir-measures has no value for a query without a relevant document
    return grades, generator.permuted(np.tile(np.arange(CANDIDATES), (40, 1)), axis=1)


def found(grades: np.ndarray, order: np.ndarray, shuffled: bool = False):
    """All relevant documents at their places in the order."""
    ranks = order.argsort(axis=1) + 1
    answers = [(q, ranks[q, c], float(grades[q, c])) for q, c in np.argwhere(grades > 0)]
    frame = pd.DataFrame(answers)
    frame = frame.sample(frac=1, random_state=1) if shuffled else frame
    return answered(frame.to_numpy(), (grades > 0).sum(axis=1), CANDIDATES)


def of_ir_measures(name: str, grades: np.ndarray, order: np.ndarray) -> list[float]:
    run = [
        ir_measures.ScoredDoc(f"q{q}", f"d{c}", float(CANDIDATES - place))
        for q, candidates in enumerate(order)
        for place, c in enumerate(candidates)
    ]
    judged = np.argwhere(grades >= 0)
    qrels = [ir_measures.Qrel(f"q{q}", f"d{c}", int(grades[q, c])) for q, c in judged]
    computed = ir_measures.iter_calc([ir_measures.parse_measure(name)], qrels, run)
    values = {x.query_id: x.value for x in computed}
    return [values[f"q{q}"] for q in range(len(grades))]


@pytest.mark.parametrize("name", METRICS)
def test_every_metric_keeps_it(name):
    """With every k, and by itself if it may."""
    about = METRICS[name]
    assert about.says and about.source
    given = drawn()
    for full in [f"{name}@{k}" for k in KS] + [name] * (not about.needs_k):
        values = metric(found(*given), full)
        np.testing.assert_allclose(values, of_ir_measures(full, *given))
        np.testing.assert_allclose(metric(found(*given, shuffled=True), full), values)


# a: grades 1, 3, 2 at ranks 1, 4, 2; b: no answer; c: one of two found, at rank 7
SEVERAL = answered([(2, 7, 2.0), (0, 1, 1.0), (0, 4, 3.0), (0, 2, 2.0)], [3, 0, 2])
NOTHING = answered([], [1, 2])
TO_DEPTH_5 = answered([(0, 1, 1.0), (2, 4, 2.0)], [1, 0, 1], 20, 5)
BY_HAND = [
    (SEVERAL, "Success@1", [1, 0, 0]),
    (SEVERAL, "Success@7", [1, 0, 1]),
    (SEVERAL, "RR", [1, 0, 1 / 7]),
    (SEVERAL, "RR@6", [1, 0, 0]),
    (SEVERAL, "AP", [(1 / 1 + 2 / 2 + 3 / 4) / 3, 0, 1 / 7 / 2]),
    (SEVERAL, "AP@2", [2 / 3, 0, 0]),
    (SEVERAL, "P@8", [3 / 8, 0, 1 / 8]),
    (SEVERAL, "R@8", [1, 0, 1 / 2]),
    (NOTHING, "Success@1", [0, 0]),
    (NOTHING, "RR", [0, 0]),
    (NOTHING, "AP", [0, 0]),
    (answered([(0, 20, 1.0)], [1], 20, 20), "RR", [1 / 20]),  # a depth that bounds nothing
    (TO_DEPTH_5, "Success@3", [1, 0, 0]),
    (TO_DEPTH_5, "Success@5", [1, 0, 1]),
    (
        answered([(0, 1, 1.0), (0, 4, 3.0), (0, 2, 2.0)], [3]),
        "nDCG@10",
        [(1 + 2 / LOG3 + 3 / np.log2(5)) / (3 + 2 / LOG3 + 1 / 2)],
    ),
]


@pytest.mark.parametrize(("given", "name", "expected"), BY_HAND)
def test_by_hand(given, name, expected):
    np.testing.assert_allclose(metric(given, name), expected)


@pytest.mark.parametrize("seed", range(20))
def test_the_best_order_has_an_ndcg_of_one_and_never_more(seed):
    """The sum of its gains may differ from that of the ideal in the last bit."""
    grades = np.sort(np.random.default_rng(seed).random(50))[::-1]
    order = np.random.default_rng(seed).permutation(50)  # as rows come in any order
    [value] = metric(answered([(0, i + 1, grades[i]) for i in order], [50], 50), "nDCG@50")
    assert 1 - 1e-12 < value <= 1
