"""What the classes say: tables of keys, and the schema by an independent validator."""

from operator import attrgetter
from pathlib import Path
from typing import Annotated, Literal

import pytest
import yaml
from jsonschema import Draft202012Validator
from pydantic import Field, NonNegativeInt, PositiveFloat, PositiveInt

from cr5 import keys
from cr5.base.errors import UserError
from cr5.contracts.catalogue import SOURCES, SYSTEMS, TASKS
from cr5.models.encoders import opening
from cr5.plan.config import Configuration, validated

ROOT = Path(__file__).parents[2]
SCHEMA = keys.schema()
VALIDATOR = Draft202012Validator(SCHEMA)
MINIMAL = {"corpus": {"name": "x", "source": "libreoffice_help"}, "languages": ["da", "en"]}
OWN = '''
from cr5.contracts.keys import File
from cr5.contracts.system import System

class Mine(System):
    """Mine."""

    path: File
    """Of a
    file."""
    rank: int | None = None
    """How many; null: all."""

    def fit(self, training): ...
'''
IN_WORDS = [
    (bool, False, "`false`", "`true`, `false`"),
    (PositiveInt, 3, "`3`", "integer, 1 or more"),
    (NonNegativeInt | None, None, "none", "integer, 0 or more; or none"),
    (PositiveFloat, 0.5, "`0.5`", "number, above 0"),
    (Annotated[float, Field(ge=0, lt=1)], 0, "`0`", "number, 0 or more, below 1"),
    (tuple[Annotated[int, Field(le=9)], ...], (1, 2), "`[1, 2]`", "list of integers, 9 or less"),
    (Literal["a", "b"], "a", "`a`", "`a`, `b`"),
    (str, "", '`""`', "text"),
    (dict[str, str], {"a": "b"}, "`{a: b}`", "mapping"),
]


@pytest.mark.parametrize(("annotation", "default", "written", "may_be"), IN_WORDS)
def test_what_a_value_may_be_is_said_in_words(annotation, default, written, may_be, monkeypatch):
    class OneKey(keys.Section):
        key: annotation = default
        """Its meaning."""

    monkeypatch.setitem(keys.SECTIONS, "one", OneKey)
    assert keys.rows("one") == [("one.key", written, may_be, "Its meaning.")]


def test_one_of_ones_own_by_its_path(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(OWN)
    assert keys.rows(str(path)) == [
        ("path", "required", "a path", "Of a file."),
        ("rank", "none", "integer or none", "How many; none: all."),
    ]


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("cr5", "rank"),
        ("systems cr5", "rank"),
        ("corpus", "corpus.name"),
        ("corpus files", "corpus.path"),
        ("settings", "settings.{name}.kind"),
        ("settings joint", "settings.{name}.languages"),
        ("systems", "systems.{name}.module"),
        ("configuration", "languages"),
        ("evaluation.examples", "evaluation.examples.neighbours"),
        ("alignments.sentences", "alignments.sentences.path"),
    ],
)
def test_names(name, first):
    assert keys.rows(name)[0].key == first


@pytest.mark.parametrize("name", ["spltis", "splits x", "evaluation.example", "settings.joint", ""])
def test_there_is_nothing_of_that_name(name):
    with pytest.raises(UserError, match=f"no section and no part {name!r}"):
        keys.rows(name)


@pytest.mark.parametrize("kind", [SYSTEMS, TASKS, SOURCES], ids=attrgetter("section"))
def test_every_key_of_every_part_has_a_meaning(kind):
    for name in kind.known():
        rows = keys.rows(f"{kind.section} {name}")
        assert [row for row in rows if not row.meaning] == []


@pytest.mark.parametrize("name", list(Configuration.model_fields) + ["configuration"])
def test_every_key_of_every_section_has_a_meaning(name):
    try:
        rows = keys.rows(name)
    except UserError:  # a key that is no section
        return
    assert rows
    assert [row for row in rows if not row.meaning] == []


def errors(config):
    return [error.message for error in VALIDATOR.iter_errors(config)]


@pytest.mark.parametrize("path", sorted((ROOT / "config").rglob("*.yaml")), ids=lambda p: p.name)
def test_configurations_of_the_repository_fit_as_they_are_and_with_all_defaults(path, monkeypatch):
    monkeypatch.setattr(opening, "hindrance", lambda encoder: "")  # as if encoders were installed
    config = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert errors(config) == []
    with_defaults = validated(config)
    assert with_defaults.matrix
    assert errors(with_defaults.plain()) == []


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
