import re
from dataclasses import asdict
from pathlib import Path
from types import SimpleNamespace

import pytest

from cr5.fitting.vector_options import VectorOptions
from cr5.plan import catalogue, resources

RULES = Path(catalogue.PACKAGE).parent / "rules"
MANY = [f"a{chr(ord('a') + i)}" for i in range(24)]


def config(memory_mb=16_000, minutes=60, **systems):
    settings = {"joint": {"languages": ["da", "en", "it", "vi"]}, "many": {"languages": MANY}}
    settings = {name: {"kind": "joint", "systems": []} | x for name, x in settings.items()}
    corpus = {"name": "any", "source": "libreoffice_help"}
    given = {"corpus": corpus, "systems": systems, "settings": settings, "tasks": {"documents": {}}}
    return {"memory_mb": memory_mb, "minutes": minutes, "vectors": asdict(VectorOptions())} | given


def asked_for(rule, system=None, **settings):
    given = config(**settings, **({system: {}} if system else {}))
    return resources.of(rule, given, SimpleNamespace(system=system, setting="joint", language="en"))


def test_requests_grow_with_the_configuration():
    one, two = (asked_for("rank", memory_mb=m, minutes=t) for m, t in ((8000, 20), (16_000, 60)))
    assert (two.memory_mb, two.minutes) == (2 * one.memory_mb, 3 * one.minutes)


@pytest.mark.parametrize("rule", [*resources.RULES, *resources.FILES])
def test_little_is_asked_for_but_never_nothing(rule):
    asked = asked_for(rule, "cr5", memory_mb=1, minutes=1)
    assert asked.memory_mb >= resources.LEAST_MB
    assert asked.memory_mb == resources.LEAST_MB or rule in resources.FILES
    assert asked.minutes >= 1
    assert all(isinstance(each, int) for each in (asked.memory_mb, asked.minutes))


def test_ranking_more_directions_may_take_longer():
    """24 languages have 46 times the directions of four."""
    few, many = (
        resources.of("rank", config(), SimpleNamespace(setting=name)) for name in ("joint", "many")
    )
    assert many.minutes == 46 * few.minutes
    assert many.memory_mb == few.memory_mb


def test_a_system_asks_for_what_its_module_declares(tmp_path):
    (tmp_path / "own.py").write_text("")
    (tmp_path / "large.py").write_text("COST = (0.25, 40)\n")
    given = config(
        short={"module": "lexical_overlap"},
        mine={"module": str(tmp_path / "own.py")},
        large={"module": str(tmp_path / "large.py")},
        lexical_overlap={},
    )
    short, mine, large, plain = (
        resources.of("fit", given, SimpleNamespace(system=name))
        for name in ("short", "mine", "large", "lexical_overlap")
    )
    assert short == plain
    assert large == resources.Request(4000, 40 * 60)
    assert mine.memory_mb == 16_000  # nobody knows: as much as a job may have
    assert mine.minutes > plain.minutes


def test_rules_ask_by_names_that_are_listed_and_all_of_them_are_used():
    text = "".join(path.read_text(encoding="utf-8") for path in sorted(RULES.glob("*.smk")))
    used = set(re.findall(r'requested\("(\w+)"\)', text))
    assert used == {*resources.RULES, *resources.FILES}


def test_a_first_look_has_the_first_system_of_each_module_that_needs_little():
    given = config(
        mine={"module": "cr5", "rank": 10},
        cr5={},
        own={"module": "lexical_overlap"},
        advrefine={},  # waits for vectors
        word_by_word={},  # for translation tables
        opca={},  # is fitted for each number of dimensions
    )
    assert resources.needing_little(given) == ["mine", "own"]
