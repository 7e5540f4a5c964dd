"""A fingerprint of the code that a job's result depends on, and the packages that it lacks.

The fingerprint covers syntax: comments, layout and docstrings are ignored.
"""

import ast
import hashlib
import sys
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from cr5.plan.catalogue import PACKAGE, parsed

WITHOUT_EFFECT = (
    "__init__.py",  # the version, and the order of the packages
    "base/console.py",  # what is shown; its one BLAS thread does matter, and has a test
    "base/errors.py",
    "base/machine.py",  # describes where a run was made
    "base/memory.py",  # what fits: it rejects a job, or does nothing
    "base/refusals.py",  # messages when the machine refuses
)
"""Modules that can stop a job or name its maker, but change nothing in what is computed."""
SAID = ("TITLE", "REFERENCE", "COST", "COLOUR")
"""What a system says of itself, see `declared`: it changes no fit."""


def fingerprint(path: Path) -> str:
    """Return a checksum of the syntax of a file and of the modules it depends on.

    It is the same on every machine, but another minor version of Python may dump a syntax tree
    differently: a run that changes its Python is made again.

    Args:
        path: a Python file, of this package or not.

    Raises:
        UserError: a file is not valid Python.
    """
    found = hashlib.sha256(_syntax_of(path).encode())
    for source in sources(path):
        name = source.relative_to(PACKAGE).as_posix()
        if name not in WITHOUT_EFFECT:
            found.update(f"{name} {_syntax_of(source)}".encode())
    return found.hexdigest()[:16]


def sources(path: Path) -> list[Path]:
    """Return the modules of this package that a file imports, directly or through others."""
    found: set[Path] = set()
    waiting = [path]
    while waiting:
        for name in _imported(parsed(waiting.pop())):
            new = set(_files(name, PACKAGE)) - found
            found |= new
            waiting += new
    return sorted(found, key=Path.as_posix)


def _syntax_of(path: Path) -> str:
    parsed(path)  # whose error names the file
    return _syntax(path.read_text(encoding="utf-8"))


@cache
def _syntax(text: str) -> str:
    """Dump the syntax; parse anew, as the tree is changed and copying one takes longer."""
    return hashlib.sha256(ast.dump(_Effective().visit(ast.parse(text))).encode()).hexdigest()


class _Effective(ast.NodeTransformer):
    """Removes what has no effect: docstrings, `pass`, `SAID`; of options all but their defaults."""

    def visit_Expr(self, node: ast.Expr) -> ast.Expr | None:
        return None if isinstance(node.value, ast.Constant) else node

    def visit_Assign(self, node: ast.Assign) -> ast.Assign | None:
        names = [x.id for x in node.targets if isinstance(x, ast.Name)]
        if names[0:1] and set(names) <= set(SAID):
            return None
        if names == ["OPTIONS"] and isinstance(node.value, ast.Dict):
            parts = node.value.values
            node.value.values = [x.elts[0] if isinstance(x, ast.Tuple) else x for x in parts]
        return node

    def visit_Pass(self, node: ast.Pass) -> None:
        return None


@cache
def _imported(tree: ast.Module) -> list[str]:
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return sorted(names)


@cache  # called thousands of times; the modules do not change while jobs are planned
def _files(name: str, package: Path) -> list[Path]:
    """Return the files that importing `name` executes, if it belongs to that package."""
    parts = name.split(".")
    if parts[0] != package.name:
        return []
    base = package.joinpath(*parts[1:])
    inits = [package.joinpath(*parts[1:i]) / "__init__.py" for i in range(1, len(parts) + 1)]
    return [file for file in (*inits, base.with_suffix(".py")) if file.is_file()]


# Imported only for a language or an option that needs them, which reports what is missing.
OPTIONAL = {"anyascii", "icu4py", "nltk", "snowballstemmer", "onnxruntime"}


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
    return frozenset(_outermost(tree))


def _outermost(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name.split(".")[0] for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
        yield node.module.split(".")[0]
    elif not isinstance(node, ast.Try):
        for child in ast.iter_child_nodes(node):
            yield from _outermost(child)
