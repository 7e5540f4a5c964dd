"""Configurations with their defaults, and settings of each kind."""

import datetime
import json

import pytest

from cr5.base.errors import UserError
from cr5.plan import config

MINIMAL = {
    "corpus": {"name": "mine", "source": "files", "path": "data/{language}.jsonl.xz"},
    "languages": ["en", "es"],
}

WIKIPEDIA = {"name": "wiki", "source": "wikipedia"}


def test_the_result_is_plain_json_and_valid_itself_and_the_given_dictionary_is_left_alone():
    keys = {**MINIMAL, "systems": {"cr5": {}}}
    full = config.validated(keys).plain()
    assert keys["systems"] == {"cr5": {}}
    assert json.loads(json.dumps(full)) == full
    assert config.validated(full).plain() == full


def test_what_is_left_empty_has_its_defaults():
    empty = {"bags": None, "systems": {"cr5": None}, "settings": {"joint": None}}
    with_empty = config.validated({**MINIMAL, **empty}).plain()
    assert with_empty == config.validated({**MINIMAL, "systems": {"cr5": {}}}).plain()


def test_dates_are_read_as_text():
    corpus = {**WIKIPEDIA, "date": datetime.date(2026, 10, 1), "sql_date": 20261002}
    source = config.validated({**MINIMAL, "corpus": corpus}).corpus.part
    assert source.date == "2026-10-01"
    assert source.sql_date == "2026-10-02"


@pytest.mark.parametrize("sections", [{}, {"settings": {"joint": None}}])
def test_one_joint_setting_of_everything_unless_said_otherwise(configured, sections):
    joint = {
        "kind": "joint",
        "languages": ["en", "vi", "da", "it"],
        "systems": ["cr5", "lexical_overlap"],
        "tasks": ["documents"],
    }
    assert configured(**sections).plain()["settings"] == {"joint": joint}


@pytest.mark.parametrize(
    ("name", "keys", "kind"),
    [
        ("pairwise", {"pairs": ["da-en"]}, "pairwise"),
        ("joint", {"kind": "pairwise", "pairs": ["da-en"]}, "pairwise"),
        ("few", {"kind": "joint"}, "joint"),
    ],
)
def test_the_kind_is_the_name_unless_given(configured, name, keys, kind):
    assert configured(settings={name: keys}).settings[name].kind == kind


def test_a_source_whose_texts_are_nowhere(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(
        "from cr5.contracts.source import Source\n\nclass Mine(Source):\n    path: str = ''\n\n"
        "    def records(self, reading): ...\n"
    )
    corpus = {"name": "x", "source": str(path)}
    with pytest.raises(UserError, match="corpus: its source has neither a `path` nor the method"):
        config.validated({**MINIMAL, "corpus": corpus})
    assert config.validated({**MINIMAL, "corpus": corpus | {"path": "a"}})
