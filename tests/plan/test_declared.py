"""What systems and tasks say of themselves, down to tables and figures, without a list of ours."""

from types import SimpleNamespace

import pandas as pd
import pytest

from cr5.base.errors import UserError
from cr5.base.modules import load_module
from cr5.plan import declared, resources
from cr5.plan.catalogue import PACKAGE, SHARED
from cr5.plan.config import validated
from cr5.plan.declared import metrics, old_metrics
from cr5.plan.fingerprint import fingerprint
from cr5.plan.made_with import MadeWith
from cr5.report.figures import precision_at_k
from cr5.report.first_figure import first_figure
from cr5.report.names import Systems
from cr5.report.systems import systems_table
from cr5.report.table1 import table1

OWN = """
TITLE = "Mine, at last"
REFERENCE = "Somebody, 2031"
COST = (0.25, 3)
COLOUR = "#123456"
NEEDS = ("vectors",)
OPTIONS = {"rank": (5, {"ge": 1}, "dimensions")}


def fit(training, options):
    raise NotImplementedError
"""
GIVEN = {"corpus": {"name": "t", "source": "libreoffice_help"}, "languages": ["da", "en"]}


@pytest.fixture
def own(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(OWN)
    return path


@pytest.fixture
def config(own):
    """A line of configuration is all that a new system needs besides its module."""
    systems = {"cr5": {}, "mine": {"module": str(own)}, "mine_large": {"module": str(own)}}
    systems |= {"lexical_overlap": {}}
    return validated({**GIVEN, "systems": systems, "memory_mb": 8000, "minutes": 60})


def rows(**columns):
    every = pd.DataFrame({"system": ["cr5", "mine", "mine_large"], "value": [0.5, 0.4, 0.3]})
    known = {"setting": "joint", "series": "joint", "kind": "joint", "task": "documents"}
    known |= {"query": "da", "target": "en", "similarity": "cosine", "ci_low": 0.1, "ci_high": 0.9}
    known |= {"n_queries": 200, "n_candidates": 500, "repetitions": 1, "published": float("nan")}
    return every.assign(**known, **columns)


def test_the_plan_requests_what_it_costs(config):
    asked = resources.of("fit", config, SimpleNamespace(system="mine"))
    assert asked == resources.Request(2000, 180)
    assert resources.needing_little(config) == ["cr5", "lexical_overlap"]  # it needs vectors


def test_tables_and_figures_have_its_name_its_colour_and_its_paper(config):
    named = Systems(declared.systems(config))
    scores = rows(metric="Success@1")
    assert [heading for heading, _ in table1(scores, "x", systems=named).blocks] == [
        *("Cr5, joint", "Mine, at last, joint", "Mine, at last (large), joint")
    ]
    means = scores.assign(directions=1)
    nothing = pd.DataFrame(columns=["query", "target"])
    table = systems_table(means, nothing, "x", systems=named)
    assert [row[1] for row in table.blocks[0][1]] == [
        *("Cr5", "Mine, at last", "Mine, at last (large)")
    ]
    assert "Mine, at last, Mine, at last (large): Somebody, 2031" in table.notes[-1]
    curves = pd.concat([rows(k=k, chance=0.01, directions=1) for k in (1, 2)], ignore_index=True)
    figure = precision_at_k(curves.drop(columns="directions"), "cosine", systems=named)
    [legend] = figure.legends
    entries = zip(legend.get_texts(), legend.get_lines(), strict=False)
    colours = {text.get_text(): line.get_color() for text, line in entries}
    assert colours["Mine, at last, joint"] == "#123456"
    assert colours["Cr5, joint"] == "#0072B2"
    assert len(set(colours.values())) == len(colours)
    first = first_figure(curves, "cosine", systems=named)
    lines = {line.get_color() for line in first.axes[0].get_lines()}
    assert lines == {colours[x] for x in colours if x.endswith("joint")}


@pytest.mark.parametrize(
    ("entry", "options", "expected"),
    [
        ("cr5", {}, "Cr5"),
        ("cr5_log", {"module": "cr5"}, "Cr5 (log)"),
        ("baseline", {"module": "cr5"}, "Cr5 (baseline)"),
        ("cr5_log", {"module": "cr5", "title": "Cr5 on logarithms"}, "Cr5 on logarithms"),
    ],
)
def test_titles_of_variants(entry, options, expected):
    assert declared.title(entry, options) == expected


def test_a_module_that_says_nothing_is_called_by_its_entry(tmp_path):
    (tmp_path / "quiet.py").write_text("")
    options = {"module": str(tmp_path / "quiet.py")}
    assert declared.title("mine", options) == "mine"
    assert declared.cost("mine", options) == (1, 4)


def test_every_system_of_ours_has_a_title_of_its_own():
    names = [path.stem for path in (PACKAGE / "systems").glob("[!_]*.py")]
    titles = {declared.title(name, {}) for name in names}
    assert len(titles) == len(names)
    assert not titles & set(names)


def test_what_a_system_says_of_itself_changes_no_fit(own, config):
    before = fingerprint(own)
    made = MadeWith(config, lambda path: "").fit("joint", "cr5", 1)
    titled = validated({**config, "systems": {**config["systems"], "cr5": {"title": "Ours"}}})
    assert MadeWith(titled, lambda path: "").fit("joint", "cr5", 1) == made
    own.write_text(OWN.replace("at last", "again").replace("(0.25, 3)", "(1, 1)"))
    assert fingerprint(own) == before
    own.write_text(OWN.replace("(5, {", "(6, {"))
    assert fingerprint(own) != before


@pytest.fixture
def scored(tmp_path):
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


def test_a_task_declares_its_metrics_or_has_those_of_documents(scored):
    usual = ["Success@1", "Success@5", "Success@10", "RR"]
    assert metrics(scored()) == {"documents": usual, "mine": usual}
    found = metrics(scored("METRICS = ('P@5', 'nDCG')\n"))
    assert found == {"documents": usual, "mine": ["P@5", "nDCG"]}
    assert old_metrics(scored("METRICS = ('P@5', 'nDCG')\n")) == []


def test_the_configuration_may_name_others(scored):
    found = metrics(scored("METRICS = ('P@5',)\n", mine=["R@7"]))
    assert found["mine"] == ["R@7"]


def test_old_names_are_understood_and_the_new_ones_named(scored):
    own = scored("METRICS = ('MRR', 'P@1', 'MAP')\n")
    assert metrics(own)["mine"] == ["RR", "P@1", "AP"]
    one, other = old_metrics(own)
    assert one.endswith("mine.py: METRICS: MRR is now called RR; write RR")
    assert other.endswith("mine.py: METRICS: MAP is now called AP; write AP")


def test_what_is_unknown_is_refused_before_a_run(scored):
    with pytest.raises(UserError, match=r"mine\.py: METRICS: 'accuracy' is no metric; there are"):
        metrics(scored("METRICS = ('accuracy',)\n"))
