from cr5.plan import shown
from cr5.report import canvas
from cr5.report.canvas import COLOURS, MARKERS, look
from cr5.report.names import Systems


def systems(*names, **colours):
    return Systems({name: {"colour": colours.get(name)} for name in names})


def test_a_system_has_the_colour_that_it_declares_in_whatever_run():
    for run in (systems("a", "cr5", cr5="#0072B2"), systems("cr5", cr5="#0072B2")):
        assert look(run, "cr5") == {"color": "#0072B2", "marker": "o"}
    assert look(systems("mine", mine="#ABCDEF"), "mine")["color"] == "#ABCDEF"


def test_all_systems_of_a_run_differ_and_those_without_a_colour_get_free_ones():
    names = [f"s{i}" for i in range(40)]
    run = systems(*names, s3="#0072B2", s7="#009E73", s9="#009E73")  # the second has to give way
    looks = [tuple(look(run, system).values()) for system in names]
    assert len(set(looks)) == len(looks)
    assert {colour for colour, _ in looks} <= {*COLOURS} and {m for _, m in looks} <= {*MARKERS}
    assert looks[7][0] == "#009E73"
    few = systems("a", "b", "c", "d", c="#D55E00")
    assert len({look(few, x)["color"] for x in "abcd"}) == 4


def test_the_look_of_a_system_without_a_colour_does_not_depend_on_its_place():
    alone = look(systems("mine"), "mine")
    free = next(x for x in COLOURS if x != alone["color"])
    assert look(systems("cr5", "mine", cr5=free), "mine") == alone


def test_best_and_cr5_spelling_differ():
    """Both are in the default run, and `best` is light blue in whatever run."""
    for names in (["best"], ["cr5_spelling", "best"], ["best", "cr5_spelling"]):
        run = Systems(shown.systems({"systems": {x: {} for x in names}}))
        assert look(run, "best")["color"] == "#56B4E9"


def test_a_system_that_is_not_in_the_configuration_has_a_look_too():
    assert look(Systems(), "mine") == look(Systems(), "mine")
    assert look(Systems(), "mine")["color"] in COLOURS


def test_the_last_digits_of_the_solver_of_the_layout_are_dropped():
    with canvas.drawn() as figure:
        figure.subplots(3, 4)
    bounds = [x for axes in figure.axes for x in axes.get_position().bounds]
    assert len(bounds) == 48
    assert all(f"{x:.6f}".rstrip("0") == f"{x:.12f}".rstrip("0") for x in bounds)
