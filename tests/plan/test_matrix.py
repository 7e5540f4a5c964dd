"""The configuration expanded by hand, and results that it does not account for."""

import itertools

import pytest

from cr5.base.errors import UserError
from cr5.plan import matrix as plan
from cr5.splits.options import Cut

LANGUAGES = ["en", "vi", "da", "it"]


BOTH = ["cr5", "lexical_overlap"]


TASKS = ("documents",)


def joint(*languages, systems=BOTH):
    """A setting in validated form, as the next two."""
    return {"kind": "joint", "languages": list(languages or LANGUAGES), "systems": list(systems)}


def pairwise(*pairs, systems=BOTH):
    return {
        "kind": "pairwise",
        "pairs": [pair.split("-") for pair in pairs],
        "systems": list(systems),
    }


@pytest.fixture
def config():
    """In validated form: all that the matrix reads."""
    return {
        "languages": list(LANGUAGES),
        "seed": 123,
        "repetitions": 1,
        "splits": {"redraw": True},
        "systems": {"cr5": {"rank": 3}, "lexical_overlap": {}},
        "tasks": {"documents": {}},
        "settings": {
            "joint": joint(),
            "pairwise": pairwise("en-it", "vi-da", systems=["cr5"]),
        },
    }


def named(rows):
    return [(row.setting.name, row.system, row.repetition, row.task) for row in rows]


def test_settings_by_hand(config):
    languages = ("da", "en", "it", "vi")
    pairs = tuple(itertools.combinations(languages, 2))
    en_it, da_vi = ("en", "it"), ("da", "vi")
    expected = [
        plan.Setting("joint", "joint", "joint", languages, tuple(BOTH), TASKS, pairs),
        plan.Setting("pairwise_en-it", "pairwise", "pairwise", en_it, ("cr5",), TASKS, (en_it,)),
        plan.Setting("pairwise_da-vi", "pairwise", "pairwise", da_vi, ("cr5",), TASKS, (da_vi,)),
    ]
    assert plan.settings(config) == {each.name: each for each in expected}


def test_a_model_for_each_number_of_training_concepts(config):
    """Each knows the next smaller number; the pair alone is searched, whoever else trains."""
    common = {"kind": "low_resource", "systems": ["cr5"], "shared": "split", "max_share": 0.4}
    config["settings"] = {
        "few": {**common, "pairs": [["vi", "da"]], "concepts": [10, 300]},
        "with": {**common, "pairs": [["da", "vi"]], "concepts": [10], "via": ["it", "en"]},
    }
    found = plan.settings(config)
    pair, every = ("da", "vi"), ("da", "en", "it", "vi")
    assert found == {
        name: plan.Setting(name, series, "low_resource", languages, ("cr5",), TASKS, (pair,), cut)
        for name, series, languages, cut in [
            ("few_da-vi_10", "few", pair, Cut(pair, 10, "split", 0.4, 0)),
            ("few_da-vi_300", "few", pair, Cut(pair, 300, "split", 0.4, 10)),
            ("with_da-vi_10", "with", every, Cut(pair, 10, "split", 0.4, 0)),
        ]
    }
    assert plan.searched_pairs(config) == [pair]


def test_a_pair_that_others_link(config):
    options = {"kind": "transitive", "pairs": [["vi", "da"]], "via": ["en"]}
    config["settings"] = {"transitive": {**options, "systems": ["cr5"]}}
    [found] = plan.settings(config).values()
    assert (found.name, found.languages) == ("transitive_da-vi", ("da", "en", "vi"))
    assert found.pairs == (("da", "vi"),)
    assert found.cut == Cut(("da", "vi"), 0, "drop")


def test_two_settings_of_one_name_are_refused(config):
    config["settings"]["pairwise_en-it"] = joint()
    expected = r"settings\.pairwise_en-it and settings\.pairwise: both have .*'pairwise_en-it'"
    with pytest.raises(UserError, match=expected):
        plan.settings(config)


def test_the_matrix_by_hand(config):
    config |= {"repetitions": 2, "tasks": {"documents": {}, "lexicon_induction": {}}}
    config["settings"] = {
        "joint": joint(systems=["lexical_overlap"]),
        "pairwise": pairwise("vi-da"),
    }
    expected = [
        (setting, system, repetition, task)
        for setting, system in (
            ("joint", "lexical_overlap"),
            ("pairwise_da-vi", "cr5"),
            ("pairwise_da-vi", "lexical_overlap"),
        )
        for repetition in (1, 2)
        for task in ("documents", "lexicon_induction")
    ]
    assert named(plan.matrix(config)) == expected


def test_seeds_of_repetitions(config):
    seeds = [plan.seed_of(123, repetition) for repetition in range(1, 101)]
    assert seeds[0] == 123
    assert len(set(seeds)) == 100
    assert all(0 <= seed < 2**32 for seed in seeds)
    # of another run's seed there is no overlap either: it is not counted up from it
    assert not set(seeds) & {plan.seed_of(124, repetition) for repetition in range(1, 101)}


def test_a_quick_look_is_of_the_main_task_wherever_it_stands(config):
    config["tasks"] = {"lexicon_induction": {}, "documents": {}}
    config["settings"]["joint"]["tasks"] = ["lexicon_induction"]
    assert plan.main_task(config) == "documents"
    found = named(plan.quick(plan.matrix(config), plan.main_task(config), ["cr5"]))
    assert found == [("pairwise_en-it", "cr5", 1, "documents")]
    assert plan.main_task({"tasks": {"lexicon_induction": {}, "lines": {}}}) == "lexicon_induction"
