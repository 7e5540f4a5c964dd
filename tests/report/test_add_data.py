from functools import partial

import numpy as np
import pandas as pd
import pytest

from cr5.report import add_data as module
from cr5.report.add_data import curves
from cr5.report.names import Systems

add_data = partial(module.add_data, systems=Systems({"cr5": {"title": "Cr5"}}))

POINTS = [
    {"series": "low", "pair": ("da", "vi"), "setting": "low_da-vi_50"},
    {"series": "low", "pair": ("da", "vi"), "setting": "pairwise_da-vi"},
    {"series": "joined", "pair": ("da", "vi"), "setting": "joined_da-vi_50"},
    {"series": "joined", "pair": ("da", "vi"), "setting": "joint"},
]


def score(setting, query, target, value, **changes):
    return {
        **{"setting": setting, "system": "cr5", "task": "documents", "query": query},
        **{"target": target, "similarity": "cosine", "metric": "Success@1", "value": value},
        **{"ci_low": value - 0.1, "ci_high": value + 0.1, "n_queries": 91, "n_candidates": 400},
        **changes,
    }


@pytest.fixture
def scores():
    return pd.DataFrame(
        [
            score("pairwise_da-vi", "da", "vi", 0.4),
            score("pairwise_da-vi", "vi", "da", 0.5),
            score("low_da-vi_50", "da", "vi", 0.2),
            score("low_da-vi_50", "vi", "da", 0.3),
            score("joined_da-vi_50", "da", "vi", 0.5),
            score("joint", "da", "vi", 0.6),
            score("joint", "da", "vi", 0.6, system="mine"),
            score("joint", "da", "en", 0.9),
            score("joint", "da", "vi", 0.8, metric="Success@5"),
            score("joint", "da", "vi", 0.7, similarity="csls"),
            score("joint", "da", "vi", 0.65, task="words"),
            score("transitive", "da", "vi", 0.1),
        ]
    )


@pytest.fixture
def pairs():
    rows = [
        ("low_da-vi_50", 1, "da", "vi", 50),
        ("low_da-vi_50", 2, "da", "vi", 40),
        ("joined_da-vi_50", 1, "da", "vi", 50),
        ("joined_da-vi_50", 2, "da", "vi", 40),
        ("pairwise_da-vi", 1, "da", "vi", 600),
        ("pairwise_da-vi", 2, "da", "vi", 604),
        ("joint", 1, "da", "vi", 604),
        ("joint", 2, "da", "vi", 604),
        ("joint", 1, "da", "en", 900),
        ("joint", 2, "da", "en", 900),
    ]
    return pd.DataFrame(rows, columns=["setting", "repetition", "query", "target", "train"])


def test_each_point_has_the_mean_number_of_training_concepts_of_its_pair(scores, pairs):
    table = curves(scores, pairs, POINTS, "cosine", "documents")
    found = table[["series", "query", "target", "concepts", "value"]].to_numpy().tolist()
    assert found == [
        ["joined", "da", "vi", 45, 0.5],
        ["joined", "da", "vi", 604, 0.6],
        ["low", "da", "vi", 45, 0.2],
        ["low", "da", "vi", 602, 0.4],
        ["low", "vi", "da", 45, 0.3],
        ["low", "vi", "da", 602, 0.5],
    ]


def test_a_setting_that_was_left_out_has_no_point(scores, pairs):
    """And of a curve with a single point nothing is left."""
    without = scores[scores["setting"] != "pairwise_da-vi"]
    table = curves(without, pairs, POINTS, "cosine", "documents")
    assert set(table["setting"]) == {"joined_da-vi_50", "joint"}


def lines(axes):
    return {x.get_label(): x for x in axes.lines if not x.get_label().startswith("_")}


def test_a_panel_per_direction_and_a_curve_per_system_and_series(scores, pairs):
    scores = scores[scores["system"] == "cr5"]
    other = scores.assign(system="lexical_overlap", value=scores["value"] / 2)
    both = pd.concat([scores, other], ignore_index=True)
    table = curves(both, pairs, POINTS, "cosine", "documents")
    first, second = add_data(table, "cosine").axes
    assert [x.get_title() for x in (first, second)] == ["da→vi (91 queries)", "vi→da (91 queries)"]
    drawn = lines(first)["Cr5, low"]
    np.testing.assert_array_equal(drawn.get_xdata(), [45, 602])
    np.testing.assert_allclose(drawn.get_ydata(), [20, 40])
    np.testing.assert_allclose(lines(first)["lexical_overlap, low"].get_ydata(), [10, 20])
    np.testing.assert_allclose(lines(first)["Cr5, joined"].get_ydata(), [50, 60])
    assert first.get_xscale() == "log"
    [band, *_] = first.collections
    low, high = band.get_paths()[0].vertices[:, 1].min(), band.get_paths()[0].vertices[:, 1].max()
    assert (low, high) == pytest.approx((40, 70))  # of Cr5, joined
    looks = {(x.get_linestyle(), x.get_color()) for x in lines(first).values()}
    assert len(looks) == 4
    chance = [x for x in first.lines if x.get_label().startswith("_")]
    assert chance[0].get_ydata() == pytest.approx([0.25, 0.25])


def test_same_bytes_twice_and_a_picture_where_all_is_left_out(scores, pairs, check_bytes):
    table = curves(scores, pairs, POINTS, "cosine", "documents")
    check_bytes(lambda: add_data(table, "cosine"))
    [text] = add_data(table.iloc[:0], "cosine").texts
    assert "left_out.csv" in text.get_text()
