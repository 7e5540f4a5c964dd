import pandas as pd
import pytest

from cr5.report.validation_figures import dimension_figure, validation_figure

NAN = float("nan")


def grid(system, *entries, chosen=0, setting="joint", repetition=1, criterion="mrr"):
    """Each entry: options, and the score; as a file has them."""
    rows = [
        {"fit": number, "option": option, "value": value, "score": score}
        | {"query": NAN, "chosen": number == chosen}
        for number, (options, score) in enumerate(entries)
        for option, value in options.items()
    ]
    about = {"setting": setting, "series": setting, "kind": "joint", "system": system}
    about |= {"repetition": repetition, "criterion": criterion}
    return pd.DataFrame(rows).assign(**about)


def points(line):
    return list(zip(map(float, line.get_xdata()), map(float, line.get_ydata()), strict=True))


def drawn(*grids, draw=dimension_figure):
    return draw(pd.concat(grids, ignore_index=True))


OPCA = grid(
    "opca",
    ({"dimension": 200, "gamma": 0.1}, 0.7),
    ({"dimension": 50, "gamma": 0.1}, 0.6),
    ({"dimension": 200, "gamma": 1.0}, 0.65),
    ({"dimension": 50, "gamma": 1.0}, 0.68),
)
CR5 = grid("cr5", ({"rank": 100, "ridge": 1.0}, 0.5), ({"rank": 20, "ridge": 1.0}, 0.8), chosen=1)


def test_rank_and_dimension_share_a_panel_with_the_best_of_other_options():
    [axes] = drawn(OPCA, CR5).axes
    assert (axes.get_title(), axes.get_xscale()) == ("joint", "log")
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("dimension", "MRR (validation)")
    opca, ring_of_opca, cr5, ring_of_cr5 = axes.get_lines()
    assert points(opca) == [(50, 0.68), (200, 0.7)]
    assert points(ring_of_opca) == [(200, 0.7)]
    assert points(cr5) == [(20, 0.8), (100, 0.5)]
    assert points(ring_of_cr5) == [(20, 0.8)]


def test_of_repetitions_the_mean_and_every_choice():
    [axes] = drawn(
        grid("x", ({"dimension": 10}, 0.5), ({"dimension": 20}, 0.75)),
        grid("x", ({"dimension": 10}, 0.25), ({"dimension": 20}, 0.25), repetition=2, chosen=1),
        grid("y", ({"dimension": 10}, 0.5), ({"dimension": 20}, 0.5)),
        grid("y", ({"dimension": 10}, 0.5), ({"dimension": 40}, 0.5), repetition=2),
    ).axes
    x, ring, y, _ = axes.get_lines()
    assert points(x) == points(ring) == [(10, 0.375), (20, 0.5)]
    assert points(y) == [(10, 0.5)]  # of 20 and 40 one repetition says nothing


def test_without_a_dimension_a_line_at_the_best():
    [axes] = drawn(OPCA, grid("cr5", ({"ridge": 1.0}, 0.3), ({"ridge": 2.0}, 0.4))).axes
    line = axes.get_lines()[-1]
    assert set(line.get_ydata()) == {0.4}
    assert line.get_marker() == "None"
    assert line.get_linestyle() == "--"


def test_a_panel_for_each_setting_with_a_choice():
    one = grid("x", ({"dimension": 10}, 0.5), ({"dimension": 20}, 0.5), setting="two")
    figure = drawn(OPCA, one, grid("y", ({"dimension": 10}, 0.5), setting="no choice"))
    assert [axes.get_title() for axes in figure.axes] == ["joint", "two"]
    assert len({axes.get_ylim() for axes in figure.axes}) == 1  # so that panels can be compared


TRIED = (
    *(({"ridge": 1.0, "rank": 20}, 0.6), ({"ridge": 1.0, "rank": 10}, 0.4)),
    *(({"ridge": 0.1, "rank": 20}, 0.5), ({"ridge": 0.1, "rank": 10}, NAN)),
)


def test_a_panel_for_each_setting_and_option_with_the_best_of_the_others():
    grids = [grid("cr5", *TRIED, setting=x, criterion="p@1") for x in ("joint", "pairwise")]
    figure = drawn(*grids, draw=validation_figure)
    titles = [(axes.get_title(), axes.get_xlabel()) for axes in figure.axes]
    assert titles == [
        *[("joint", "ridge (λ)"), ("joint", "dimension")],
        *[("pairwise", "ridge (λ)"), ("pairwise", "dimension")],
    ]
    curve, ring = figure.axes[0].get_lines()
    assert points(curve) == [(0.1, 0.5), (1.0, 0.6)]
    assert points(ring) == [(1.0, 0.6)]
    curve, ring = figure.axes[1].get_lines()
    assert points(curve) == [(10.0, 0.4), (20.0, 0.6)]
    assert points(ring) == [(20.0, 0.6)]
    assert figure.axes[0].get_xscale() == "log"
    assert figure.axes[0].get_ylabel() == "P@1"


def test_where_less_is_better_the_best_is_the_least():
    entries = [({"dimension": d, "y": y}, s) for d, y, s in ((5, 1, 3), (5, 2, 2), (9, 1, 4))]
    [axes] = drawn(grid("x", *entries, criterion="authors")).axes
    assert points(axes.get_lines()[0]) == [(5, 2), (9, 4)]
    entries = [({"x": 0, "y": y}, s) for y, s in (("l1", 3.0), ("l2", 2.0), ("l1", 2.5))]
    of_text = grid("x", *entries, chosen=1, criterion="authors")
    [axes] = drawn(of_text, draw=validation_figure).axes  # x has but one value
    assert points(axes.get_lines()[0]) == [(0.0, 2.5), (1.0, 2.0)]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["l1", "l2"]


@pytest.mark.parametrize(
    ("draw", "option", "values", "labels"),
    [
        (dimension_figure, "dimension", [10, 300], ["10", "300"]),
        (validation_figure, "ridge", [0.001, 10**-1.5], ["0.001", "0.032"]),
    ],
)
def test_numbers_have_labels_of_two_digits_and_no_powers(draw, option, values, labels):
    [axes] = drawn(grid("x", *[({option: value}, 0.5) for value in values]), draw=draw).axes
    assert [label.get_text() for label in axes.get_xticklabels()] == labels


@pytest.mark.parametrize(
    ("draw", "ridges", "said"),
    [
        (dimension_figure, [1.0, 2.0], "No dimension was chosen"),
        (validation_figure, [1.0], "Nothing was chosen"),
    ],
)
def test_nothing_was_chosen(draw, ridges, said):
    figure = drawn(grid("x", *[({"ridge": ridge}, 0.5) for ridge in ridges]), draw=draw)
    assert not figure.axes
    assert said in figure.texts[0].get_text()
