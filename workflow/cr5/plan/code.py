"""A fingerprint of the code that a job's result depends on: its syntax, without what has no effect.

Comments, layout and docstrings are left out, also those of keys; so is what a part says of itself.
"""

import ast
import hashlib
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from cr5.base.errors import UserError
from cr5.base.parts import PACKAGE

WITHOUT_EFFECT = (
    "__init__.py",  # the version, and the order of the packages
    "base/job.py",  # what is shown; its one BLAS thread does matter, and has a test
    "base/errors.py",
    "base/machine.py",  # describes where a run was made
)
"""Modules that can stop a job or name its maker, but change nothing in what is computed."""
SAID = {"title", "reference", "cost", "colour", "licence", "fetches", "name"}
"""What a part says of itself: it changes no result."""


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


def share_with_subprocesses() -> None:
    """Let child processes import this package, installed or not."""
    paths = [str(PACKAGE.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    os.environ["PYTHONPATH"] = os.pathsep.join(paths)


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


def parsed(path: Path) -> ast.Module:
    """Return the syntax tree of a file; it is cached, so do not change it.

    Raises:
        UserError: the file is not valid Python.
    """
    try:
        return _tree(path.read_text(encoding="utf-8"), str(path))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise UserError(f"{path}: expected a Python file: {error}") from error


@cache  # by content, as a file may change while a program runs
def _tree(text: str, name: str) -> ast.Module:
    return ast.parse(text, name)


def _syntax_of(path: Path) -> str:
    parsed(path)  # whose error names the file
    return _syntax(path.read_text(encoding="utf-8"))


@cache
def _syntax(text: str) -> str:
    """Dump the syntax; parse anew, as the tree is changed and copying one takes longer."""
    return hashlib.sha256(ast.dump(_Effective().visit(ast.parse(text))).encode()).hexdigest()


class _Effective(ast.NodeTransformer):
    """Removes what has no effect: docstrings, `pass`, `SAID`, imports of types."""

    def visit_Expr(self, node: ast.Expr) -> ast.Expr | None:
        return None if isinstance(node.value, ast.Constant) else node

    def visit_Assign(self, node: ast.Assign) -> ast.Assign | None:
        names = {
            x.id for target in node.targets for x in ast.walk(target) if isinstance(x, ast.Name)
        }
        return None if names <= SAID else node

    def visit_If(self, node: ast.If) -> ast.AST | None:
        return None if _is_of_types(node) else self.generic_visit(node)

    def visit_Pass(self, node: ast.Pass) -> None:
        return None


def _is_of_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def _walked(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes that run."""
    yield tree
    for child in () if _is_of_types(tree) else ast.iter_child_nodes(tree):
        yield from _walked(child)


@cache
def _imported(tree: ast.Module) -> list[str]:
    names: set[str] = set()
    for node in _walked(tree):
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
