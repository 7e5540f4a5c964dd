"""The main table on a terminal."""

from functools import partial

import pytest

from cr5.report import glance as module
from cr5.report.glance import MOST
from cr5.report.names import Systems

glance = partial(module.glance, systems=Systems({"cr5": {"title": "Cr5"}}))

HEADER = "setting,system,task,similarity,metric,value,best"


@pytest.fixture
def table(tmp_path):
    """Gives a function that writes rows of systems.csv."""

    def write(*rows):
        (tmp_path / "systems.csv").write_text("\n".join([HEADER, *rows]))
        return tmp_path / "systems.csv"

    return write


def of(setting, system, **values):
    return [f"{setting},{system},documents,cosine,{k},{v},False" for k, v in values.items()]


def test_the_first_task_and_measure_in_percent(table):
    rows = ["joint,cr5,documents,cosine,Success@1,0.331,True"]
    rows += [
        "joint,mine,documents,cosine,Success@1,0.064,False",
        "joint,mine,documents,csls,Success@1,1,True",
    ]
    rows += [
        "joint,mine,words,cosine,Success@1,1,True",
        "pairwise,cr5,documents,cosine,Success@1,,False",
    ]
    title, *lines = glance(table(*rows))
    assert title.startswith("documents, cosine, means in percent; *: the best")
    assert [line.split() for line in lines] == [
        ["setting", "system", "Success@1"],
        ["joint", "Cr5", "33.1*"],
        ["joint", "mine", "6.4"],
        ["pairwise", "Cr5"],
    ]


@pytest.mark.parametrize(
    ("width", "shown"),
    [
        (40, ["Success@1", "Success@10"]),
        (60, ["Success@1", "Success@10"]),
        (80, ["Success@1", "Success@10"]),
        (90, ["Success@1", "Success@10", "RR"]),
        (120, ["Success@1", "Success@5", "Success@10", "RR"]),
    ],
)
def test_it_fits_the_terminal(table, width, shown):
    values = {"Success@1": 0.1, "Success@5": 0.2, "Success@10": 0.3, "RR": 0.4}
    rows = of("joint", "a_name_of_some_length", **values)
    rows += of("low_resource_joint_da-vi_200", "cr5", **values)
    lines = glance(table(*rows), width)
    assert max(map(len, lines[1:])) < width
    assert lines[1].split()[2:] == shown
    assert "10.0" in lines[2] and "30.0" in lines[2]


def test_many_rows_are_cut_and_none_are_nothing(table):
    rows = [x for i in range(MOST + 3) for x in of("joint", f"s{i}", P=0.5)]
    assert glance(table(*rows))[-1] == "and 3 rows more"
    assert glance(table()) == []
