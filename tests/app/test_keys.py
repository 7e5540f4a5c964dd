"""Tables of keys: what is said of parts and of sections, by classes made for it."""

from typing import Annotated, Literal

import pytest
from pydantic import Field, NonNegativeInt, PositiveFloat, PositiveInt

from cr5.app import keys
from cr5.base.errors import UserError
from cr5.base.parts import SOURCES, SYSTEMS, TASKS
from cr5.plan.config import Configuration

OWN = '''
from cr5.base.parts import File, System

class Mine(System):
    """Mine."""

    path: File
    """Of a
    file."""
    rank: int | None = None
    """How many; null: all."""
'''
SAID = [
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


@pytest.mark.parametrize(("kind", "given", "default", "may_be"), SAID)
def test_what_a_value_may_be_is_said_in_words(kind, given, default, may_be, monkeypatch):
    class Made(keys.Section):
        key: kind = given
        """Its meaning."""

    monkeypatch.setitem(keys.SECTIONS, "made", Made)
    assert keys.rows("made") == [("made.key", default, may_be, "Its meaning.")]


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
        ("cr5", "solver"),
        ("systems cr5", "solver"),
        ("corpus", "corpus.name"),
        ("corpus files", "corpus.path"),
        ("settings", "settings.{name}.kind"),
        ("settings joint", "settings.{name}.languages"),
        ("systems", "systems.{name}.module"),
        ("configuration", "languages"),
        ("evaluation.examples", "evaluation.examples.queries"),
        ("alignments.sentences", "alignments.sentences.path"),
    ],
)
def test_names(name, first):
    assert keys.rows(name)[0].key == first


@pytest.mark.parametrize("name", ["spltis", "splits x", "evaluation.example", "settings.joint", ""])
def test_there_is_nothing_of_that_name(name):
    with pytest.raises(UserError, match=f"no section and no part {name!r}"):
        keys.rows(name)


@pytest.mark.parametrize("kind", [SYSTEMS, TASKS, SOURCES], ids=lambda x: x.section)
def test_every_key_of_every_part_has_a_meaning(kind):
    for name in kind.known():
        found = keys.rows(f"{kind.section} {name}")
        assert [row for row in found if not row.meaning] == []


@pytest.mark.parametrize("name", [*Configuration.model_fields, "configuration"])
def test_every_key_of_every_section_has_a_meaning(name):
    try:
        found = keys.rows(name)
    except UserError:  # a key that is no section
        return
    assert found
    assert [row for row in found if not row.meaning] == []
