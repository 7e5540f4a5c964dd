"""A fingerprint of the code that a job's result depends on: its syntax, without what has no effect.

Comments, layout and docstrings are left out, also those of keys; so is what a part says of itself.
"""

import ast
import hashlib
from functools import cache
from pathlib import Path

from cr5.base.errors import UserError
from cr5.base.parts import PACKAGE

WITHOUT_EFFECT = (
    "__init__.py",  # the version, and the order of the packages
    "base/job.py",  # what is shown; its one BLAS thread does matter, and has a test
    "base/errors.py",
    "base/machine.py",  # describes where a run was made
    "base/names.py",  # a job has the fingerprint of the class that a name stands for
)
"""Modules that can stop a job or name its maker, but change nothing in what is computed."""
SAID = {"title", "reference", "cost", "colour", "licence", "name"}
"""What a part says of itself: it changes no result."""


def fingerprint(path: Path) -> str:
    """Return a checksum of the syntax of a file and of the modules it depends on.

    It is the same on every machine, but another minor version of Python may dump a syntax tree
    differently: a run that changes its Python is made again.
    """
    found = hashlib.sha256(_read(path)[0].encode())
    for source in sources(path):
        name = source.relative_to(PACKAGE).as_posix()
        if name not in WITHOUT_EFFECT:
            found.update(f"{name} {_read(source)[0]}".encode())
    return found.hexdigest()[:16]


def sources(path: Path) -> list[Path]:
    """Return the modules of this package that a file imports, directly or through others."""
    found: set[Path] = set()
    waiting = [path]
    while waiting:
        for name in _read(waiting.pop())[1]:
            new = set(_files(name, PACKAGE)) - found
            found |= new
            waiting += new
    return sorted(found, key=Path.as_posix)


def _read(path: Path) -> tuple[str, list[str]]:
    try:
        return _of_text(path.read_text(encoding="utf-8"))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise UserError(f"{path}: expected a Python file: {error}") from error


@cache  # by content, as a file may change while a program runs
def _of_text(text: str) -> tuple[str, list[str]]:
    """Return a checksum of the syntax, and the names that are imported."""
    tree, imported = ast.parse(text), []
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if hasattr(node, "body"):
            node.body = [x for x in node.body if not _is_without_effect(x, node)]
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [x.name for x in node.names]
            module = getattr(node, "module", None)
            imported += [module, *(f"{module}.{x}" for x in names)] if module else names
        waiting += [x for x in ast.iter_child_nodes(node) if not isinstance(x, ast.expr)]
    return hashlib.sha256(ast.dump(tree).encode()).hexdigest(), imported


def _is_without_effect(statement: ast.stmt, within: ast.AST) -> bool:
    """Whether it is a docstring, imports types alone, or is what a class says of itself."""
    match statement:
        case ast.Expr(ast.Constant()) | ast.If(ast.Name("TYPE_CHECKING"), orelse=[]):
            return True
        case ast.Assign(targets):
            return isinstance(within, ast.ClassDef) and all(
                isinstance(x, ast.Name) and x.id in SAID for x in targets
            )
    return False


@cache  # called thousands of times; the modules do not change while jobs are planned
def _files(name: str, package: Path) -> list[Path]:
    """Return the files that importing `name` executes, if it belongs to that package."""
    parts = name.split(".")
    if parts[0] != package.name:
        return []
    base = package.joinpath(*parts[1:])
    inits = [package.joinpath(*parts[1:i]) / "__init__.py" for i in range(1, len(parts) + 1)]
    return [file for file in (*inits, base.with_suffix(".py")) if file.is_file()]
