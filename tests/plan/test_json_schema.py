"""The JSON schema of the configuration, by an independent validator."""

from pathlib import Path

import pytest
import yaml
from cr5.plan.json_schema import attributes, text
from jsonschema import Draft202012Validator

from cr5.plan.config import validated
from cr5.plan.words import Dictionary

ROOT = Path(__file__).parents[2]
FILE = ROOT / "workflow" / "schemas" / "config.schema.yaml"
SCHEMA = yaml.safe_load(FILE.read_text(encoding="utf-8"))
MINIMAL = {"corpus": {"name": "x", "source": "libreoffice_help"}, "languages": ["da", "en"]}


def errors(config):
    return [x.message for x in Draft202012Validator(SCHEMA).iter_errors(config)]


def test_the_file_is_written_from_the_types_of_today():
    assert FILE.read_text(encoding="utf-8") == text(), "run .venv/bin/python docs/tables.py"
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("path", sorted((ROOT / "config").rglob("*.yaml")), ids=lambda p: p.name)
def test_configurations_of_the_repository_fit_as_they_are_and_with_all_defaults(path):
    config = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert errors(config) == []
    assert errors(validated(config)) == []


@pytest.mark.parametrize(
    "changes",
    [
        {"bags": None, "settings": {"joint": None, "pairwise": {"pairs": ["da-en", ["en", "it"]]}}},
        {"systems": {"cr5": None, "mine": {"module": "x.py"}}, "protocol": {"documents": "cr5"}},
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
    ],
)
def test_mistakes_do_not(changes):
    assert errors(MINIMAL | changes)


def test_a_key_says_what_it_means():
    found = SCHEMA["$defs"]["Dictionary"]["properties"]
    assert found["limit"]["description"] == attributes(Dictionary)["limit"]
    assert found["limit"]["description"].startswith("different words behind these that are used")
