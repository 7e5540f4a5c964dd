"""A fingerprint of the code that a job's result depends on: its syntax, without what has no effect.

Comments, layout and docstrings are left out, also those of keys; so is what a part says of itself.
"""

import ast
import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from cr5 import OFFERED
from cr5.base.errors import UserError
from cr5.contracts.keys import PACKAGE

WITHOUT_EFFECT = (
    "__init__.py",  # the version, and the order of the packages
    "base/job.py",  # what is shown; its one BLAS thread does matter, and has a test
    "base/errors.py",
    "base/machine.py",  # describes where a run was made
    "contracts/names.py",  # a job has the fingerprint of the class that a name stands for
)
"""Modules that can stop a job or name its maker, but change nothing in what is computed."""
SELF_DESCRIPTION = {"title", "reference", "cost", "colour", "licence", "name"}
"""Attributes by which a part describes itself: they change no result."""


def fingerprint(path: Path) -> str:
    """Return a checksum of the syntax of a file and of the modules it depends on.

    It is the same on every machine, but another minor version of Python may dump a syntax tree
    differently: a run that changes its Python is made again.
    """
    digest = hashlib.sha256(_parsed(path).checksum.encode())
    for source in sources(path):
        name = source.relative_to(PACKAGE).as_posix()
        if name not in WITHOUT_EFFECT:
            digest.update(f"{name} {_parsed(source).checksum}".encode())
    return digest.hexdigest()[:16]


def sources(path: Path) -> list[Path]:
    """Return the modules of this package that a file imports, directly or through others."""
    imported: set[Path] = set()
    waiting = [path]
    while waiting:
        for name in _parsed(waiting.pop()).imports:
            new = set(_files(name, PACKAGE)) - imported
            imported |= new
            waiting += new
    return sorted(imported, key=Path.as_posix)


@dataclass(frozen=True)
class Parsed:
    """What counts of a module."""

    checksum: str  # of its syntax
    imports: tuple[str, ...]  # the names that it imports


def _parsed(path: Path) -> Parsed:
    try:
        return _parsed_text(path.read_text(encoding="utf-8"))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise UserError(f"{path}: expected a Python file: {error}") from error


@cache  # by content, as a file may change while a program runs
def _parsed_text(text: str) -> Parsed:
    tree = ast.parse(text)
    imports: list[str] = []
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if hasattr(node, "body"):
            node.body = [inner for inner in node.body if not _is_without_effect(inner, node)]
        if isinstance(node, ast.Import | ast.ImportFrom):
            imports += _names_of(node)
        for child in ast.iter_child_nodes(node):
            if not isinstance(child, ast.expr):
                waiting.append(child)
    checksum = hashlib.sha256(ast.dump(tree).encode()).hexdigest()
    return Parsed(checksum, tuple(imports))


def _names_of(statement: ast.Import | ast.ImportFrom) -> list[str]:
    """Return the modules that a statement imports, or may import."""
    names = [alias.name for alias in statement.names]
    module = getattr(statement, "module", None)
    if module is None:
        if "cr5" in names:
            names += OFFERED.values()  # whichever of it is used
        return names
    if module == "cr5":
        names += [OFFERED[name].removeprefix("cr5.") for name in names if name in OFFERED]
    return [module] + [f"{module}.{name}" for name in names]


def _is_without_effect(statement: ast.stmt, within: ast.AST) -> bool:
    """Return whether it is a docstring, imports types alone, or describes a class itself."""
    match statement:
        case ast.Expr(ast.Constant()) | ast.If(ast.Name("TYPE_CHECKING"), orelse=[]):
            return True
        case ast.Assign(targets) if isinstance(within, ast.ClassDef):
            names = {getattr(target, "id", None) for target in targets}
            return names <= SELF_DESCRIPTION
    return False


@cache  # called thousands of times; the modules do not change while jobs are planned
def _files(name: str, package: Path) -> list[Path]:
    """Return the files that importing `name` executes, if it belongs to that package."""
    parts = name.split(".")
    if parts[0] != package.name:
        return []
    place = package
    executed = [place / "__init__.py"]
    for part in parts[1:]:
        place /= part
        executed.append(place / "__init__.py")
    executed.append(place.with_suffix(".py"))
    return [file for file in executed if file.is_file()]
