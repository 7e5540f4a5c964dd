import datetime
import json
from pathlib import Path

import pytest
import yaml

from cr5.plan import config, matrix

ROOT = Path(__file__).parents[2]
MINIMAL = {
    "corpus": {"name": "mine", "source": "files", "path": "data/{language}.jsonl.xz"},
    "languages": ["en", "es"],
}

WIKIPEDIA = {"name": "wiki", "source": "wikipedia"}


def test_the_result_is_plain_json_and_valid_itself_and_the_given_dictionary_is_left_alone():
    given = {**MINIMAL, "systems": {"cr5": {}}}
    full = config.validated(given)
    assert given["systems"] == {"cr5": {}}
    assert json.loads(json.dumps(full)) == full
    assert config.validated(full) == full


@pytest.mark.parametrize("path", sorted((ROOT / "config").rglob("*.yaml")), ids=lambda p: p.name)
def test_every_configuration_in_the_repository_is_valid(path):
    full = config.validated(yaml.safe_load(path.read_text()))
    assert matrix.matrix(full)


def test_what_is_left_empty_has_its_defaults():
    full = config.validated(
        {**MINIMAL, "bags": None, "systems": {"cr5": None}, "settings": {"joint": None}}
    )
    assert full == config.validated({**MINIMAL, "systems": {"cr5": {}}})


def test_dates_are_read_as_text():
    corpus = {**WIKIPEDIA, "date": datetime.date(2026, 10, 1), "sql_date": 20261002}
    full = config.validated({**MINIMAL, "corpus": corpus})
    assert full["corpus"]["date"] == "2026-10-01"
    assert full["corpus"]["sql_date"] == "2026-10-02"
