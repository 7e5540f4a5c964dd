"""What `lint-imports` and `ruff` cannot see: no array is loaded that could be a pickle."""

import ast
from pathlib import Path

import cr5

WORKFLOW = Path(cr5.__file__).parents[1]


def test_no_reader_of_arrays_allows_pickles():
    """A pickle can hold any program; NumPy refuses them unless it is told otherwise."""
    told = [
        f"{path}, line {word.value.lineno}"
        for path in WORKFLOW.rglob("*.py")
        for word in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(word, ast.keyword) and word.arg == "allow_pickle"
        if ast.unparse(word.value) != "False"
    ]
    assert told == []
