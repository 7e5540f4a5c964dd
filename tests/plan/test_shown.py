"""Tables, figures, curves and examples of a run."""

from pathlib import Path

import pytest
import yaml

from cr5.plan import shown
from cr5.plan.config import validated
from cr5.plan.shown import Point, examples, figures, first_tables, tables
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
    curves = {f"precision_at_k{x}" for x in ("", "_pairs")}
    assert stems(figures(config())) == {f"figures/{x}" for x in (*curves, "validation", "overlap")}
    assert [x.of for x in figures(config()) if x.kind == "precision_at_k_pairs"] == ["csls"]


def test_a_first_look_has_two_of_them():
    assert stems(first_tables(config(), "quick")) == {"quick/systems", "quick/table1"}


def test_each_task_has_its_tables():
    tasks = {
        "documents": {},
        "words": {"module": "lexicon_induction"},
        "sentences": {"min_words": 5},
    }
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


PAIR = ("da", "vi")
FEW = {"kind": "low_resource", "pairs": ["vi-da"], "concepts": [50, 100]}
LINKED = {"kind": "transitive", "pairs": ["da-vi"], "via": ["en"]}


@pytest.fixture
def given_settings():
    def make(**settings):
        return validated(
            {
                "corpus": {"name": "x", "source": "libreoffice_help"},
                "languages": ["da", "en", "vi"],
                "settings": settings,
            }
        )

    return make


def test_a_curve_ends_with_the_same_languages_uncut(given_settings):
    given = given_settings(
        joint={},
        pairwise={"pairs": ["da-en", "da-vi"]},
        few=FEW,
        more={**FEW, "via": ["en"]},
        transitive=LINKED,
    )
    assert shown.add_data(given) == [
        Point("few", PAIR, "few_da-vi_50"),
        Point("few", PAIR, "few_da-vi_100"),
        Point("few", PAIR, "pairwise_da-vi"),
        Point("more", PAIR, "more_da-vi_50"),
        Point("more", PAIR, "more_da-vi_100"),
        Point("more", PAIR, "joint"),
    ]
    assert shown.drawn_there(given) == [
        *["few_da-vi_50", "few_da-vi_100", "more_da-vi_50", "more_da-vi_100"]
    ]


def test_each_pair_has_a_curve_of_its_own(given_settings):
    found = shown.add_data(given_settings(few={**FEW, "pairs": ["da-vi", "da-en"]}))
    assert [(x.pair, x.setting) for x in found] == [
        (PAIR, "few_da-vi_50"),
        (PAIR, "few_da-vi_100"),
        (("da", "en"), "few_da-en_50"),
        (("da", "en"), "few_da-en_100"),
    ]


def test_nothing_to_draw_without_several_numbers(given_settings):
    one = {**FEW, "concepts": [50]}
    for settings in ({"joint": {}}, {"joint": {}, "few": one}, {"transitive": LINKED}):
        assert shown.add_data(given_settings(**settings)) == []
        assert shown.drawn_there(given_settings(**settings)) == []


def test_other_figures_are_not_left_without_any_setting(given_settings):
    assert shown.drawn_there(given_settings(few=FEW)) == []


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"ranks": [10, 20]}, True),
        ({"ranks": [10, 10]}, False),
        ({"ranks": 10}, False),
        ({}, False),
        ({"dimensions": [10, 20]}, True),
        ({"dimensions": [10, 20], "via": None}, False),
        ({"dimensions": [10, 20], "via": "lsa"}, True),
    ],
)
def test_whether_dimensions_are_chosen(given_settings, options, expected):
    given = given_settings(joint={"systems": ["cr5"]}, other={"kind": "joint", "systems": ["cr5"]})
    given["systems"] = {"cr5": options, "unused": {"dimensions": [1, 2]}}
    assert shown.has_dimensions(given) == expected


def with_examples():
    return {
        "languages": ["da", "en", "it"],
        "repetitions": 2,
        "systems": {"cr5": {}, "lexical_overlap": {}},
        "tasks": {"ad_hoc": {}, "documents": {}},
        "settings": {
            "joint": {
                "kind": "joint",
                "languages": ["da", "en", "it"],
                "systems": ["cr5", "lexical_overlap"],
            },
            "pairwise": {
                "kind": "pairwise",
                "pairs": [["en", "it"], ["da", "en"]],
                "systems": ["cr5"],
            },
        },
        "evaluation": {"examples": {"queries": 2}},
    }


def test_whose_examples():
    row = examples(with_examples(), "documents")
    assert (row.setting.name, row.system) == ("joint", "cr5")
    assert (row.repetition, row.task) == (1, "documents")
