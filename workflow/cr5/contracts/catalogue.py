"""The parts that a configuration may name: those of this package, and files of one's own."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import sys
import traceback
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, get_args, get_type_hints

from pydantic import TypeAdapter, ValidationError

from cr5.base.errors import UserError, did_you_mean
from cr5.contracts import names
from cr5.contracts.entries import CorpusEntry, SystemEntry, TaskEntry
from cr5.contracts.keys import PACKAGE, Part, Section
from cr5.contracts.source import Source
from cr5.contracts.system import System
from cr5.contracts.task import Task


@dataclass(frozen=True, eq=False)
class Kind:
    """A section of the configuration whose entries name parts."""

    section: str
    base: type[Part]
    entry: type[Section]  # what an entry says beside the part's own keys
    folder: Path  # of this package's parts
    classes: Mapping[str, str]  # of this package's parts, as in `names`
    methods: tuple[str, ...]  # that the workflow calls
    key: str = "module"  # of an entry, names the part

    def known(self) -> list[str]:
        """Return the names of this package's parts."""
        return sorted(self.classes)

    def source(self, name: str, keys: Mapping[str, Any]) -> Path:
        """Return the file of the part that an entry names; UserError if there is none."""
        module = self._named(name, keys)
        if module in self.classes:
            place, _, _ = self.classes[module].partition(":")
            path = place.replace(".", "/")
            return self.folder / f"{path}.py"
        if not module.endswith(".py"):
            raise UserError(
                f"there is no {module!r}; {did_you_mean(module, self.known())} For one of your "
                f"own, give `{self.key}: path/to/it.py`."
            )
        if not Path(module).is_file():
            raise UserError(f"there is no file {module!r}. Relative paths start at {Path.cwd()}.")
        return Path(module)

    def part_class(self, name: str, keys: Mapping[str, Any]) -> type[Part]:
        """Return the class of the part that an entry names.

        UserError: there is none, or several, or it is one's own and not as the workflow needs it.
        """
        source = self.source(name, keys)
        module = load_module(source)
        part = self._named(name, keys)
        if part in self.classes:
            _, _, class_name = self.classes[part].partition(":")
            return getattr(module, class_name)
        part_class = self._own_class(module, source, name)
        mistake = _mistake(self, part_class)
        if mistake:
            raise UserError(f"{source}: {part_class.__name__}{mistake}")
        return part_class

    def name_of(self, part: Part) -> str:
        """Return the name of a part of this package; UserError if it is none."""
        place = type(part).__module__.removeprefix(f"{_dotted(self.folder)}.")
        for name, place_and_class in self.classes.items():
            if place_and_class == f"{place}:{type(part).__name__}":
                return name
        raise UserError(f"{type(part).__name__} is no part of this package")

    def part(self, name: str, keys: Mapping[str, Any]) -> Part:
        """Make the part that an entry names, of its keys."""
        _, keys_of_part = self.split(keys)
        return self.part_class(name, keys)(**keys_of_part)

    def split(self, keys: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        """Split the keys of an entry into the entry's own and those of its part."""
        fields_of_entry = self.entry.model_fields
        keys_of_entry = {}
        keys_of_part = {}
        for key, value in keys.items():
            if key in fields_of_entry:
                keys_of_entry[key] = value
            else:
                keys_of_part[key] = value
        return keys_of_entry, keys_of_part

    def _named(self, name: str, keys: Mapping[str, Any]) -> str:
        """Return what names the part of an entry: one of its keys, or else the entry's name."""
        return str(keys.get(self.key) or name)

    def _own_class(self, module: ModuleType, source: Path, entry: str) -> type[Part]:
        """Return the class of one's own module: the only one, or the one named like the entry."""
        members = [member for member in vars(module).values() if inspect.isclass(member)]
        defined = [member for member in members if member.__module__ == module.__name__]
        classes = [member for member in defined if issubclass(member, self.base)]
        names_meant = (_without_underscores(entry), _without_underscores(source.stem))
        meant = [member for member in classes if member.__name__.lower() in names_meant] or classes
        if len(meant) != 1:
            class_names = ", ".join(member.__name__ for member in classes) or "none"
            raise UserError(
                f"{source}: expected a class below {self.base.__name__}, or one named like the "
                f"entry {entry!r}, found {class_names}; see docs/extending.md"
            )
        return meant[0]


SYSTEMS = Kind(
    section="systems",
    base=System,
    entry=SystemEntry,
    folder=PACKAGE / "systems",
    classes=names.SYSTEMS,
    methods=("fit",),
)
TASKS = Kind(
    section="tasks",
    base=Task,
    entry=TaskEntry,
    folder=PACKAGE / "tasks",
    classes=names.TASKS,
    methods=("searches", "records"),
)
SOURCES = Kind(
    section="corpus",
    base=Source,
    entry=CorpusEntry,
    folder=PACKAGE / "texts" / "sources",
    classes=names.SOURCES,
    methods=("records", "fetch", "find"),
    key="source",
)


@cache
def _mistake(kind: Kind, part_class: type[Part]) -> str:
    """Return what is wrong with a class of one's own, to follow its name; empty if nothing is."""
    return (
        _missing_method(part_class)
        or _wrong_arguments(kind, part_class)
        or _taken_key(kind, part_class)
        or _wrong_attribute(kind.base, part_class)
        or _missing_for_declared(part_class)
    )


def _missing_method(part_class: type[Part]) -> str:
    missing = sorted(part_class.__abstractmethods__)
    if issubclass(part_class, Source) and part_class.lacks_records():
        missing.append("records")
    if not missing:
        return ""
    return f": missing the method {missing[0]}"


def _wrong_arguments(kind: Kind, part_class: type[Part]) -> str:
    """Say which method cannot be called with the arguments of the base's."""
    for name in kind.methods:
        names_of_arguments = list(inspect.signature(getattr(kind.base, name)).parameters)
        signature = inspect.signature(getattr(part_class, name))
        arguments = names_of_arguments
        attribute = inspect.getattr_static(part_class, name)
        if isinstance(attribute, staticmethod | classmethod):
            arguments = names_of_arguments[1:]  # without self
        try:
            signature.bind(*arguments)
        except TypeError as error:
            expected = ", ".join(names_of_arguments)
            return f".{name}: expected the arguments ({expected}), found {signature} ({error})"
    return ""


def _taken_key(kind: Kind, part_class: type[Part]) -> str:
    """Say which key has the name of a key of all entries, or of an attribute of all parts."""
    reserved = kind.entry.model_fields.keys() | set(dir(kind.base))
    taken = part_class.model_fields.keys() & reserved
    if not taken:
        return ""
    return f".{min(taken)}: every part or entry has this name; give the key another one"


def _wrong_attribute(base: type[Part], part_class: type[Part]) -> str:
    """Say which attribute of the class has another type than the base declares."""
    hints = get_type_hints(base, include_extras=True)
    for name in base.__annotations__:
        value = getattr(part_class, name)
        if isinstance(value, property):  # it depends on keys
            continue
        [declared] = get_args(hints[name])  # of ClassVar
        try:
            TypeAdapter(declared).validate_python(value)
        except ValidationError as error:
            message = error.errors()[0]["msg"]
            return f".{name}: {message}, found {value!r}"
    return ""


def _missing_for_declared(part_class: type[Part]) -> str:
    """Say which attribute of a task declares what its class has not."""
    if not issubclass(part_class, Task):
        return ""
    return part_class.missing_for_declared()


def _dotted(place: Path) -> str:
    """Return the name by which a folder or a module of this package is imported."""
    return ".".join(place.relative_to(PACKAGE.parent).with_suffix("").parts)


def _without_underscores(name: str) -> str:
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
        return importlib.import_module(_dotted(source))
    return _load_own(source.resolve(), source.stat().st_mtime_ns)


@cache  # a plan asks for a part many times; a file may change while a program runs
def _load_own(path: Path, changed: int) -> ModuleType:
    name = f"{names.LOADED}{zlib.crc32(str(path).encode()):08x}_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses and pydantic look there for annotations
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        message = f"{type(error).__name__}: {error}; see docs/extending.md"
        raise UserError(f"{_place_of(error, path)}: {message}") from error
    return module


def _place_of(error: BaseException, path: Path) -> str:
    """Return the line of a file that was executed last when an error was raised, if any was."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == str(path)]
    if not lines:
        return str(path)
    return f"{path}, line {lines[-1]}"
