"""How many mistakes of a configuration are told; `tests/refused/config.txt` has each by itself."""

import pytest

from cr5.base.errors import UserError
from cr5.plan import config
from tests.plan.test_config import MINIMAL


def places(**changes):
    with pytest.raises(UserError) as caught:
        config.validated({**MINIMAL, **changes})
    return [x.removeprefix("  - ").split(": ")[0] for x in str(caught.value).splitlines()[1:-1]]


def test_all_mistakes_are_listed_at_once():
    settings = {"joint": {"systems": ["cr7"], "languages": ["en", "da"]}, "mine": {}, "few": 3}
    found = places(
        seed=-1,
        results=[],
        langauges=[],
        corpus={"source": "wikipeda"},
        systems={"cr5": {"rnak": 3, "rank": 2.5}, "a-b": {}, "cr6": 3, "word_by_word": {}},
        settings=settings,
    )
    assert sorted(found) == [
        *("corpus", "corpus.source", "langauges", "results", "seed"),
        *("settings.few", "settings.joint.languages", "settings.joint.systems", "settings.mine"),
        *("systems.a-b", "systems.cr5.rank", "systems.cr5.rnak", "systems.cr6"),
        "systems.word_by_word",
    ]


def test_what_follows_from_a_mistake_is_no_further_one():
    assert places(evaluation={"measures": ["cosin"]}) == ["evaluation.measures[0]"]
    corpus = {"name": "x", "source": "parquet", "path": "{language}.parquet"}
    assert places(corpus=corpus) == ["corpus.source"]


def test_of_very_many_mistakes_the_first_are_listed():
    found = places(systems={f"no{i}": {} for i in range(300)})
    assert found == [*(f"systems.no{i}" for i in range(20)), "and 280 more"]
