"""Figures: which curves are drawn, of which numbers, and always the same bytes."""

import matplotlib
import numpy as np
import pandas as pd
import pytest

from cr5.report import canvas, figures
from cr5.report.names import Systems
from tests.report.conftest import with_facts, with_fits, with_frames

KS = [1, 2, 5, 10]


def curve(system, direction, values, similarity="cosine"):
    """Success@k of a system in a direction such as `da-en`, for each of `KS`."""
    query_language, target_language = direction.split("-")
    return pd.DataFrame(
        {
            "k": KS,
            "metric": [f"Success@{k}" for k in KS],
            "value": values,
            "ci_low": values - 0.1,
            "ci_high": values + 0.1,
            "setting": "joint",
            "series": "joint",
            "kind": "joint",
            "label": "joint",
            "task": "documents",
            "system": system,
            "similarity": similarity,
            "query_language": query_language,
            "target_language": target_language,
            "n_queries": 90,
            "n_candidates": 400,
            "directions": 1,
            "repetition": "mean",
            "chance": 0.01,
        }
    )


def lines(drawn):
    """Points of the lines of a figure by panel and label."""
    points = {}
    for axes in drawn.figure.axes:
        for line in axes.get_lines():
            points[axes.get_title(), line.get_label()] = line.get_xydata()
    return points


@pytest.fixture
def pairs(run):
    """The figure of two pairs; of the first one, the second direction is 20 points higher."""
    values = np.array([0.2, 0.3, 0.5, 0.6])
    curves = [
        curve("cr5", "da-en", values),
        curve("cr5", "en-da", values + 0.2),
        curve("cr5", "da-vi", values),
        curve("topics", "da-en", values / 2, similarity="l1"),
    ]
    with_curves = with_frames(run, curves=pd.concat(curves, ignore_index=True))
    return lambda: figures.pair_figure(with_curves)


def test_a_panel_has_the_curves_of_a_pair(pairs):
    assert set(lines(pairs())) == {
        ("da–vi", "Cr5, joint"),
        ("da–vi", "chance"),
        ("da–en", "Cr5, joint"),
        ("da–en", "chance"),
        ("da–en", "Topics, joint"),  # which has no cosine
    }


def test_a_pair_has_the_mean_of_its_directions(pairs):
    points = lines(pairs())
    assert points["da–en", "Cr5, joint"] == pytest.approx(np.c_[KS, [0.3, 0.4, 0.6, 0.7]])
    assert points["da–vi", "Cr5, joint"] == pytest.approx(np.c_[KS, [0.2, 0.3, 0.5, 0.6]])


@pytest.mark.parametrize(
    ("at_one", "expected"),
    [
        (
            {"a": 0.9, "b": 0.8, "mapped": 0.5, "cr5": 0.3, "c": 0.2, "lexical_overlap": 0.1},
            ["a", "mapped", "cr5", "lexical_overlap"],
        ),
        ({"a": 0.9, "b": 0.8}, ["a", "b"]),
    ],
)
def test_the_first_figure_has_the_best_ours_the_best_of_vectors_and_the_floor(at_one, expected):
    systems = Systems({"mapped": {"maps_vectors": True}, "cr5": {}, "lexical_overlap": {}})
    assert figures.chosen(pd.Series(at_one), systems) == expected


@pytest.fixture
def with_more_data(run):
    """Runs of two settings of a pair, one with 50 and one with 590 training concepts."""
    scores = pd.DataFrame(
        {
            "setting": ["few", "few", "whole", "alone"],
            "query_language": ["da", "vi", "da", "da"],
            "target_language": ["vi", "da", "vi", "en"],
            "value": [0.1, 0.2, 0.4, 0.9],
        }
    )
    scores = scores.assign(system="cr5", metric="Success@1", series="x", n_candidates=100)
    scores = scores.assign(task="documents", similarity="cosine", best=pd.NA, published=0.3)
    pairs = pd.DataFrame({"setting": ["few", "few", "whole"], "train": [40, 60, 590]})
    pairs = pairs.assign(query_language="da", target_language="vi")
    return with_frames(run, scores=scores, pairs=pairs)


