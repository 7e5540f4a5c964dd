from itertools import pairwise

from cr5.report import canvas
from cr5.report.canvas import COLOURS, MARKERS, look
from cr5.report.names import FLOOR, OURS, SYSTEMS, WORD_VECTORS


def test_a_system_looks_the_same_whatever_else_is_drawn():
    assert look("cr5") == {"color": "#0072B2", "marker": "o"}
    assert look("mine") == look("mine")
    assert look("mine")["color"] in COLOURS and look("mine")["marker"] in MARKERS


def test_known_systems_differ_and_neighbours_in_colour_and_marker():
    looks = [tuple(look(system).values()) for system in SYSTEMS]
    assert len(set(looks)) == len(looks)
    for one, other in pairwise(looks):
        assert one[0] != other[0] and one[1] != other[1]


def test_what_a_first_figure_names_is_known():
    assert {OURS, FLOOR, *WORD_VECTORS} <= SYSTEMS.keys()


def test_the_last_digits_of_the_solver_of_the_layout_are_dropped():
    with canvas.drawn() as figure:
        figure.subplots(3, 4)
    bounds = [x for axes in figure.axes for x in axes.get_position().bounds]
    assert len(bounds) == 48
    assert all(f"{x:.6f}".rstrip("0") == f"{x:.12f}".rstrip("0") for x in bounds)
