"""The rooms of the package have an order, and no import breaks it."""

import ast
from graphlib import TopologicalSorter
from pathlib import Path

import cr5

PACKAGE = Path(cr5.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))


def name(path):
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


NAMES = {name(path) for path in MODULES}


def imported(path):
    """Modules of the package that a module names in its imports, wherever they stand."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in NAMES)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                if full in NAMES or node.module in NAMES:
                    yield full if full in NAMES else node.module


def room(module):
    return module.split(".")[1]


def test_every_folder_is_in_the_order_and_the_other_way_round():
    folders = {path.name for path in PACKAGE.iterdir() if (path / "__init__.py").exists()}
    assert folders == set(cr5.ROOMS)


def test_no_import_goes_up():
    level = {room: number for number, room in enumerate(cr5.ROOMS)}
    upward = [
        f"{name(path)} imports {other}"
        for path in MODULES
        if path.parent != PACKAGE
        for other in imported(path)
        if other != "cr5" and level[room(other)] > level[room(name(path))]
    ]
    assert not upward


def test_no_module_imports_itself_by_way_of_others():
    graph = {name(path): set(imported(path)) - {name(path)} for path in MODULES}
    list(TopologicalSorter(graph).static_order())  # CycleError names the circle
