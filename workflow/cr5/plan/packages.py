"""Packages that a module imports, and that are not installed; nothing is imported to tell."""

import ast
import sys
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from cr5.plan.catalogue import PACKAGE, parsed
from cr5.plan.fingerprint import sources

# Imported only where a language or an option asks for them, which then says what is missing.
OPTIONAL = {"anyascii", "icu4py", "cupy", "cupyx"}


def missing(path: Path) -> list[str]:
    """Return what a file, or a module behind it, imports and is not there, in order.

    Imports that a `try` stands around are passed over: their lack is provided for.
    """
    names = {name for file in (path, *sources(path)) for name in _packages(parsed(file))}
    return sorted(names - OPTIONAL - {PACKAGE.name} - set(filter(is_there, names)))


@cache
def is_there(name: str) -> bool:
    """Whether a package or module could be imported."""
    return name in sys.stdlib_module_names or find_spec(name) is not None


@cache
def _packages(tree: ast.Module) -> frozenset[str]:
    return frozenset(_imported(tree))


def _imported(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name.split(".")[0] for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
        yield node.module.split(".")[0]
    elif not isinstance(node, ast.Try):
        for child in ast.iter_child_nodes(node):
            yield from _imported(child)