def test_more_data_are_the_points_of_a_pair(with_more_data):
    place = {"series": "low", "query_language": "da", "target_language": "vi"}
    points = [{**place, "setting": setting} for setting in ("few", "whole")]
    drawn = figures.data_figure(with_facts(with_more_data, points=points))
    columns = ["query_language", "concepts", "value"]
    assert drawn.numbers[columns].to_numpy().tolist() == [["da", 50, 0.1], ["da", 590, 0.4]]
    of_system, _ = lines(drawn).values()
    assert of_system.tolist() == [[50, 0.1], [590, 0.4]]


def test_without_a_curve_of_more_data_there_is_no_figure(with_more_data):
    assert figures.data_figure(with_more_data) is None


def grid(option, scores, chosen):
    """A grid of an option, by its values in the order tried."""
    fit = {"setting": "joint", "series": "joint", "kind": "joint", "system": "cr5", "fit": 1}
    fit |= {"repetition": 1, "criterion": "mrr", "option": option}
    return [
        {**fit, "value": value, "score": score, "chosen": value == chosen}
        for value, score in scores.items()
    ]


FIXED = grid("fixed", {5: 0.2}, 5)


def test_validation_has_the_best_of_each_value_and_a_ring(run):
    rows = grid("ridge", {0.1: 0.2, 1: 0.4}, 1) + grid("ridge", {0.1: 0.3, 1: 0.1}, None)
    grids = pd.DataFrame(rows + FIXED)
    drawn = figures.validation_figure(with_fits(run, grids=grids))
    assert drawn.numbers is grids
    curve, ring = lines(drawn).values()
    assert curve.tolist() == [[0.1, 0.3], [1, 0.4]]
    assert ring.tolist() == [[1, 0.4]]


def test_validation_over_values_that_no_axis_names_has_ticks(run):
    scores = {float(value): 0.5 for value in range(201, 214)}
    drawn = figures.validation_figure(
        with_fits(run, grids=pd.DataFrame(grid("ridge", scores, None)))
    )
    assert drawn.figure.axes[0].get_xticks()[0] == 201


def test_what_was_not_varied_has_no_figure(run):
    assert figures.validation_figure(with_fits(run, grids=pd.DataFrame(FIXED))) is None


def test_overlap_counts_concepts_by_their_languages(run):
    titles = {"en": pd.Series("", ["a", "b", "c"]), "da": pd.Series("", ["b", "c", "d"])}
    trained = pd.DataFrame({"concept": ["b", "b", "d"], "language": ["da", "en", "da"]})
    drawn = figures.overlap_figure(with_frames(run, titles=titles, trained={"joint": trained}))
    assert drawn.numbers.to_numpy().tolist() == [["da en", 2, 1], ["da", 1, 1], ["en", 1, 0]]
    assert len(drawn.figure.axes) == 2


def test_colours_are_those_that_systems_declare():
    systems = Systems({"a": {}, "b": {"colour": "#0072B2"}, "c": {"colour": "#0072B2"}})
    looks = canvas.looks(systems)
    assert looks["b"]["color"] == "#0072B2"
    assert len({look["color"] for look in looks.values()}) == 3


def test_the_same_figure_has_the_same_bytes(pairs, tmp_path):
    """Whatever style users have of their own."""
    canvas.save(pairs().figure, tmp_path / "a", "Made from seed 7.")
    with matplotlib.rc_context({"font.size": 20, "axes.facecolor": "red"}):
        canvas.save(pairs().figure, tmp_path / "b", "Made from seed 7.")
    for ending in ("svg", "png", "pdf"):
        first = tmp_path / f"a.{ending}"
        second = tmp_path / f"b.{ending}"
        assert first.read_bytes() == second.read_bytes()
