from pathlib import Path

import pytest
import yaml

from cr5.plan import told
from cr5.plan.config import validated
from cr5.plan.shown import figures, first_tables, tables
from cr5.report import all_figures, all_tables

CONFIG = Path(__file__).parents[2] / "config"


def config(**changes):
    given = {
        "corpus": {"name": "mine", "source": "files", "path": "{language}.jsonl"},
        "languages": ["da", "en"],
        "systems": {"cr5": {}},
        "settings": {"joint": {}},
    }
    return validated({**given, **changes})


def stems(items):
    return {x.stem for x in items}


def test_little_has_the_tables_that_every_run_has():
    every = {"systems", "table1", "by_accuracy/documents", "reproduction", "table2"}
    assert stems(tables(config())) == {f"tables/{x}" for x in (*every, "languages", "pairs")}
    names = ("precision_at_k", "precision_at_k_all", "precision_at_k_csls", "validation", "overlap")
    assert stems(figures(config())) == {f"figures/{x}" for x in names}


def test_a_first_look_has_two_of_them():
    assert stems(first_tables(config(), "quick")) == {"quick/systems", "quick/table1"}


def test_each_task_has_its_tables():
    tasks = {"documents": {}, "words": {"dictionaries": "freedict"}, "sentences": {"min_words": 5}}
    found = tables(config(corpus={"name": "x", "source": "libreoffice_help"}, tasks=tasks))
    of = {(x.stem, x.kind, x.of) for x in found if x.of}
    assert of == {
        ("tables/table1", "table1", "documents"),
        ("tables/by_accuracy/documents", "by_accuracy", "documents"),
        ("tables/tasks/words", "task", "words"),
        ("tables/dictionaries/words", "dictionaries", "words"),
        ("tables/tasks/sentences", "task", "sentences"),
    }


def test_figures_of_what_is_varied():
    low = {"pairs": ["da-en"], "concepts": [50, 200]}
    varied = config(
        systems={"cr5": {"ranks": [10, 20]}}, settings={"joint": {}, "low_resource": low}
    )
    assert stems(figures(varied)) - stems(figures(config())) == {
        "figures/dimensions",
        "figures/add_data",
    }


@pytest.mark.parametrize("items", [tables, figures])
def test_every_kind_can_be_made(items):
    made = all_tables.KINDS if items is tables else all_figures.KINDS
    given = validated(yaml.safe_load((CONFIG / "config.yaml").read_text(encoding="utf-8")))
    assert {x.kind for x in items(given)} <= set(made)


def test_what_they_are_told_is_of_the_configuration():
    found = told.told(config(), "whole")
    assert (found["corpus"], found["configuration"]) == ("mine", "whole")
    assert found["shown"] == ["da", "en"]
    assert found["similarity"] == "cosine"
    assert found["printed"] == {"documents": "Table 1"}
    assert [x["system"] for x in found["fits"]] == ["cr5"]
