"""The parts that a configuration may name: those of this package, and files of one's own."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import re
import sys
import traceback
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar, get_args, get_origin, get_type_hints

from pydantic import TypeAdapter, ValidationError

from cr5.base import names
from cr5.base.errors import UserError, did_you_mean
from cr5.base.parts import (
    PACKAGE,
    CorpusEntry,
    Part,
    Section,
    Source,
    System,
    SystemEntry,
    Task,
    TaskEntry,
)

METHODS = ("fit", "searches", "records", "fetch", "find")  # that are called by the workflow
LOADED = "cr5_loaded_"  # before the name of a module that was imported from its file
BEFORE = re.compile(f"^{LOADED}[0-9a-f]{{8}}_")  # with the checksum of its path


@dataclass(frozen=True)
class Kind:
    """A section of the configuration whose entries name parts."""

    section: str
    base: type[Part]
    entry: type[Section]  # what an entry says beside the part's own keys
    folder: Path  # of this package's parts
    classes: Mapping[str, str]  # of this package's parts, as in `names`
    key: str = "module"  # of an entry, names the part

    def known(self) -> list[str]:
        """The names of this package's parts."""
        return sorted(self.classes)

    def source(self, name: str, keys: Mapping[str, Any]) -> Path:
        """Return the file of the part that an entry names; UserError if there is none."""
        module = str(keys.get(self.key) or name)
        if module.endswith(".py"):
            if Path(module).is_file():
                return Path(module)
            raise UserError(f"there is no file {module!r}. Relative paths start at {Path.cwd()}.")
        if module not in self.classes:
            raise UserError(
                f"there is no {module!r}; {did_you_mean(module, self.known())} For one of your "
                f"own, give `{self.key}: path/to/it.py`."
            )
        place, _, _ = self.classes[module].partition(":")
        return self.folder.joinpath(*place.split(".")).with_suffix(".py")

    def kind(self, name: str, keys: Mapping[str, Any]) -> type[Part]:
        """Return the class of the part that an entry names; UserError if there is none, or many."""
        source = self.source(name, keys)
        module = load_module(source)
        part = str(keys.get(self.key) or name)
        if part in self.classes:
            _, _, class_name = self.classes[part].partition(":")
            return getattr(module, class_name)
        part_class = self._own_class(module, source, name)
        if said := _wrong(part_class, self.base, self.entry):
            raise UserError(f"{source}: {part_class.__name__}{said}")
        return part_class

    def name_of(self, part: Part) -> str:
        """Return the name of a part of this package; UserError if it is none."""
        place = type(part).__module__.removeprefix(f"{self._package}.")
        for name, place_and_class in self.classes.items():
            if place_and_class == f"{place}:{type(part).__name__}":
                return name
        raise UserError(f"{type(part).__name__} is no part of this package")

    @property
    def _package(self) -> str:
        return ".".join(self.folder.relative_to(PACKAGE.parent).parts)

    def _own_class(self, module: ModuleType, source: Path, entry: str) -> type[Part]:
        """Return the class of one's own module: the only one, or the one named like the entry."""
        classes = [
            member
            for member in vars(module).values()
            if inspect.isclass(member)
            and issubclass(member, self.base)
            and member.__module__ == module.__name__
        ]
        names = {_plain(entry), _plain(source.stem)}
        wanted = [kind for kind in classes if kind.__name__.lower() in names] or classes
        if len(wanted) != 1:
            there = ", ".join(kind.__name__ for kind in classes) or "none"
            raise UserError(
                f"{source}: expected a class below {self.base.__name__}, or one named like the "
                f"entry {entry!r}, found {there}; see docs/extending.md"
            )
        return wanted[0]

    def part(self, name: str, keys: Mapping[str, Any]) -> Part:
        """Make the part that an entry names, of its keys."""
        return self.kind(name, keys)(**self.split(keys)[1])

    def split(self, keys: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        """Part what an entry says of itself from the keys of its part."""
        own = self.entry.model_fields
        return (
            {key: x for key, x in keys.items() if key in own},
            {key: x for key, x in keys.items() if key not in own},
        )


SYSTEMS = Kind("systems", System, SystemEntry, PACKAGE / "systems", names.SYSTEMS)
TASKS = Kind("tasks", Task, TaskEntry, PACKAGE / "tasks", names.TASKS)
SOURCES = Kind(
    "corpus", Source, CorpusEntry, PACKAGE / "texts" / "sources", names.SOURCES, "source"
)


@cache
def _wrong(kind: type[Part], base: type[Part], entry: type[Section]) -> str:
    """Say what is wrong with a class, by the annotations of the class that it is below."""
    if said := _wrong_methods(kind, base):
        return said
    if taken := kind.model_fields.keys() & {*entry.model_fields, *dir(base)}:
        return f".{min(taken)}: every part or entry has this name; give the key another one"
    for name, hint in get_type_hints(base, include_extras=True).items():
        given = getattr(kind, name, None)
        if get_origin(hint) is not ClassVar or isinstance(given, property):
            continue
        try:
            TypeAdapter(*get_args(hint)).validate_python(given)
        except ValidationError as error:
            return f".{name}: {error.errors()[0]['msg']}, found {given!r}"
    return ""


def _wrong_methods(kind: type[Part], base: type[Part]) -> str:
    """Say which method a class lacks, or which cannot be called as that of the base."""
    needed = {System: "fit", Task: "searches"}.get(base)
    if issubclass(kind, Source) and kind.has_text and not kind.own_rules:
        needed = "records"
    for method in METHODS:
        expected = getattr(base, method, None)
        given = getattr(kind, method, None)
        if expected is None:
            continue
        if given is expected:
            if method == needed:
                return f": missing the method {method}"
            continue
        arguments = [*inspect.signature(expected).parameters]
        is_bound = isinstance(inspect.getattr_static(kind, method), staticmethod | classmethod)
        try:
            inspect.signature(given).bind(*arguments[is_bound:])
        except TypeError as error:
            return (
                f".{method}: expected the arguments ({', '.join(arguments)}), found "
                f"{inspect.signature(given)} ({error})"
            )
    return ""


def _plain(name: str) -> str:
    return name.replace("_", "").lower()


def load_module(source: Path) -> ModuleType:
    """Import a module of this package, or somebody's own under a name of its path.

    A program that fits a class of its own is not run again. UserError: the module cannot be run.
    """
    if not source.is_file():
        raise UserError(f"{source}: no such file; expected a Python module")
    program = getattr(sys.modules["__main__"], "__file__", None)
    if program and Path(program).is_file() and source.samefile(program):
        return sys.modules["__main__"]
    if source.is_relative_to(PACKAGE):
        return importlib.import_module(
            ".".join(source.relative_to(PACKAGE.parent).with_suffix("").parts)
        )
    return _own(source.resolve(), source.stat().st_mtime_ns)


@cache  # a plan asks for a part many times; a file may change while a program runs
def _own(path: Path, changed: int) -> ModuleType:
    name = f"{LOADED}{zlib.crc32(str(path).encode()):08x}_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses and pydantic look there for annotations
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        frames = traceback.extract_tb(error.__traceback__)
        lines = [x.lineno for x in frames if x.filename == str(path)]
        place = f"{path}, line {lines[-1]}" if lines else str(path)
        raise UserError(
            f"{place}: {type(error).__name__}: {error}; see docs/extending.md"
        ) from error
    return module
