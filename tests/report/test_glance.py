"""The main table on a terminal."""

import pytest

from cr5.report.glance import MOST, glance
from cr5.report.names import Systems

SYSTEMS = Systems({"cr5": {"title": "Cr5"}})


@pytest.fixture
def shown(tmp_path):
    """A function: what a terminal of a width shows of rows of systems.csv."""

    def make(*rows, width=80):
        head = "setting,system,task,similarity,metric,value,best"
        (tmp_path / "systems.csv").write_text("\n".join([head, *rows]))
        return glance(tmp_path / "systems.csv", width, SYSTEMS)

    return make


def test_the_first_task_and_measure_in_percent(shown):
    title, *lines = shown(
        "joint,cr5,documents,cosine,Success@1,0.331,True",
        "joint,mine,documents,cosine,Success@1,0.064,False",
        "joint,mine,documents,csls,Success@1,1,True",
        "joint,mine,words,cosine,Success@1,1,True",
        "pairwise,cr5,documents,cosine,Success@1,,False",
    )
    assert title.startswith("documents, cosine, means in percent; *: the best")
    assert [line.split() for line in lines] == [
        ["setting", "system", "Success@1"],
        ["joint", "Cr5", "*33.1"],
        ["joint", "mine", "6.4"],
        ["pairwise", "Cr5"],
    ]


@pytest.mark.parametrize(("width", "left"), [(120, [0, 1, 2, 3]), (82, [0, 2, 3]), (70, [0, 2])])
def test_it_fits_the_terminal(shown, width, left):
    metrics = ["Success@1", "Success@5", "Success@10", "RR"]
    rows = [f"low_resource_joint_da-vi_200,a_name,documents,cosine,{x},0.1,True" for x in metrics]
    lines = shown(*rows, width=width)[1:]
    assert max(map(len, lines)) <= width
    assert lines[0].split()[2:] == [metrics[i] for i in left]


def test_many_rows_are_cut_and_none_are_nothing(shown):
    rows = [f"joint,s{i},documents,cosine,P@1,0.5,False" for i in range(MOST + 3)]
    assert shown(*rows)[-1] == "and 3 rows more"
    assert shown() == []
