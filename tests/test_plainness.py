"""Density does not come back: each folder stays as plain as it is.

A number reminds; whether a line can be read, a reader decides. What a folder asks of its reader
beyond the bars stands in `ALLOWED`, where it can only be lowered.
"""

import functools
from pathlib import Path

import pytest

import cr5
from tests.kit import plainness

PACKAGE = Path(cr5.__file__).parent
ROOT = PACKAGE.parents[1]
FOLDERS = sorted(path.parent.name for path in PACKAGE.glob("*/__init__.py"))
PLACES = FOLDERS + ["cr5", "scripts", "tests"]
BARS = {
    "several at once": 3,  # of 1,000 lines of code, as the next three
    "conditional": 8,
    "nested": 2,
    "starred": 10,
    "nodes a line": 4.3,
    "say nothing": 2,  # percent of the names that are bound, as the next
    "one letter": 8,
}
# Algebra has formulas, and the letters of the papers; kernels, corrections of hubs and ranks are
# formulas over arrays too; tests have tables of cases.
BARS_OF = {
    "search": {"nodes a line": 5},
    "systems": {"nodes a line": 5, "one letter": 15},
    "tests": {"nodes a line": 4.8, "say nothing": 4, "one letter": 10},
}
ALLOWED = {
    "report": {"nodes a line": 4.45},
}
SHOWN = 3  # functions


def files(place):
    """Return the files that a place stands for."""
    if place == "cr5":  # what is in no folder
        return sorted(PACKAGE.glob("*.py"))
    folder = {"scripts": ROOT / "workflow" / "scripts", "tests": ROOT / "tests"}
    return sorted(folder.get(place, PACKAGE / place).rglob("*.py"))


def bars(place):
    """Return what a place is held to, without what it is allowed."""
    return BARS | BARS_OF.get(place, {})


@functools.cache
def counts(place):
    """Return what the files of a place count together."""
    return plainness.total(files(place))


def densest(place, measure, bar):
    """Say which functions are furthest above a bar."""
    functions = sorted(
        plainness.functions(files(place)),
        key=lambda function: measure.excess(function.counts, bar),
        reverse=True,
    )
    lines = [f"{code.place}: {measure.value(code.counts):.1f}" for code in functions[:SHOWN]]
    return "\n".join(lines)


@pytest.mark.parametrize("place", PLACES)
def test_a_folder_is_plain(place):
    failures = []
    for name, bar in (bars(place) | ALLOWED.get(place, {})).items():
        measure = plainness.MEASURES[name]
        if measure.excess(counts(place), bar) >= 1:
            figure = measure.value(counts(place))
            shown = densest(place, measure, bar)
            failures.append(f"{place}: {name} {figure:.2f}, at most {bar}\n{shown}")
    if failures:
        pytest.fail("\n".join(failures), pytrace=False)


@pytest.mark.parametrize("place", ALLOWED)
def test_what_is_allowed_is_needed(place):
    for name in ALLOWED[place]:
        excess = plainness.MEASURES[name].excess(counts(place), bars(place)[name])
        assert excess >= 1, f"{place} has reached the bar: delete its {name!r} from ALLOWED"


def test_counted_by_hand():
    example = plainness.counted(
        '''"""Not code."""

# Nor is this.
class Example:
    """Nor this."""

    key: int = 1
    """Nor this."""


def example(found, *rest):
    x, y = 1, 2
    found = [*rest] if x else [
        a for row in rest for a in row
    ]
'''
    )
    assert example == {
        "lines": 7,
        "nodes": 21,
        "several": 1,
        "conditional": 1,
        "nested": 1,
        "starred": 1,
        "names": 6,
        "say nothing": 1,
        "letters": 3,
    }
