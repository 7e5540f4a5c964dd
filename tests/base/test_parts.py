"""Parts of one's own: what their classes accept, and which class of a module an entry names."""

import re

import pytest
from pydantic import NonNegativeFloat, ValidationError

from cr5.base.catalogue import SOURCES, SYSTEMS
from cr5.base.errors import UserError
from cr5.base.parts import FILE, LANGUAGE, File, Language, Some, System

POSTPONED = """
from __future__ import annotations
from dataclasses import dataclass
from typing import ClassVar
from pydantic import PositiveInt
from cr5.base.parts import System

@dataclass
class Grid:
    steps: PositiveInt

class Mine(System):
    needs: ClassVar = ("counts",)
    "Not a key."
    steps: PositiveInt = 3
    "A key."

    def grid(self):
        return Grid(self.steps)

    def fit(self, training): ...
"""
TWO = """
from cr5.base.parts import System

class First(System):
    rank: int = 1

    def fit(self, training): ...

class SecondOne(First):
    other: int = 2
"""


class Made(System):
    """With fields of each type."""

    grid: Some[NonNegativeFloat] = (0.5,)
    centre: bool = False
    place: File = ""
    folder: File = ""
    pivot: Language | None = None

    def fit(self, training): ...


@pytest.fixture
def module(tmp_path):
    def write(text, name="mine"):
        path = tmp_path / f"{name}.py"
        path.write_text(text)
        return {"module": str(path)}

    return write


def test_what_a_key_may_be_is_read_as_it_is_meant():
    made = Made(grid=[1, "0.5", 1e-6], centre=True, pivot=1)
    assert (made.grid, made.centre, made.pivot) == ((1.0, 0.5, 1e-6), True, "1")


def test_files_have_the_language_filled_in(tmp_path):
    assert (Made.marked(FILE), Made.marked(LANGUAGE)) == (["place", "folder"], ["pivot"])
    made = Made(place=tmp_path / "{language}.vec", folder="all")
    assert made.files("da") == {"place": str(tmp_path / "da.vec"), "folder": "all"}


def test_a_module_of_ones_own_may_postpone_annotations_and_hold_dataclasses(module):
    made = SYSTEMS.part("any", {**module(POSTPONED), "steps": 4})
    assert made.grid().steps == 4
    assert made.model_json_schema()["properties"]["steps"]["description"] == "A key."
    with pytest.raises(ValidationError):
        SYSTEMS.part("any", {**module(POSTPONED), "steps": 0})


@pytest.mark.parametrize(
    ("file", "entry", "found"),
    [("mine", "first", "First"), ("mine", "second_one", "SecondOne"), ("first", "any", "First")],
)
def test_of_several_classes_the_one_named_like_the_entry_or_the_file_is_taken(
    module, file, entry, found
):
    assert SYSTEMS.kind(entry, module(TWO, file)).__name__ == found


def own(line, method="fit"):
    body = f"{line}\n\n    def {method}(self, training): ..."
    return f"from cr5.base.parts import System\n\nclass Mine(System):\n    {body}\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (own("", "fits"), "mine.py: Mine: missing the method fit"),
        (
            own("", "fit").replace(", training", ""),
            "mine.py: Mine.fit: expected the arguments (self, tr",
        ),
        (own("needs = ['vektors']"), "Mine.needs: expected a list of some of counts"),
        (own("title = 3"), "mine.py: Mine.title: Input should be"),
        (own(r"title = 'a\nb'"), "mine.py: Mine.title: "),
        (own("colour = 'blueish'"), "mine.py: Mine.colour: String should match"),
        (own("cost = 3"), "mine.py: Mine.cost: Input should be a valid tuple"),
        (own("rerank: float = 1"), "mine.py: Mine.rerank: every part or entry has this name"),
        (TWO, "found First, SecondOne"),
        ("x = 1", "found none"),
        ("def", "mine.py"),
        ("import sys\nsys.exit(0)", "mine.py, line 2: SystemExit: 0"),
        (
            "import no_such_package.part",
            "line 1: ModuleNotFoundError: No module named 'no_such_",
        ),
        ("x = 1\nrank: PositiveInt = 3", "mine.py, line 2: NameError: name 'PositiveInt'"),
    ],
)
def test_a_module_from_which_no_class_comes_is_refused_by_name(module, text, said):
    with pytest.raises(UserError, match=re.escape(said)):
        SYSTEMS.part("any", module(text))


SOURCE = "from cr5.base.parts import Source\n\nclass Mine(Source):\n    path: str\n\n    def "


@pytest.mark.parametrize(
    ("method", "said"),
    [
        ("find(self, path, language): ...", "Mine: missing the method records"),
        ("records(self, path, language): ...", "Mine.records: expected the arguments (self, rea"),
        ("records(self, reading, *more): ...", ""),
    ],
)
def test_a_source_that_cannot_be_read_is_refused_at_the_plan(module, method, said):
    given = {"source": module(SOURCE + method)["module"], "path": "x"}
    if not said:
        assert SOURCES.kind("mine", given).__name__ == "Mine"
        return
    with pytest.raises(UserError, match=re.escape(said)):
        SOURCES.kind("mine", given)


def test_a_module_that_was_changed_is_read_again_and_two_of_one_name_are_two(module, tmp_path):
    old = SYSTEMS.kind("mine", module(POSTPONED))
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "mine.py").write_text(POSTPONED.replace("= 3", "= 5"))
    other = SYSTEMS.kind("mine", {"module": str(tmp_path / "other" / "mine.py")})
    assert (old().steps, other().steps) == (3, 5)
    assert old.__module__ != other.__module__
    assert SYSTEMS.kind("mine", module(POSTPONED.replace("= 3", "= 44")))().steps == 44
