import datetime
import math

import pytest
from cr5.plan.allowed import day, expected, is_allowed, names_language, options_of
from cr5.plan.catalogue import PACKAGE, SHARED
from cr5.plan.corpus import FOLDER

MODULES = [
    path
    for section in ("systems", "tasks", "corpora/sources")
    for path in sorted((PACKAGE / section).glob("[!_]*.py"))
    if path.stem not in SHARED
]
GRID = {"gt": 0}
TOLERANCE = ("paper", {"gt": 0, "lt": 1})
PIVOT = (None, "{language}")


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_every_option_that_is_shipped_has_bounds_or_choices_and_a_meaning(path):
    for name, option in options_of(path).items():
        assert option.meaning, name
        assert len(option.meaning) < (200 if path.parent == FOLDER else 100)
        # there are but two; of these, the task itself knows
        if isinstance(option.default, bool) or option.default in ({}, []):
            continue
        assert option.allowed is not ..., name
        if option.allowed not in ("{path}", "{file}"):
            assert is_allowed(option.default, option.allowed), name


@pytest.mark.parametrize(
    ("value", "allowed", "holds"),
    [
        (1, {"ge": 1}, True),
        (0, {"ge": 1}, False),
        (0.0, {"gt": 0}, False),
        (1, {"ge": 0, "lt": 1}, False),
        (1, {"le": 1}, True),
        (math.nan, {"gt": 0}, False),
        (True, {"ge": 0}, False),
        ("3", {"ge": 1}, False),
        ("auto", ("auto", "dense"), True),
        ("magic", ("auto", "dense"), False),
        ("paper", TOLERANCE, True),
        (0.5, TOLERANCE, True),
        (1, TOLERANCE, False),
        ([2.5, 1], GRID, True),
        ([], GRID, False),
        ([1, -1], GRID, False),
        (None, PIVOT, True),
        ("en", PIVOT, True),
        (3, PIVOT, False),
        (1, (True, False), False),
    ],
)
def test_bounds_and_choices(value, allowed, holds):
    assert is_allowed(value, allowed) is holds


def test_what_is_allowed_in_words():
    assert expected(TOLERANCE, "paper") == "'paper' or more than 0 and less than 1"
    assert expected(GRID, [1.0]) == "a list of one or more, each more than 0"
    assert expected(PIVOT, None) == "null or a language of the setting"


def test_what_can_only_be_a_language():
    assert names_language("en", PIVOT)
    assert not names_language(None, PIVOT)
    assert not names_language("auto", ("auto", "{language}"))
    assert not names_language("en", ("en", "da"))


def test_options_as_they_were_declared_before(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("DEFAULTS = {'rank': 3, 'pair': (1, 2)}\n")
    assert {x: y.default for x, y in options_of(path).items()} == {"rank": 3, "pair": (1, 2)}


def test_modules_share_options(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(
        "from cr5.systems.mapping.pivot import OPTIONS as MAPPED\nOWN = {'rank': 3}\n"
        "OPTIONS = {**MAPPED, 'centre': True, **OWN}\n"
    )
    found = options_of(path)
    assert list(found) == ["pivot", "directed", "centre", "rank"]
    assert found["pivot"].allowed == PIVOT
    assert found["centre"].default is True


@pytest.mark.parametrize(
    "value", ["2026-10-01", "20261001", 20261001, datetime.date(2026, 10, 1)], ids=type
)
def test_a_date_in_any_form_that_yaml_makes_of_it(value):
    assert day(value) == "2026-10-01"
    assert is_allowed(value, "{date}")


@pytest.mark.parametrize("value", ["newest", "2026-13-01", "2026-10", "", 3])
def test_no_date(value):
    assert not is_allowed(value, "{date}")


def test_regular_expressions():
    assert [is_allowed(x, "{pattern}") for x in ("", "List of", "(", 3)] == [
        True,
        True,
        False,
        False,
    ]
