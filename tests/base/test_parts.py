"""Parts of one's own: what their classes accept, and which class of a module an entry names."""

import re

import pytest
from pydantic import NonNegativeFloat, ValidationError

from cr5.base.errors import UserError
from cr5.contracts.catalogue import SOURCES, SYSTEMS, TASKS
from cr5.contracts.keys import FILE, LANGUAGE, File, Language, Some
from cr5.contracts.system import System

POSTPONED = """
from __future__ import annotations
from dataclasses import dataclass
from typing import ClassVar
from pydantic import PositiveInt
from cr5.contracts.system import System

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
from cr5.contracts.system import System

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
    """Give a function that writes a module, and returns the key of an entry that names it."""

    def write(text, name="mine"):
        path = tmp_path / f"{name}.py"
        path.write_text(text)
        return {"module": str(path)}

    return write


def test_what_a_key_may_be_is_read_as_it_is_meant():
    system = Made(grid=[1, "0.5", 1e-6], centre=True, pivot=1)
    assert system.grid == (1.0, 0.5, 1e-6)
    assert system.centre is True
    assert system.pivot == "1"


def test_files_have_the_language_filled_in(tmp_path):
    assert Made.marked(FILE) == ["place", "folder"]
    assert Made.marked(LANGUAGE) == ["pivot"]
    system = Made(place=tmp_path / "{language}.vec", folder="all")
    assert system.files("da") == {"place": str(tmp_path / "da.vec"), "folder": "all"}


def test_a_module_of_ones_own_may_postpone_annotations_and_hold_dataclasses(module):
    keys = module(POSTPONED)
    system = SYSTEMS.part("any", keys | {"steps": 4})
    assert system.grid().steps == 4
    assert system.model_json_schema()["properties"]["steps"]["description"] == "A key."
    with pytest.raises(ValidationError):
        SYSTEMS.part("any", keys | {"steps": 0})


@pytest.mark.parametrize(
    ("file", "entry", "name_of_class"),
    [("mine", "first", "First"), ("mine", "second_one", "SecondOne"), ("first", "any", "First")],
)
def test_of_several_classes_the_one_named_like_the_entry_or_the_file_is_taken(
    module, file, entry, name_of_class
):
    assert SYSTEMS.part_class(entry, module(TWO, file)).__name__ == name_of_class


def system_with(line, method="fit"):
    body = f"{line}\n\n    def {method}(self, training): ..."
    return f"from cr5.contracts.system import System\n\nclass Mine(System):\n    {body}\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (system_with("", "fits"), "mine.py: Mine: missing the method fit"),
        (
            system_with("", "fit").replace(", training", ""),
            "mine.py: Mine.fit: expected the arguments (self, tr",
        ),
        (system_with("needs = ['vektors']"), "Mine.needs: expected a list of some of counts"),
        (system_with("title = 3"), "mine.py: Mine.title: Input should be"),
        (system_with(r"title = 'a\nb'"), "mine.py: Mine.title: "),
        (system_with("colour = 'blueish'"), "mine.py: Mine.colour: String should match"),
        (system_with("cost = 3"), "mine.py: Mine.cost: Input should be a valid tuple"),
        (
            system_with("rerank: float = 1"),
            "mine.py: Mine.rerank: every part or entry has this name",
        ),
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
def test_a_module_from_which_no_class_comes_is_refused_by_name(module, text, message):
    with pytest.raises(UserError, match=re.escape(message)):
        SYSTEMS.part("any", module(text))


SOURCE = "from cr5.contracts.source import Source\n\nclass Mine(Source):\n    path: str\n\n    def "


@pytest.mark.parametrize(
    ("method", "message"),
    [
        ("find(self, path, language): ...", "Mine: missing the method records"),
        ("records(self, path, language): ...", "Mine.records: expected the arguments (self, rea"),
    ],
)
def test_a_source_that_cannot_be_read_is_refused_at_the_plan(module, method, message):
    path = module(SOURCE + method)["module"]
    with pytest.raises(UserError, match=re.escape(message)):
        SOURCES.part_class("mine", {"source": path, "path": "x"})


def test_a_method_may_take_more_than_is_given(module):
    path = module(f"{SOURCE}records(self, reading, *more): ...")["module"]
    assert SOURCES.part_class("mine", {"source": path, "path": "x"}).__name__ == "Mine"


def test_a_task_needs_its_searches(module):
    text = "from cr5.contracts.task import Task\n\nclass Mine(Task):\n    a: int = 1\n"
    with pytest.raises(UserError, match=r"mine\.py: Mine: missing the method searches"):
        TASKS.part_class("mine", module(text))


def test_a_module_that_was_changed_is_read_again_and_two_of_one_name_are_two(module, tmp_path):
    first = SYSTEMS.part_class("mine", module(POSTPONED))
    path = tmp_path / "elsewhere" / "mine.py"
    path.parent.mkdir()
    path.write_text(POSTPONED.replace("= 3", "= 5"))
    second = SYSTEMS.part_class("mine", {"module": str(path)})
    assert first().steps == 3
    assert second().steps == 5
    assert first.__module__ != second.__module__
    assert SYSTEMS.part_class("mine", module(POSTPONED.replace("= 3", "= 44")))().steps == 44
