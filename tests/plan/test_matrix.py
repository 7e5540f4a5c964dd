"""The configuration expanded by hand, and results that it does not account for."""

import itertools

import pytest

from cr5.base.errors import UserError
from cr5.plan import matrix as plan
from cr5.plan.config import validated
from cr5.splits.options import Cut

BOTH = ("cr5", "lexical_overlap")
TASKS = ("documents",)


def configured(settings, **changes):
    given = {
        "corpus": {"name": "x", "source": "libreoffice_help"},
        "languages": ["en", "vi", "da", "it"],
        "systems": {"cr5": {"rank": 3}, "lexical_overlap": {}},
        "settings": settings,
    }
    return validated(given | changes)


def named(rows):
    return [(row.setting.name, row.system, row.repetition, row.task) for row in rows]


def test_settings_by_hand():
    languages = ("da", "en", "it", "vi")
    pairs = tuple(itertools.combinations(languages, 2))
    en_it, da_vi = ("en", "it"), ("da", "vi")
    expected = [
        plan.Setting("joint", "joint", "joint", languages, BOTH, TASKS, pairs),
        plan.Setting("pairwise_en-it", "pairwise", "pairwise", en_it, ("cr5",), TASKS, (en_it,)),
        plan.Setting("pairwise_da-vi", "pairwise", "pairwise", da_vi, ("cr5",), TASKS, (da_vi,)),
    ]
    given = configured({"joint": {}, "pairwise": {"pairs": ["en-it", "vi-da"], "systems": ["cr5"]}})
    assert given.trained == {each.name: each for each in expected}


def test_a_model_for_each_number_of_training_concepts():
    """Each knows the next smaller number; the pair alone is searched, whoever else trains."""
    common = {"kind": "low_resource", "shared": "split", "max_share": 0.4}
    few = {**common, "pairs": ["vi-da"], "concepts": [10, 300]}
    linked = {**common, "pairs": ["da-vi"], "concepts": [10], "via": ["it", "en"]}
    given = configured({"few": few, "with": linked})
    pair, every = ("da", "vi"), ("da", "en", "it", "vi")
    assert given.trained == {
        name: plan.Setting(name, series, "low_resource", languages, BOTH, TASKS, (pair,), cut)
        for name, series, languages, cut in [
            ("few_da-vi_10", "few", pair, Cut(pair, 10, "split", 0.4, 0)),
            ("few_da-vi_300", "few", pair, Cut(pair, 300, "split", 0.4, 10)),
            ("with_da-vi_10", "with", every, Cut(pair, 10, "split", 0.4, 0)),
        ]
    }
    assert given.pairs == [pair]


def test_a_pair_that_others_link():
    given = configured({"transitive": {"pairs": ["vi-da"], "via": ["en"]}})
    [found] = given.trained.values()
    assert (found.name, found.languages) == ("transitive_da-vi", ("da", "en", "vi"))
    assert found.pairs == (("da", "vi"),)
    assert found.cut == Cut(("da", "vi"), 0, "drop")


def test_two_settings_of_one_name_are_refused():
    settings = {"p": {"pairs": ["pt_br-vi"]}, "p_pt": {"pairs": ["br-vi"]}}
    settings = {name: {"kind": "pairwise", **each} for name, each in settings.items()}
    with pytest.raises(UserError, match=r"settings\.p_pt: .*'p_pt_br-vi', as settings\.p;"):
        configured(settings, languages=["br", "pt_br", "vi"])


def test_the_matrix_by_hand():
    tasks = {"documents": {}, "lexicon_induction": {}}
    settings = {"joint": {"systems": ["lexical_overlap"]}, "pairwise": {"pairs": ["vi-da"]}}
    expected = [
        (setting, system, repetition, task)
        for setting, system in (
            ("joint", "lexical_overlap"),
            ("pairwise_da-vi", "cr5"),
            ("pairwise_da-vi", "lexical_overlap"),
        )
        for repetition in (1, 2)
        for task in tasks
    ]
    assert named(configured(settings, repetitions=2, tasks=tasks).matrix) == expected


def test_seeds_of_repetitions():
    seeds = [plan.seed_of(123, repetition) for repetition in range(1, 101)]
    assert seeds[0] == 123
    assert len(set(seeds)) == 100
    assert all(0 <= seed < 2**32 for seed in seeds)
    # of another run's seed there is no overlap either: it is not counted up from it
    assert not set(seeds) & {plan.seed_of(124, repetition) for repetition in range(1, 101)}


def test_a_quick_look_is_of_the_main_task_wherever_it_stands():
    tasks = {"lexicon_induction": {}, "documents": {}}
    settings = {"joint": {"tasks": ["lexicon_induction"]}, "pairwise": {"pairs": ["en-it"]}}
    given = configured(settings, tasks=tasks)
    assert given.main_task == "documents"
    found = named(plan.quick(given.matrix, given.main_task, ["cr5"]))
    assert found == [("pairwise_en-it", "cr5", 1, "documents")]
    tasks = {"lexicon_induction": {}, "lines": {"module": "documents"}}
    assert configured({"joint": {}}, tasks=tasks).main_task == "lexicon_induction"
