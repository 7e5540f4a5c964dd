"""What every metric must do: `check` raises AssertionError where one does not."""

import ir_measures
import numpy as np
import pandas as pd

from cr5.base.errors import UserError
from cr5.scores.metrics import METRICS, Metric, parsed
from cr5.scores.ranked import Ranked

CANDIDATES = 12
KS = (1, 2, 3, 5, 12, 50)


def ranked(answers, n_relevant, n_candidates=20, depth=None, judged=None):
    """`answers`: (query, rank, grade); queries are a, b, c, ..."""
    queries = [chr(ord("a") + i) for i in range(len(n_relevant))]
    depths = depth if isinstance(depth, list) else [depth] * len(queries)
    about = {"query": queries, "n_relevant": n_relevant, "n_candidates": n_candidates}
    about |= {} if judged is None else {"judged": judged}
    return Ranked(
        pd.DataFrame(answers, columns=["query", "rank", "grade"]),
        pd.DataFrame(about).assign(depth=pd.array(depths).astype("Int64")),
    )


def check(metric: Metric) -> None:
    """Test a metric with and without k."""
    assert METRICS.get(metric.name, metric) is metric
    assert metric.says and metric.source
    try:
        parsed(metric.name)
    except UserError:
        assert metric.needs_k
    else:
        assert not metric.needs_k
        _check(metric, np.inf, metric.name)
    for k in KS:
        _check(metric, k, f"{metric.name}@{k}")


def _check(metric: Metric, k: float, name: str) -> None:
    _check_edges(metric, k)
    grades, order = _drawn()
    found = np.asarray(metric.of(_ranked(grades, order), k), float)
    assert found.shape == (len(grades),)
    assert ((found >= 0) & (found <= 1 + 1e-9)).all()
    shuffled = metric.of(_ranked(grades, order, shuffled=True), k)
    np.testing.assert_allclose(np.asarray(shuffled, float), found)
    np.testing.assert_allclose(found, _of_ir_measures(name, grades, order))


def _check_edges(metric: Metric, k: float) -> None:
    """The best order of three relevant documents, none of them found, and none at all."""
    answers = [("a", 1, 2.0), ("a", 2, 1.0), ("a", 3, 1.0)]
    nothing = [False] * CANDIDATES
    judged = [[True] * 3 + nothing[3:], nothing]
    best = ranked(answers, [3, 0], CANDIDATES, judged=judged)
    of_three = np.asarray(metric.of(best, min(k, 3)))
    assert of_three.shape == (2,)
    assert of_three[0] == (min(k, 3) / 3 if metric.name in ("R", "AP") else 1)
    assert of_three[1] == 0
    if metric.name != "nDCG":  # which is refused
        nothing_found = ranked([], [2, 0], CANDIDATES, judged=[nothing, nothing])
        assert not np.any(metric.of(nothing_found, k))


def _drawn() -> tuple[np.ndarray, np.ndarray]:
    """Grades of queries x candidates, -1 where not judged, and the order of the candidates."""
    generator = np.random.default_rng(5)
    grades = generator.integers(0, 4, (40, CANDIDATES))
    grades[generator.random(grades.shape) < 0.6] = -1
    grades[:, 0] = 1  # ir-measures has no value for a query without a relevant document
    return grades, generator.permuted(np.tile(np.arange(CANDIDATES), (40, 1)), axis=1)


def _ranked(grades: np.ndarray, order: np.ndarray, shuffled: bool = False) -> Ranked:
    ranks = order.argsort(axis=1) + 1
    answers = [(f"q{q}", ranks[q, c], float(grades[q, c])) for q, c in np.argwhere(grades > 0)]
    frame = pd.DataFrame(answers, columns=["query", "rank", "grade"])
    queries = {"query": [f"q{q}" for q in range(len(grades))], "n_candidates": CANDIDATES}
    queries |= {"n_relevant": (grades > 0).sum(axis=1), "depth": pd.NA}
    queries["judged"] = (np.take_along_axis(grades, order, axis=1) >= 0).tolist()
    frame = frame.sample(frac=1, random_state=1) if shuffled else frame
    return Ranked(frame.reset_index(drop=True), pd.DataFrame(queries))


def _of_ir_measures(name: str, grades: np.ndarray, order: np.ndarray) -> list[float]:
    run = [
        ir_measures.ScoredDoc(f"q{q}", f"d{c}", float(CANDIDATES - place))
        for q, candidates in enumerate(order)
        for place, c in enumerate(candidates)
    ]
    qrels = [
        ir_measures.Qrel(f"q{q}", f"d{c}", int(grades[q, c])) for q, c in np.argwhere(grades >= 0)
    ]
    measure = ir_measures.parse_measure(name)
    found = {x.query_id: x.value for x in ir_measures.iter_calc([measure], qrels, run)}
    return [found[f"q{q}"] for q in range(len(grades))]
