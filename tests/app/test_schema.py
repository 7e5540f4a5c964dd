"""The JSON schema of the configuration, by an independent validator."""

from pathlib import Path

import pytest
import yaml
from jsonschema import Draft202012Validator

from cr5.app.schema import schema
from cr5.plan.config import validated

ROOT = Path(__file__).parents[2]
SCHEMA = schema()
VALIDATOR = Draft202012Validator(SCHEMA)
MINIMAL = {"corpus": {"name": "x", "source": "libreoffice_help"}, "languages": ["da", "en"]}


def errors(config):
    return [x.message for x in VALIDATOR.iter_errors(config)]


@pytest.mark.parametrize("path", sorted((ROOT / "config").rglob("*.yaml")), ids=lambda p: p.name)
def test_configurations_of_the_repository_fit_as_they_are_and_with_all_defaults(path):
    config = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert errors(config) == []
    assert errors(validated(config)) == []


def test_it_is_a_schema():
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize(
    "changes",
    [
        {"bags": None, "settings": {"joint": None, "pairwise": {"pairs": ["da-en", ["en", "it"]]}}},
        {"systems": {"cr5": None, "mine": {"module": "x.py", "a": 1}}},
        {"systems": {"low": {"module": "cr5", "title": "Low", "rank": 3}}},
        {"tasks": {"documents": {"module": "x.py", "a": 1}}},
        {"published": [{"paper": "Cr5", "table": "1b", "setting": "joint", "rows": {"a": "cr5"}}]},
        {"evaluation": {"examples": 3}},
    ],
)
def test_what_users_may_leave_out_fits(changes):
    assert errors(MINIMAL | changes) == []


@pytest.mark.parametrize(
    "changes",
    [
        {"langauges": []},
        {"languages": ["en"]},
        {"corpus": {"name": "x", "source": "wikipeda"}},
        {"corpus": {"name": "x", "source": "files"}},
        {"corpus": {"name": "x", "source": "libreoffice_help", "contact": "a"}},
        {"splits": {"test": 0}},
        {"vectors": {"path": "{language}", "epochs": 1}},
        {"settings": {"few": {"kind": "low_resource", "pairs": ["da-en"]}}},
        {"systems": {"cr5": {"rank": 0}}},
        {"systems": {"low": {"module": "cr5", "rnak": 3}}},
        {"systems": {"mine": {}}},
        {"tasks": {"documents": {"idf": "none"}}},
    ],
)
def test_mistakes_do_not(changes):
    assert errors(MINIMAL | changes)


def test_a_key_says_what_it_means():
    found = SCHEMA["$defs"]["Dictionary"]["properties"]["limit"]["description"]
    assert found.startswith("Different words behind these that are used")
    assert SCHEMA["$defs"]["systems.cr5"]["properties"]["rank"]["description"]
