"""The configuration expanded by hand: settings, the matrix, curves, what jobs request."""

import itertools
from string import ascii_lowercase

import pytest

from cr5.base.errors import UserError
from cr5.plan import matrix as plan
from cr5.plan import resources, shown
from cr5.splits.options import Cut
from cr5.systems.ridge.cr5 import Cr5

PAIR = ("da", "vi")
BOTH = ("cr5", "lexical_overlap")
TASKS = ("documents",)


def named(rows):
    return [(row.setting.name, row.system, row.repetition, row.task) for row in rows]


def test_settings_by_hand(configured):
    languages = ("da", "en", "it", "vi")
    pairs = tuple(itertools.combinations(languages, 2))
    en_it = ("en", "it")
    da_vi = ("da", "vi")
    expected = [
        plan.Setting("joint", "joint", "joint", languages, BOTH, TASKS, pairs),
        plan.Setting("pairwise_en-it", "pairwise", "pairwise", en_it, ("cr5",), TASKS, (en_it,)),
        plan.Setting("pairwise_da-vi", "pairwise", "pairwise", da_vi, ("cr5",), TASKS, (da_vi,)),
    ]
    pairwise = {"pairs": ["en-it", "vi-da"], "systems": ["cr5"]}
    config = configured(settings={"joint": {}, "pairwise": pairwise})
    assert config.setting_by_name == {setting.name: setting for setting in expected}


def test_a_model_for_each_number_of_training_concepts(configured):
    """Each knows the next smaller number; the pair alone is searched, whoever else trains."""
    common = {"kind": "low_resource", "shared": "split", "max_share": 0.4}
    few = {**common, "pairs": ["vi-da"], "concepts": [10, 300]}
    linked = {**common, "pairs": ["da-vi"], "concepts": [10], "via": ["it", "en"]}
    config = configured(settings={"few": few, "with": linked})
    languages = ("da", "en", "it", "vi")
    expected = [
        ("few_da-vi_10", "few", PAIR, Cut(PAIR, 10, "split", 0.4, 0)),
        ("few_da-vi_300", "few", PAIR, Cut(PAIR, 300, "split", 0.4, 10)),
        ("with_da-vi_10", "with", languages, Cut(PAIR, 10, "split", 0.4, 0)),
    ]
    assert config.setting_by_name == {
        name: plan.Setting(name, series, "low_resource", languages, BOTH, TASKS, (PAIR,), cut)
        for name, series, languages, cut in expected
    }
    assert config.searched_pairs == [PAIR]


def test_a_pair_that_others_link(configured):
    config = configured(settings={"transitive": {"pairs": ["vi-da"], "via": ["en"]}})
    [setting] = config.setting_by_name.values()
    assert setting.name == "transitive_da-vi"
    assert setting.languages == ("da", "en", "vi")
    assert setting.pairs == (PAIR,)
    assert setting.cut == Cut(PAIR, 0, "drop")


def test_two_settings_of_one_name_are_refused(configured):
    settings = {
        "p": {"kind": "pairwise", "pairs": ["pt_br-vi"]},
        "p_pt": {"kind": "pairwise", "pairs": ["br-vi"]},
    }
    with pytest.raises(UserError, match=r"settings\.p_pt: .*'p_pt_br-vi', as settings\.p;"):
        configured(["br", "pt_br", "vi"], settings=settings)


def test_the_matrix_by_hand(configured):
    tasks = {"documents": {}, "lexicon_induction": {}}
    settings = {"joint": {"systems": ["lexical_overlap"]}, "pairwise": {"pairs": ["vi-da"]}}
    config = configured(settings=settings, repetitions=2, tasks=tasks)
    assert named(config.matrix) == [
        ("joint", "lexical_overlap", 1, "documents"),
        ("joint", "lexical_overlap", 1, "lexicon_induction"),
        ("joint", "lexical_overlap", 2, "documents"),
        ("joint", "lexical_overlap", 2, "lexicon_induction"),
        ("pairwise_da-vi", "cr5", 1, "documents"),
        ("pairwise_da-vi", "cr5", 1, "lexicon_induction"),
        ("pairwise_da-vi", "cr5", 2, "documents"),
        ("pairwise_da-vi", "cr5", 2, "lexicon_induction"),
        ("pairwise_da-vi", "lexical_overlap", 1, "documents"),
        ("pairwise_da-vi", "lexical_overlap", 1, "lexicon_induction"),
        ("pairwise_da-vi", "lexical_overlap", 2, "documents"),
        ("pairwise_da-vi", "lexical_overlap", 2, "lexicon_induction"),
    ]


