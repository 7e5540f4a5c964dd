"""Figures: which curves are drawn, of which numbers, and always the same bytes."""

import matplotlib
import numpy as np
import pandas as pd
import pytest

from cr5.report import canvas, figures
from cr5.report.names import Systems

K = [1, 2, 5, 10]


def curve(system, values, **changes):
    of = {"setting": "joint", "series": "joint", "kind": "joint", "task": "documents"}
    of |= {"system": system, "similarity": "cosine", "label": "joint"}
    of |= {"n_queries": 90, "n_candidates": 400}
    of |= {"directions": 1, "repetition": "mean", **changes}
    metrics = [f"Success@{k}" for k in K]
    frame = pd.DataFrame({"k": K, "metric": metrics, "value": values}).assign(**of)
    return frame.assign(ci_low=frame["value"] - 0.1, ci_high=frame["value"] + 0.1, chance=0.01)


def lines(figure):
    """Drawn points by panel and label."""
    return {
        (axes.get_title(), line.get_label()): line.get_xydata()
        for axes in figure.axes
        for line in axes.get_lines()
    }


@pytest.fixture
def curves():
    """Two directions of a pair, and one of another; the second direction is 20 points higher."""
    values = np.array([0.2, 0.3, 0.5, 0.6])
    return pd.concat(
        [
            curve("cr5", values, query="da", target="en"),
            curve("cr5", values + 0.2, query="en", target="da"),
            curve("cr5", values, query="da", target="vi"),
            curve("topics", values / 2, query="da", target="en", similarity="l1"),
        ],
        ignore_index=True,
    )


@pytest.fixture
def pairs(run, curves):
    """The figure of pairs, by cosine."""
    run.curves = curves
    return lambda: figures.pair_figure(run)


def test_a_pair_has_the_mean_of_its_directions(pairs):
    found = lines(pairs()[0])
    labels = "Cr5, joint", "chance"
    assert set(found) == {("da–vi", x) for x in labels} | {
        ("da–en", x)
        for x in (*labels, "Topics, joint")  # which has no cosine
    }
    assert found["da–en", "Cr5, joint"] == pytest.approx(np.c_[K, [0.3, 0.4, 0.6, 0.7]])
    assert found["da–vi", "Cr5, joint"] == pytest.approx(np.c_[K, [0.2, 0.3, 0.5, 0.6]])


def test_the_first_figure_has_the_best_ours_the_best_of_vectors_and_the_floor():
    named = Systems({"mapped": {"maps_vectors": True}, "cr5": {}, "lexical_overlap": {}})
    values = {"a": 0.9, "b": 0.8, "mapped": 0.5, "cr5": 0.3, "c": 0.2, "lexical_overlap": 0.1}
    assert figures.chosen(pd.Series(values), named) == ["a", "mapped", "cr5", "lexical_overlap"]
    assert figures.chosen(pd.Series({"a": 0.9, "b": 0.8}), named) == ["a", "b"]


def test_more_data_are_the_points_of_a_pair(run):
    scores = pd.DataFrame(
        {"setting": ["few", "few", "whole", "alone"], "query": ["da", "vi", "da", "da"]}
    )
    scores = scores.assign(target=["vi", "da", "vi", "en"], system="cr5", metric="Success@1")
    scores = scores.assign(value=[0.1, 0.2, 0.4, 0.9], series="x", n_candidates=100)
    run.scores = scores.assign(task="documents", similarity="cosine", best=pd.NA, published=0.3)
    sizes = [("few", 40), ("few", 60), ("whole", 590)]
    pairs = [{"setting": x, "query": "da", "target": "vi", "train": n} for x, n in sizes]
    run.pairs = pd.DataFrame(pairs)
    place = {"series": "low", "query": "da", "target": "vi"}
    run.facts["points"] = [{**place, "setting": x} for x in ("few", "whole")]
    figure, table = figures.data_figure(run)
    assert table[["query", "concepts", "value"]].to_numpy().tolist() == [
        ["da", 50, 0.1],
        ["da", 590, 0.4],
    ]
    drawn, _ = lines(figure).values()
    assert drawn.tolist() == [[50, 0.1], [590, 0.4]]
    run.facts["points"] = []
    assert figures.data_figure(run) is None


def grid(option, values, scores, chosen):
    of = {"setting": "joint", "series": "joint", "kind": "joint", "system": "cr5", "fit": 1}
    of |= {"repetition": 1, "criterion": "mrr", "option": option}
    rows = zip(values, scores, strict=True)
    return [{**of, "value": v, "score": s, "chosen": v == chosen} for v, s in rows]


def test_validation_has_the_best_of_each_value_and_a_ring(run):
    rows = grid("ridge", [0.1, 1], [0.2, 0.4], 1) + grid("ridge", [0.1, 1], [0.3, 0.1], None)
    rows += grid("fixed", [5], [0.2], 5)
    run.grids = pd.DataFrame(rows)
    figure, data = figures.validation_figure(run)
    assert data is run.grids
    drawn, ring = lines(figure).values()
    assert drawn.tolist() == [[0.1, 0.3], [1, 0.4]]
    assert ring.tolist() == [[1, 0.4]]
    run.grids = run.grids[run.grids["option"] == "fixed"]
    assert figures.validation_figure(run) is None


def test_overlap_counts_concepts_by_their_languages(run):
    run.titles = {"en": pd.Series("", [*"abc"]), "da": pd.Series("", [*"bcd"])}
    trained = {"concept": ["b", "b", "d"], "language": ["da", "en", "da"]}
    run.trained = {"joint": pd.DataFrame(trained)}
    figure, table = figures.overlap_figure(run)
    assert table.to_numpy().tolist() == [["da en", 2, 1], ["da", 1, 1], ["en", 1, 0]]
    assert len(figure.axes) == 2


def test_colours_are_those_that_systems_declare():
    named = Systems({"a": {}, "b": {"colour": "#0072B2"}, "c": {"colour": "#0072B2"}})
    found = canvas.looks(named)
    assert found["b"]["color"] == "#0072B2"
    assert len({x["color"] for x in found.values()}) == 3


def test_the_same_figure_has_the_same_bytes(pairs, tmp_path):
    """Whatever style users have of their own."""
    for name, own in (("a", {}), ("b", {"font.size": 20, "axes.facecolor": "red"})):
        with matplotlib.rc_context(own):
            canvas.save(pairs()[0], tmp_path / name, "Made from seed 7.")
    for ending in ("svg", "png", "pdf"):
        assert (tmp_path / f"a.{ending}").read_bytes() == (tmp_path / f"b.{ending}").read_bytes()
