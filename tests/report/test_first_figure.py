from itertools import pairwise

import pandas as pd
import pytest
from matplotlib.text import Text

from cr5.base.errors import UserError
from cr5.report.canvas import look
from cr5.report.first_figure import APART, apart, chosen, first_figure
from cr5.report.names import Systems

SYSTEMS = Systems(
    {
        "opca": {},
        "cr5": {"title": "Cr5", "colour": "#0072B2"},
        "procrustes": {"maps_vectors": True},
        "advrefine": {"maps_vectors": True},
    }
)
AT_ONE = {"best$": 0.5, "cr5": 0.4, "opca": 0.3, "advrefine": 0.1, "procrustes": 0.2}
AT_ONE |= {"lexical_overlap": 0.05}


def curves(at_one=AT_ONE, **changes):
    """Success@k that doubles with k, to the number of systems that are asked for."""
    rows = [
        {"system": system, "k": k, "value": min(1, value * k), "ci_low": 0, "ci_high": 1}
        for system, value in at_one.items()
        for k in (1, 2, 3)
    ]
    about = {"setting": "low_resource_da-en_50", "task": "documents", "similarity": "cosine"}
    about |= {"n_queries": 1234, "n_candidates": 99.6, "directions": 12, **changes}
    return pd.DataFrame(rows).assign(**about)


def texts(figure):
    return [text.get_text() for text in figure.axes[0].texts]


@pytest.mark.parametrize(
    ("without", "expected"),
    [
        ([], ["best$", "cr5", "procrustes", "lexical_overlap"]),
        (["best$"], ["cr5", "opca", "procrustes", "lexical_overlap"]),
        (["procrustes", "advrefine"], ["best$", "cr5", "opca", "lexical_overlap"]),
        (["cr5", "lexical_overlap"], ["best$", "opca", "procrustes", "advrefine"]),
        ([x for x in AT_ONE if x != "opca"], ["opca"]),
    ],
)
def test_the_best_cr5_word_vectors_and_the_floor(without, expected):
    found = {name: value for name, value in AT_ONE.items() if name not in without}
    assert chosen(curves(found), SYSTEMS) == expected


def test_lines_are_values_in_percent_in_the_colours_of_all_figures():
    axes = first_figure(curves(), "cosine", systems=SYSTEMS).axes[0]
    assert [list(line.get_ydata()) for line in axes.lines] == [
        pytest.approx(y) for y in ([50, 100, 100], [40, 80, 100], [20, 40, 60], [5, 10, 15])
    ]
    assert axes.lines[1].get_color() == look(SYSTEMS, "cr5")["color"] == "#0072B2"


def test_labels_stand_at_the_lines_and_the_picture_says_what_bands_are():
    figure = first_figure(curves(), "cosine", systems=SYSTEMS)
    assert texts(figure)[:2] == ["best\\$\nSuccess@1 50.0", "Cr5\nSuccess@1 40.0"]
    assert texts(figure)[-1] == "bands: 95 % intervals"
    title = figure.axes[0].get_title("left")
    assert title == (
        "low resource, da–en, 50 concepts: mean over 12 directions, 1,234 queries, 100 candidates"
    )


def test_labels_neither_overlap_nor_leave_the_picture():
    figure = first_figure(curves(dict.fromkeys(AT_ONE, 0.5)), "cosine")
    figure.draw_without_rendering()
    boxes = [Text.get_window_extent(text) for text in figure.axes[0].texts]
    for i, one in enumerate(boxes):
        assert not any(one.overlaps(other) for other in boxes[i + 1 :])
        assert figure.bbox.x1 >= one.x1 and figure.bbox.y1 >= one.y1


@pytest.mark.parametrize("places", [[50.0], [100, 100, 100, 99], [0, 0, 1, 90], [5, 90, 2, 91]])
def test_apart(places):
    found = apart(places)
    order = sorted(range(len(places)), key=lambda i: (places[i], -i))
    gaps = [found[b] - found[a] for a, b in pairwise(order)]
    assert all(gap >= APART - 1e-9 for gap in gaps)
    assert all(0 <= place <= 100 for place in found)


def test_of_labels_in_one_place_the_first_is_the_highest():
    assert apart([100, 100, 20]) == [100, 100 - APART, 20]


def test_no_curve_meets_what_the_picture_says_of_bands():
    figure = first_figure(curves(dict.fromkeys(AT_ONE, 1)), "cosine")
    figure.draw_without_rendering()
    assert not figure.axes[0].texts[-1].get_window_extent().overlaps(figure.axes[0].bbox)


def test_the_setting_of_the_most_directions_and_only_what_is_asked_for():
    other = curves({"cr5": 0.9}, setting="pairwise", directions=2)
    words = curves({"cr5": 0.8}, task="words", directions=30)
    figure = first_figure(pd.concat([other, words, curves()], ignore_index=True), "cosine")
    assert len(figure.axes[0].lines) == 4
    with pytest.raises(UserError, match="similarity csls"):
        first_figure(curves(), "csls")


def test_the_same_curves_give_the_same_bytes(check_bytes):
    check_bytes(lambda: first_figure(curves(), "cosine"))
