"""The plan of a run on one screen."""

from snakemake_logger_plugin_cr5.plan import plan
from snakemake_logger_plugin_cr5.stages import by_stage

JOBS = {"default": 1, "fit": 18, "bags": 2, "documents": 1, "rank": 38, "own_rule": 1, "total": 61}


def test_stages_are_in_the_order_of_the_flow():
    assert by_stage(JOBS) == {"corpus": 1, "bags": 2, "fits": 18, "ranks": 38, "own_rule": 1}
    assert [*by_stage(JOBS)] == ["corpus", "bags", "fits", "ranks", "own_rule"]


def test_numbers_then_errors():
    findings = ["error    no contact", "warning  little room"]
    lines = [*plan(JOBS, {"source": 1, "bags": 2, "fit": 0}, findings)]
    rows = {line.split()[0]: line.split()[1:] for line in lines[1:7]}
    assert rows["corpus"] == ["1", "1"] and rows["bags"] == ["2", "2"]
    assert rows["fits"] == ["18", "0"] and rows["all"] == ["60", "3"]
    assert lines[-3:] == [
        "warning  little room",
        "error    no contact",
        "Such a run would not start until it is corrected.",
    ]


def test_nothing_to_do():
    lines = [*plan({}, {"fit": 2}, [])]
    assert lines == ["Nothing to do: every result is there and up to date."]
