"""Entries: what each says of itself, the part that it names, and its name in print."""

import pytest

from cr5.base.errors import UserError
from cr5.contracts.keys import PACKAGE
from cr5.plan.entries import SYSTEMS, TASKS, read_entry
from cr5.systems.ridge.cr5 import Cr5

OWN = '''from cr5.contracts.system import System

class Mine(System):
    """Mine."""

    {attributes}
    part: int = 3

    def fit(self, training): ...
'''


@pytest.fixture
def own_module(tmp_path):
    """Give a function that writes a module of one's own, and returns its path."""

    def write(attributes=""):
        path = tmp_path / "mine.py"
        path.write_text(OWN.format(attributes=attributes))
        return str(path)

    return write


def test_the_part_has_its_own_keys_alone_and_the_entry_the_others():
    entry = read_entry(SYSTEMS, "low", {"module": "cr5", "title": "Low", "rank": 3, "rerank": [1]})
    assert type(entry.part) is Cr5
    assert entry.part == Cr5(rank=3)
    assert entry.part.model_fields_set == {"rank"}
    assert (entry.own_keys.title, entry.own_keys.rerank) == ("Low", (1.0,))
    assert entry.own_keys.validation_task is None


def test_as_json_its_own_keys_are_those_given_and_the_part_has_all():
    keys = {"rerank": [1], "rank": 3}
    expected = {"rerank": [1.0], **Cr5(rank=3).model_dump(mode="json")}
    plain = read_entry(SYSTEMS, "cr5", keys).plain()
    assert plain == expected
    assert list(plain) == list(expected)


def test_a_part_of_ones_own_may_have_any_key_that_no_entry_has(own_module):
    path = own_module()
    entry = read_entry(SYSTEMS, "mine", {"module": path, "part": 5})
    assert entry.part.part == 5
    assert entry.is_own
    assert (entry.module, str(entry.source)) == (path, path)


def test_a_part_of_this_package_is_found_by_the_name_of_its_entry():
    entry = read_entry(TASKS, "documents", {})
    assert (entry.module, entry.place) == ("documents", "tasks.documents")
    assert entry.source == PACKAGE / "tasks" / "documents.py"
    assert not entry.is_own


@pytest.mark.parametrize(
    ("name", "keys", "title"),
    [
        ("cr5", {}, "Cr5"),
        ("cr5", {"title": "Mine"}, "Mine"),
        ("cr5_log", {"module": "cr5"}, "Cr5 (log)"),
        ("cr5_no_idf", {"module": "cr5"}, "Cr5 (no idf)"),
        ("low", {"module": "cr5"}, "Cr5 (low)"),
    ],
)
def test_a_system_is_called_by_its_title_its_part_s_or_its_name(configured, name, keys, title):
    assert configured(systems={name: keys}).systems[name].title == title


@pytest.mark.parametrize(
    ("attributes", "name", "title"),
    [
        ("", "mine", "mine"),
        ("", "another", "another"),
        ("title = 'Made'", "mine", "Made"),
        ("title = 'Made'", "mine_small", "Made (small)"),
    ],
)
def test_a_system_of_ones_own_is_called_alike(configured, own_module, attributes, name, title):
    systems = {name: {"module": own_module(attributes)}}
    assert configured(systems=systems).systems[name].title == title


def test_all_mistakes_of_all_entries_are_told_at_once(configured, own_module):
    systems = {
        "cr5": {"rank": 0, "title": "", "rnak": 3},
        "cr6": {"rerank": [-1]},
        "mine": {"module": own_module("needs = ['vektors']"), "rerank": []},
        "a-b": {"module": "cr5", "rank": 0},
        "text": "x",
    }
    places = [
        "systems.cr5.rank",
        "systems.cr5.title",
        "systems.cr5.rnak",
        "systems.cr6",
        "systems.cr6.rerank[0]",
        "systems.mine.module",
        "systems.mine.rerank",
        "systems.a-b",
        "systems.a-b.rank",
        "systems.text",
    ]
    with pytest.raises(UserError) as refusal:
        configured(systems=systems)
    mistakes = str(refusal.value).split("\n  - ")[1:]
    assert sorted(mistake.partition(": ")[0] for mistake in mistakes) == sorted(places)
