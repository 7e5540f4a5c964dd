"""The configuration expanded by hand: settings, the matrix, curves, what jobs request."""

import itertools

import pytest

from cr5.base.errors import UserError
from cr5.plan import matrix as plan
from cr5.plan import resources, shown
from cr5.splits.options import Cut
from cr5.systems.ridge.cr5 import Cr5

BOTH = ("cr5", "lexical_overlap")
TASKS = ("documents",)


def named(rows):
    return [(row.setting.name, row.system, row.repetition, row.task) for row in rows]


def test_settings_by_hand(configured):
    languages = ("da", "en", "it", "vi")
    pairs = tuple(itertools.combinations(languages, 2))
    en_it, da_vi = ("en", "it"), ("da", "vi")
    expected = [
        plan.Setting("joint", "joint", "joint", languages, BOTH, TASKS, pairs),
        plan.Setting("pairwise_en-it", "pairwise", "pairwise", en_it, ("cr5",), TASKS, (en_it,)),
        plan.Setting("pairwise_da-vi", "pairwise", "pairwise", da_vi, ("cr5",), TASKS, (da_vi,)),
    ]
    given = configured(
        settings={"joint": {}, "pairwise": {"pairs": ["en-it", "vi-da"], "systems": ["cr5"]}}
    )
    assert given.trained == {each.name: each for each in expected}


def test_a_model_for_each_number_of_training_concepts(configured):
    """Each knows the next smaller number; the pair alone is searched, whoever else trains."""
    common = {"kind": "low_resource", "shared": "split", "max_share": 0.4}
    few = {**common, "pairs": ["vi-da"], "concepts": [10, 300]}
    linked = {**common, "pairs": ["da-vi"], "concepts": [10], "via": ["it", "en"]}
    given = configured(settings={"few": few, "with": linked})
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


def test_a_pair_that_others_link(configured):
    given = configured(settings={"transitive": {"pairs": ["vi-da"], "via": ["en"]}})
    [found] = given.trained.values()
    assert (found.name, found.languages) == ("transitive_da-vi", ("da", "en", "vi"))
    assert found.pairs == (("da", "vi"),)
    assert found.cut == Cut(("da", "vi"), 0, "drop")


def test_two_settings_of_one_name_are_refused(configured):
    settings = {"p": {"pairs": ["pt_br-vi"]}, "p_pt": {"pairs": ["br-vi"]}}
    settings = {name: {"kind": "pairwise", **each} for name, each in settings.items()}
    with pytest.raises(UserError, match=r"settings\.p_pt: .*'p_pt_br-vi', as settings\.p;"):
        configured(["br", "pt_br", "vi"], settings=settings)


def test_the_matrix_by_hand(configured):
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
    assert named(configured(settings=settings, repetitions=2, tasks=tasks).matrix) == expected


def test_seeds_of_repetitions():
    seeds = [plan.seed_of(123, repetition) for repetition in range(1, 101)]
    assert seeds[0] == 123
    assert len(set(seeds)) == 100
    assert all(0 <= seed < 2**32 for seed in seeds)
    # of another run's seed there is no overlap either: it is not counted up from it
    assert not set(seeds) & {plan.seed_of(124, repetition) for repetition in range(1, 101)}


def test_a_quick_look_is_of_the_main_task_wherever_it_stands(configured):
    tasks = {"lexicon_induction": {}, "documents": {}}
    settings = {"joint": {"tasks": ["lexicon_induction"]}, "pairwise": {"pairs": ["en-it"]}}
    given = configured(settings=settings, tasks=tasks)
    assert given.main_task == "documents"
    found = named(resources.first_look(given))
    assert found == [("pairwise_en-it", system, 1, "documents") for system in BOTH]
    tasks = {"lexicon_induction": {}, "lines": {"module": "documents"}}
    assert configured(tasks=tasks).main_task == "lexicon_induction"


PAIR = ("da", "vi")
FEW = {"kind": "low_resource", "pairs": ["vi-da"], "concepts": [50, 100]}
LINKED = {"kind": "transitive", "pairs": ["da-vi"], "via": ["en"]}


def test_a_curve_ends_with_the_same_languages_uncut(configured):
    pairwise = {"pairs": ["da-en", "da-vi"]}
    settings = {"joint": {"languages": ["da", "en", "vi"]}, "pairwise": pairwise, "few": FEW}
    settings |= {"more": {**FEW, "via": ["en"]}, "transitive": LINKED}
    given = configured(settings=settings)
    few, more = ["few_da-vi_50", "few_da-vi_100"], ["more_da-vi_50", "more_da-vi_100"]
    curves = {"few": [*few, "pairwise_da-vi"], "more": [*more, "joint"]}
    points = shown.add_data(given)
    assert [(x.series, x.query_language, x.target_language, x.setting) for x in points] == [
        (series, *pair, setting)
        for series, points in curves.items()
        for pair in (PAIR, PAIR[::-1])
        for setting in points
    ]
    assert shown.drawn_there(given) == few + more


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
    given = configured(settings=settings)
    assert shown.drawn_there(given) == []
    assert bool(shown.add_data(given)) == (settings == {"few": FEW})


def test_ranking_more_directions_may_take_longer(configured):
    """24 languages have 46 times the directions of four."""
    many = [f"a{chr(ord('a') + i)}" for i in range(24)]
    given = configured(many, settings={"joint": {"languages": many[:4]}, "many": {"kind": "joint"}})
    few, all_of_them = (resources.of_ranks(given, name) for name in ("joint", "many"))
    assert all_of_them == (few[0], 46 * few[1])


@pytest.mark.parametrize(("m", "t"), [(8000, 20), (16_000, 60)])
def test_fits_ask_for_shares_of_the_configuration(configured, m, t):
    found = resources.of_fit(configured(memory_mb=m, minutes=t), "cr5")
    assert found == (m * Cr5.cost[0], t * Cr5.cost[1])


def test_a_first_look_has_the_first_system_of_each_module_that_needs_little(configured):
    systems = {
        "mine": {"module": "cr5", "rank": 10, "title": "Mine"},
        "cr5": {},
        "own": {"module": "lexical_overlap"},
        "advrefine": {},  # waits for vectors
        "word_by_word": {},  # for translation tables
        "opca": {},  # is fitted for each number of dimensions
    }
    given = configured(systems=systems, alignments={"aligner": "eflomal"})
    assert {row.system for row in resources.first_look(given)} == {"mine", "own"}