def test_seeds_of_repetitions():
    seeds = [plan.seed_of(123, repetition) for repetition in range(1, 101)]
    assert seeds[0] == 123
    assert len(set(seeds)) == 100
    assert all(0 <= seed < 2**32 for seed in seeds)
    # of another run's seed there is no overlap either: it is not counted up from it
    seeds_of_another_run = [plan.seed_of(124, repetition) for repetition in range(1, 101)]
    assert set(seeds).isdisjoint(seeds_of_another_run)


def test_a_quick_look_is_of_the_main_task_wherever_it_stands(configured):
    tasks = {"lexicon_induction": {}, "documents": {}}
    settings = {"joint": {"tasks": ["lexicon_induction"]}, "pairwise": {"pairs": ["en-it"]}}
    config = configured(settings=settings, tasks=tasks)
    assert config.main_task == "documents"
    rows = named(resources.first_look(config))
    assert rows == [("pairwise_en-it", system, 1, "documents") for system in BOTH]


def test_without_documents_the_first_task_is_the_main_one(configured):
    tasks = {"lexicon_induction": {}, "lines": {"module": "documents"}}
    assert configured(tasks=tasks).main_task == "lexicon_induction"


FEW = {"kind": "low_resource", "pairs": ["vi-da"], "concepts": [50, 100]}
LINKED = {"kind": "transitive", "pairs": ["da-vi"], "via": ["en"]}


def test_a_curve_ends_with_the_same_languages_uncut(configured):
    pairwise = {"pairs": ["da-en", "da-vi"]}
    settings = {"joint": {"languages": ["da", "en", "vi"]}, "pairwise": pairwise, "few": FEW}
    settings |= {"more": {**FEW, "via": ["en"]}, "transitive": LINKED}
    config = configured(settings=settings)
    points = shown.curve_points(config)
    assert [
        (point.series, point.query_language, point.target_language, point.setting)
        for point in points
    ] == [
        ("few", "da", "vi", "few_da-vi_50"),
        ("few", "da", "vi", "few_da-vi_100"),
        ("few", "da", "vi", "pairwise_da-vi"),
        ("few", "vi", "da", "few_da-vi_50"),
        ("few", "vi", "da", "few_da-vi_100"),
        ("few", "vi", "da", "pairwise_da-vi"),
        ("more", "da", "vi", "more_da-vi_50"),
        ("more", "da", "vi", "more_da-vi_100"),
        ("more", "da", "vi", "joint"),
        ("more", "vi", "da", "more_da-vi_50"),
        ("more", "vi", "da", "more_da-vi_100"),
        ("more", "vi", "da", "joint"),
    ]
    elsewhere = ["few_da-vi_50", "few_da-vi_100", "more_da-vi_50", "more_da-vi_100"]
    assert shown.crowding_settings(config) == elsewhere


@pytest.mark.parametrize(
    "settings",
    [
        {"joint": {}},
        {"joint": {}, "few": {**FEW, "concepts": [50]}},  # not several numbers
        {"transitive": LINKED},
        {"few": FEW},  # other figures are not left without any setting
    ],
)
def test_nothing_is_drawn_elsewhere(configured, settings):
    config = configured(settings=settings)
    assert shown.crowding_settings(config) == []
    assert bool(shown.curve_points(config)) == (settings == {"few": FEW})


def test_ranking_more_directions_may_take_longer(configured):
    """24 languages have 46 times the directions of four."""
    languages = [f"a{letter}" for letter in ascii_lowercase[:24]]
    settings = {"joint": {"languages": languages[:4]}, "many": {"kind": "joint"}}
    config = configured(languages, settings=settings)
    memory, minutes = resources.of_ranks(config, "joint")
    assert resources.of_ranks(config, "many") == (memory, 46 * minutes)


@pytest.mark.parametrize(("memory", "minutes"), [(8000, 20), (16_000, 60)])
def test_fits_ask_for_shares_of_the_configuration(configured, memory, minutes):
    config = configured(memory_mb=memory, minutes=minutes)
    share_of_memory, share_of_minutes = Cr5.cost
    expected = (memory * share_of_memory, minutes * share_of_minutes)
    assert resources.of_fit(config, "cr5") == expected


def test_a_first_look_has_the_first_system_of_each_module_that_needs_little(configured):
    systems = {
        "mine": {"module": "cr5", "rank": 10, "title": "Mine"},
        "cr5": {},
        "own": {"module": "lexical_overlap"},
        "advrefine": {},  # waits for vectors
        "word_by_word": {},  # for translation tables
        "opca": {},  # is fitted for each number of dimensions
    }
    config = configured(systems=systems, alignments={"aligner": "eflomal"})
    assert {row.system for row in resources.first_look(config)} == {"mine", "own"}
