import datetime
import math

import pytest

from cr5.base.errors import UserError
from cr5.plan.allowed import day, expected, is_allowed, names_language, options_of
from cr5.plan.catalogue import PACKAGE, SHARED
from cr5.plan.config import validated
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


def mistake(**changes):
    config = {
        "corpus": {"name": "mine", "source": "files", "path": "{language}.jsonl"},
        "languages": ["da", "en", "vi"],
    }
    with pytest.raises(UserError) as caught:
        validated(config | changes)
    return str(caught.value)


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


@pytest.mark.parametrize(
    "literal",
    [
        "[1]",
        *(f"{{'rank': (3, {x}, '')}}" for x in ("{'min': 1}", "{'ge': 'one'}")),
        "{'rank': (3,)}",
    ],
)
def test_a_module_that_says_it_wrongly_is_named(tmp_path, literal):
    path = tmp_path / "mine.py"
    path.write_text(f"OPTIONS = {literal}\n")
    with pytest.raises(UserError, match=r"mine\.py: OPTIONS"):
        options_of(path)
    assert "OPTIONS" in mistake(systems={"mine": {"module": str(path)}})


def test_options_as_they_were_declared_before(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("DEFAULTS = {'rank': 3, 'pair': (1, 2)}\n")
    assert {x: y.default for x, y in options_of(path).items()} == {"rank": 3, "pair": (1, 2)}
    path.write_text("DEFAULTS = {'rank': 3}\nALLOWED = {'rank': {'ge': 1}}\n")
    with pytest.raises(UserError, match=r"mine\.py: ALLOWED is now a part of OPTIONS"):
        options_of(path)


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
    path.write_text("OPTIONS = {**{}, **NOWHERE}\n")
    with pytest.raises(UserError, match=r"mine\.py, line 1: OPTIONS must be a literal"):
        options_of(path)


@pytest.mark.parametrize(
    ("system", "options", "said"),
    [
        ("cr5", {"rank": 0}, "rank: expected 1 or more, found 0"),
        ("cr5", {"ridges": []}, "ridges: expected a list of one or more, each more than 0"),
        ("cr5", {"ridges": [-1]}, "found [-1]"),
        ("cr5", {"ranks": []}, "ranks: expected null or a list of one or more, each 1 or more"),
        ("cr5", {"ridges": ["x"]}, "expected something like [0.01"),
        ("cr5", {"solver": "magic"}, "solver: expected 'auto', 'dense' or 'iterative', found"),
        ("cr5", {"tolerance": 0}, "tolerance: expected 'paper' or more than 0 and less than 1"),
        ("cr5", {"tolerance": "book"}, "found 'book'"),
        ("cr5", {"device": "gpu"}, "device: expected 'cpu' or 'cuda', found 'gpu'"),
        ("cr5", {"rank": math.nan}, "systems.cr5.rank: nan; give a finite one"),
        ("advrefine", {"epochs": 0}, "epochs: expected 1 or more, found 0"),
        ("advrefine", {"input_dropout": 1}, "expected 0 or more and less than 1, found 1"),
        ("advrefine", {"pivot": "fr"}, "pivot: expected one of the languages that train together"),
        ("procrustes", {"seeds": "identical", "neighbours": 0}, "neighbours: expected 1 or more"),
    ],
)
def test_wrong_options_of_systems_are_mistakes_of_the_configuration(system, options, said):
    assert f"systems.{system}." in (found := mistake(systems={system: options}))
    assert said in found


def test_a_pivot_must_be_of_every_pair():
    settings = {"pairwise": {"pairs": ["da-en", "da-vi"]}}
    found = mistake(systems={"advrefine": {"pivot": "en"}}, settings=settings)
    assert "systems.advrefine.pivot: expected one of the languages that train together, da, vi" in (
        found
    )


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"queries": 5}, "queries: expected a path, found 5"),
        (  # judgements are of all languages: a fit later, this file would be missing
            {"qrels": "qrels/{language}.txt"},
            "qrels: expected the path of one file for all languages, without {language}, found",
        ),
    ],
)
def test_wrong_options_of_tasks(options, said):
    assert f"tasks.ad_hoc.{said}" in mistake(tasks={"ad_hoc": options})


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"vectors": {"epochs": 0}}, "vectors.epochs: expected 1 or more"),
        ({"vectors": {"sample": 1}}, "vectors.sample: expected less than 1"),
        ({"vectors": {"algorithm": "glove"}}, "vectors.algorithm: expected 'word2vec' or"),
        ({"evaluation": {"measures": []}}, "evaluation.measures: expected at least 1"),
        ({"evaluation": {"curve": 0}}, "evaluation.curve: expected 1 or more"),
        ({"splits": {"test": -1}}, "splits.test: expected 1 or more"),
        ({"bags": {"max_words": 0}}, "bags.max_words: expected 1 or more"),
        ({"threads": {"fit": 0}}, "threads.fit: expected 1 or more"),
        ({"minutes": 0}, "minutes: expected 1 or more"),
        ({"splits": {"max_share": {"test": math.inf}}}, "splits.max_share.test: inf"),
    ],
)
def test_wrong_values_of_sections(changes, said):
    assert said in mistake(**changes)


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
