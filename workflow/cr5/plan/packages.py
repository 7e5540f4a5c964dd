"""Find packages that a module imports but that are not installed, without importing them."""

import ast
import sys
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from cr5.plan.catalogue import PACKAGE, parsed
from cr5.plan.fingerprint import sources

# Imported only for a language or an option that needs them, which reports what is missing.
OPTIONAL = {"anyascii", "icu4py", "cupy", "cupyx", "onnxruntime"}


def missing(path: Path) -> list[str]:
    """Return what a file, or a module it depends on, imports but is not installed, sorted.

    Imports inside a `try` are skipped: the code handles their absence.
    """
    names = {name for file in (path, *sources(path)) for name in _packages(parsed(file))}
    return sorted(names - OPTIONAL - {PACKAGE.name} - set(filter(is_there, names)))


@cache
def is_there(name: str) -> bool:
    """Return whether a package or module could be imported."""
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
