import itertools
import re
from functools import partial
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from cr5.base.errors import UserError
from cr5.base.origin import Origin
from cr5.report import figures as module
from cr5.report.all_figures import figure
from cr5.report.canvas import save_figure
from cr5.report.figures import both_directions
from cr5.report.names import Systems

precision_at_k = partial(module.precision_at_k, systems=Systems({"cr5": {"title": "Cr5"}}))

SOURCE = Origin(7, "a1b2", "c3d4", ("1.0+abc",))
KS = np.array([1, 2, 5, 10])
BANDS = "bands: 95 % intervals"


def curves(languages, systems=(("cr5", "joint"),), similarity="cosine"):
    """Curves whose value tells where they belong: 0.1 per system, 0.01 k."""
    frames = [
        pd.DataFrame(
            {
                "setting": series
                if series == "joint"
                else f"{series}_{min(query, target)}-{max(query, target)}",
                "series": series,
                "kind": "pairwise" if series == "pairwise" else "joint",
                "system": system,
                "task": "documents",
                "query": query,
                "target": target,
                "similarity": similarity,
                "k": KS,
                "value": 0.1 * number + 0.01 * KS,
                "ci_low": 0.1 * number,
                "ci_high": 0.1 * number + 0.02 * KS,
                "chance": KS / 100,
                "n_queries": 50.0,
            }
        )
        for number, (system, series) in enumerate(systems, start=1)
        for query, target in itertools.permutations(languages, 2)
    ]
    return pd.concat(frames, ignore_index=True)


SYSTEMS = (("cr5", "joint"), ("cr5", "pairwise"), ("my_$system$", "joint"))


def line(axes, label):
    return next(line for line in axes.lines if line.get_label() == label)


@pytest.mark.parametrize(
    ("languages", "places"), [("ab", (1, 1)), ("abc", (2, 2)), ("abcd", (2, 3))]
)
def test_a_panel_per_pair(languages, places):
    figure = precision_at_k(curves(languages), "cosine")
    assert figure.axes[0].get_subplotspec().get_gridspec().get_geometry() == places
    pairs = itertools.combinations(languages, 2)
    assert [axes.get_title() for axes in figure.axes] == ["–".join(pair) for pair in pairs]


@pytest.mark.parametrize(
    ("n", "title"), [(1, "a–b (1 query)"), (49.2, "a–b (49 queries)"), (49.6, "a–b")]
)
def test_a_panel_of_few_queries_says_how_many(n, title):
    [axes] = precision_at_k(curves("ab").assign(n_queries=n), "cosine").axes
    assert axes.get_title() == title


def test_curves_are_the_values_in_percent_and_named():
    figure = precision_at_k(curves(["xx", "yy"], SYSTEMS), "cosine")
    names = ["Cr5, joint", "Cr5, pairwise", "my_$system$, joint"]
    for axes in figure.axes:
        for number, name in enumerate(names, start=1):
            drawn = line(axes, name)
            np.testing.assert_array_equal(drawn.get_xdata(), [1, 2, 5, 10])
            expected = [10 * number + k for k in (1, 2, 5, 10)]
            np.testing.assert_allclose(drawn.get_ydata(), expected)
    texts = [text.get_text() for text in figure.legends[0].get_texts()]
    assert texts == ["Cr5, joint", "Cr5, pairwise", r"my_\$system\$, joint", "chance", BANDS]


def test_systems_and_settings_differ_without_colour():
    axes = precision_at_k(curves(["xx", "yy"], SYSTEMS), "cosine").axes[0]
    joint, pairwise, mine = (
        line(axes, f"{name}") for name in ("Cr5, joint", "Cr5, pairwise", "my_$system$, joint")
    )
    assert joint.get_marker() == pairwise.get_marker() != mine.get_marker()
    assert joint.get_linestyle() == mine.get_linestyle() != pairwise.get_linestyle()


def test_no_two_curves_of_a_system_look_the_same(tmp_path):
    series = ["joint", "pairwise", *[f"joint_{number}-all" for number in range(6)]]
    named = [name.replace("_", " ") for name in series]
    figure = precision_at_k(curves("ab", [("cr5", name) for name in series]), "cosine")
    styles = [line(figure.axes[0], f"Cr5, {name}").get_linestyle() for name in named[:4]]
    assert styles == ["-", "--", "-.", ":"]
    save_figure(figure, tmp_path / "a", SOURCE)
    # the first curve is solid; blue is the system's colour
    dashed = r'stroke-dasharray: ([^;]*);[^"]*stroke: #0072b2'
    dashes = set(re.findall(dashed, (tmp_path / "a.svg").read_text("utf-8")))
    assert len(dashes) == len(series) - 1


def test_a_pairwise_setting_is_dashed_though_no_joint_one_is_there():
    axes = precision_at_k(curves("ab", [("cr5", "pairwise")]), "cosine").axes[0]
    assert line(axes, "Cr5, pairwise").get_linestyle() == "--"


def test_one_task_at_a_time():
    frame = curves("ab")
    words = frame.assign(task="words", value=0.9)
    both = pd.concat([frame, words], ignore_index=True)
    axes = precision_at_k(both, "cosine", task="words").axes[0]
    np.testing.assert_allclose(line(axes, "Cr5, joint").get_ydata(), [90] * 4)
    with pytest.raises(UserError, match="no row with task x, only documents, words"):
        precision_at_k(both, "cosine", task="x")


