"""Configurations with their defaults, and settings of each kind."""

import datetime
import json
from pathlib import Path

import pytest
import yaml

from cr5.base.errors import UserError
from cr5.models.encoders import opening
from cr5.plan import config

ROOT = Path(__file__).parents[2]
MINIMAL = {
    "corpus": {"name": "mine", "source": "files", "path": "data/{language}.jsonl.xz"},
    "languages": ["en", "es"],
}

WIKIPEDIA = {"name": "wiki", "source": "wikipedia"}


def test_the_result_is_plain_json_and_valid_itself_and_the_given_dictionary_is_left_alone():
    given = {**MINIMAL, "systems": {"cr5": {}}}
    full = config.validated(given).plain()
    assert given["systems"] == {"cr5": {}}
    assert json.loads(json.dumps(full)) == full
    assert config.validated(full).plain() == full


@pytest.mark.parametrize("path", sorted((ROOT / "config").rglob("*.yaml")), ids=lambda p: p.name)
def test_every_configuration_in_the_repository_is_valid(path, monkeypatch):
    monkeypatch.setattr(opening, "hindrance", lambda encoder: "")  # as if encoders were installed
    assert config.validated(yaml.safe_load(path.read_text())).matrix


def test_what_is_left_empty_has_its_defaults():
    found = config.validated(
        {**MINIMAL, "bags": None, "systems": {"cr5": None}, "settings": {"joint": None}}
    )
    assert found.plain() == config.validated({**MINIMAL, "systems": {"cr5": {}}}).plain()


def test_dates_are_read_as_text():
    corpus = {**WIKIPEDIA, "date": datetime.date(2026, 10, 1), "sql_date": 20261002}
    found = config.validated({**MINIMAL, "corpus": corpus}).corpus.part
    assert (str(found.date), str(found.sql_date)) == ("2026-10-01", "2026-10-02")


def test_one_joint_setting_of_everything_unless_said_otherwise(configured):
    given = {"kind": "joint", "languages": ["en", "vi", "da", "it"]}
    joint = given | {"systems": ["cr5", "lexical_overlap"], "tasks": ["documents"]}
    for found in (configured(), configured(settings={"joint": None})):
        assert found.plain()["settings"] == {"joint": joint}


@pytest.mark.parametrize(
    ("name", "given", "kind"),
    [
        ("pairwise", {"pairs": ["da-en"]}, "pairwise"),
        ("joint", {"kind": "pairwise", "pairs": ["da-en"]}, "pairwise"),
        ("few", {"kind": "joint"}, "joint"),
    ],
)
def test_the_kind_is_the_name_unless_given(configured, name, given, kind):
    assert configured(settings={name: given}).settings[name].kind == kind


def test_a_source_whose_texts_are_nowhere(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(
        "from cr5.base.parts import Source\n\nclass Mine(Source):\n    path: str = ''\n\n"
        "    def records(self, reading): ...\n"
    )
    given = {**MINIMAL, "corpus": {"name": "x", "source": str(path)}}
    with pytest.raises(UserError, match="corpus: its source has neither a `path` nor the method"):
        config.validated(given)
    assert config.validated({**MINIMAL, "corpus": given["corpus"] | {"path": "a"}})
