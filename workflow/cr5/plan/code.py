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
    effective = _Effective()
    tree = effective.visit(ast.parse(text))
    return hashlib.sha256(ast.dump(tree).encode()).hexdigest(), effective.imported


class _Effective(ast.NodeTransformer):
    """Removes what has no effect: docstrings, `SAID`, imports of types; notes other imports."""

    def __init__(self) -> None:
        self.imported: list[str] = []

    def generic_visit(self, node: ast.AST) -> ast.AST:
        return node if isinstance(node, ast.expr) else super().generic_visit(node)

    def visit_Import(self, node: ast.Import) -> ast.AST:
        self.imported += [x.name for x in node.names]
        return node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST:
        if node.module:
            self.imported += [node.module, *(f"{node.module}.{x.name}" for x in node.names)]
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        return None if isinstance(node.value, ast.Constant) else node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        node.body = [x for x in node.body if not _says(x)]
        return self.generic_visit(node)

    def visit_If(self, node: ast.If) -> ast.AST | None:
        of_types = getattr(node.test, "id", None) == "TYPE_CHECKING" and not node.orelse
        return None if of_types else self.generic_visit(node)


def _says(node: ast.stmt) -> bool:
    """Whether a statement of a class assigns `SAID` alone."""
    targets = node.targets if isinstance(node, ast.Assign) else [node]
    return all(isinstance(x, ast.Name) and x.id in SAID for x in targets)


@cache  # called thousands of times; the modules do not change while jobs are planned
def _files(name: str, package: Path) -> list[Path]:
    """Return the files that importing `name` executes, if it belongs to that package."""
    parts = name.split(".")
    if parts[0] != package.name:
        return []
    base = package.joinpath(*parts[1:])
    inits = [package.joinpath(*parts[1:i]) / "__init__.py" for i in range(1, len(parts) + 1)]
    return [file for file in (*inits, base.with_suffix(".py")) if file.is_file()]