def test_a_run_of_systems_with_another_measure_is_drawn_with_theirs():
    """As those of topics, which have l1 alone, where the configuration asks for cosine and CSLS."""
    told = {"crowding": [], "unlike_paper": ["x"], "main_task": "documents"}
    rows = pd.concat([curves("ab", similarity="l1"), curves("ab").assign(task="words")])
    run = SimpleNamespace(frame=lambda name: rows, told=told, systems=Systems({"cr5": {}}))
    drawn, _ = figure(run, "precision_at_k_pairs", "csls")
    assert drawn.axes[0].get_ylabel() == "Success@k in %, l1"


def test_a_curve_that_a_pair_lacks_is_not_drawn():
    frame = curves(["xx", "yy", "zz"], SYSTEMS)
    in_first = frame["query"].isin(["xx", "yy"]) & frame["target"].isin(["xx", "yy"])
    frame = frame[(frame["system"] == "cr5") | in_first]
    first, *others = precision_at_k(frame, "cosine").axes
    assert "my_$system$, joint" in [drawn.get_label() for drawn in first.lines]
    for axes in others:
        assert "my_$system$, joint" not in [drawn.get_label() for drawn in axes.lines]


def test_published_figures_are_drawn_on_request_only():
    frame = curves(["da", "en"]).assign(published_row="Cr5 joint")
    [axes] = precision_at_k(frame, "cosine").axes
    assert not [drawn for drawn in axes.lines if drawn.get_markerfacecolor() == "none"]


def test_curves_are_the_means_of_both_directions():
    """Of the k that both have; published likewise: Table 1(b) of the paper, da-en and en-da."""
    frame = curves(["da", "en", "it"], SYSTEMS[:2])
    frame = frame.assign(published_row="Cr5 joint", setting=frame["series"])
    back = (frame["query"] > frame["target"]) & (frame["series"] == "joint")
    frame.loc[back, ["value", "ci_low", "n_queries"]] += [0.2, 0.1, 10]
    frame = frame[~(back & (frame["k"] == 10))]
    figure = precision_at_k(frame, "cosine", show_published=True)
    assert [axes.get_title() for axes in figure.axes] == ["da–en", "da–it", "en–it"]
    joint, pairwise = (line(figure.axes[0], f"Cr5, {x}") for x in ("joint", "pairwise"))
    np.testing.assert_allclose(joint.get_xdata(), [1, 2, 5])
    np.testing.assert_allclose(joint.get_ydata(), [21, 22, 25])
    np.testing.assert_allclose(pairwise.get_ydata(), [21, 22, 25, 30])
    hollow = [x for x in figure.axes[0].lines if x.get_markerfacecolor() == "none"]
    np.testing.assert_allclose(hollow[0].get_ydata(), [(62.6 + 53.7) / 2, (76.4 + 74.5) / 2])
    low = both_directions(frame.query("k < 10"))["ci_low"].unique()
    np.testing.assert_allclose(low, [0.15, 0.2])


def test_same_bytes_twice_whatever_the_rows_order(check_bytes):
    frame = curves(["xx", "yy"])
    check_bytes(
        lambda: precision_at_k(frame, "cosine"), lambda: precision_at_k(frame.iloc[::-1], "cosine")
    )


def test_one_k_only_and_missing_intervals():
    frame = curves(["xx", "yy"]).query("k == 1").assign(ci_low=np.nan, ci_high=np.nan)
    axes = precision_at_k(frame, "cosine").axes[0]
    np.testing.assert_allclose(line(axes, "Cr5, joint").get_ydata(), [11])


def test_long_names_make_the_figure_wider_not_the_legend_cut():
    name = "a_name_of_a_system_that_is_longer_than_any_column_of_panels_could_be_" * 2
    figure = precision_at_k(curves(["xx", "yy"], ((name, "joint"),)), "cosine")
    figure.draw_without_rendering()
    box = figure.legends[0].get_window_extent()
    assert 0 <= box.x0 < box.x1 <= figure.bbox.x1


def test_many_curves_neither_cover_the_panels_nor_each_others_names():
    series = ["joint", *[f"joint_{number}-a_longer_name" for number in range(2)]]
    systems = [f"system_{number}" + "x" * 5 * number for number in range(6)]
    frame = curves("abc", [(system, name) for name in series for system in systems])
    figure = precision_at_k(frame.assign(value=0.5, ci_low=0.4, ci_high=0.6), "cosine")
    figure.draw_without_rendering()
    legend = figure.legends[0].get_window_extent()
    assert figure.bbox.x0 <= legend.x0 < legend.x1 <= figure.bbox.x1
    assert figure.bbox.y0 <= legend.y0
    assert legend.y1 <= min(axes.get_tightbbox().y0 for axes in figure.axes)
    boxes = [text.get_window_extent() for text in figure.legends[0].get_texts()]
    assert len(boxes) == 20
    assert not any(a.overlaps(b) for a, b in itertools.combinations(boxes, 2))
