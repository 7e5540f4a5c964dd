"""By which metrics tasks are scored."""

import pytest

from cr5.base.errors import UserError
from cr5.base.modules import load_module
from cr5.plan.catalogue import PACKAGE, SHARED
from cr5.plan.declared import metrics, old_metrics


@pytest.fixture
def config(tmp_path):
    """A function: a configuration with a task of one's own, of which it has this source code."""

    def make(source="", **given):
        path = tmp_path / "mine.py"
        path.write_text(source)
        tasks = {"documents": {}, "mine": {"module": str(path)}}
        return {"tasks": tasks, "evaluation": {"metrics": given}}

    return make


@pytest.mark.parametrize(
    "name", [path.stem for path in (PACKAGE / "tasks").glob("[!_]*.py") if path.stem not in SHARED]
)
def test_every_task_declares_metrics_that_can_be_read_without_running_it(name):
    config = {"tasks": {name: {}}, "evaluation": {"metrics": {}}}
    declared = load_module(PACKAGE / "tasks" / f"{name}.py", "searches").METRICS
    assert metrics(config) == {name: list(declared)}


def test_a_task_declares_its_metrics_or_has_those_of_documents(config):
    usual = ["Success@1", "Success@5", "Success@10", "RR"]
    assert metrics(config()) == {"documents": usual, "mine": usual}
    found = metrics(config("METRICS = ('P@5', 'nDCG')\n"))
    assert found == {"documents": usual, "mine": ["P@5", "nDCG"]}
    assert old_metrics(config("METRICS = ('P@5', 'nDCG')\n")) == []


def test_the_configuration_may_name_others(config):
    found = metrics(config("METRICS = ('P@5',)\n", mine=["R@7"]))
    assert found["mine"] == ["R@7"]


def test_old_names_are_understood_and_the_new_ones_named(config):
    own = config("METRICS = ('MRR', 'P@1', 'MAP')\n")
    assert metrics(own)["mine"] == ["RR", "P@1", "AP"]
    one, other = old_metrics(own)
    assert one.endswith("mine.py: METRICS: MRR is now called RR; write RR")
    assert other.endswith("mine.py: METRICS: MAP is now called AP; write AP")


def test_what_is_unknown_is_refused_before_a_run(config):
    with pytest.raises(UserError, match=r"mine\.py: METRICS: 'accuracy' is no metric; there are"):
        metrics(config("METRICS = ('accuracy',)\n"))
