"""The parts that a configuration may name: those of this package, and files of one's own."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, ClassVar, get_args, get_origin, get_type_hints

from pydantic import TypeAdapter, ValidationError

from cr5.base.errors import UserError
from cr5.base.modules import load_module
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

CLASS = re.compile(r"^class (\w+)\(([^)]*)\):(.*?)(?=^\S|\Z)", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Kind:
    """A section of the configuration whose entries name parts.

    Attributes:
        section: its name.
        base: the class of its parts.
        entry: what an entry says beside the part's own keys.
        folder: of this package's parts, and of folders of them.
        key: of an entry, names the part.
    """

    section: str
    base: type[Part]
    entry: type[Section]
    folder: Path
    key: str = "module"

    def known(self) -> list[str]:
        """The names of this package's parts."""
        return sorted(_parts(self.folder, self.base.__name__))

    def source(self, name: str, keys: Mapping[str, Any]) -> Path:
        """Return the file of the part that an entry names.

        Raises:
            UserError: there is no such file, or none of ours has this name.
        """
        module = str(keys.get(self.key) or name)
        if module.endswith(".py"):
            if Path(module).is_file():
                return Path(module)
            raise UserError(f"there is no file {module!r}. Relative paths start at {Path.cwd()}.")
        ours = _parts(self.folder, self.base.__name__)
        if module not in ours:
            near = get_close_matches(module, known := self.known(), 1)
            hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(known)}."
            raise UserError(
                f"there is no {module!r}; {hint} For one of your own, give "
                f"`{self.key}: path/to/it.py`."
            )
        return ours[module]

    def kind(self, name: str, keys: Mapping[str, Any]) -> type[Part]:
        """Return the class of the part that an entry names.

        Raises:
            UserError: there is none, or several of which none has the entry's name; or the class
                says of itself what no part may.
        """
        source = self.source(name, keys)
        found = self._found(name, keys, source)
        if said := _wrong(found, self.base, self.entry):
            raise UserError(f"{source}: {found.__name__}{said}")
        return found

    def _found(self, name: str, keys: Mapping[str, Any], source: Path) -> type[Part]:
        module = load_module(source)
        found = {
            x.__name__: x
            for x in vars(module).values()
            if inspect.isclass(x) and issubclass(x, self.base) and x.__module__ == module.__name__
        }
        if len(found) == 1:
            return next(iter(found.values()))
        asked = str(keys.get(self.key) or name)
        names = (name, source.stem) if asked.endswith(".py") else (asked,)
        wanted = [x for x in found if x.lower() in map(_plain, names)]
        if len(wanted) != 1:
            raise UserError(
                f"{source}: expected a class below {self.base.__name__}, or one named like the "
                f"entry {name!r}, found {', '.join(found) or 'none'}; see docs/extending.md"
            )
        return found[wanted[0]]

    def part(self, name: str, keys: Mapping[str, Any]) -> Part:
        """Make the part that an entry names, of its keys.

        Raises:
            UserError: as `kind` does.
            pydantic.ValidationError: a key is unknown, or its value is none that it may have.
        """
        return self.kind(name, keys)(**self.split(keys)[1])

    def split(self, keys: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        """Part what an entry says of itself from the keys of its part."""
        own = self.entry.model_fields
        return (
            {key: x for key, x in keys.items() if key in own},
            {key: x for key, x in keys.items() if key not in own},
        )


SYSTEMS = Kind("systems", System, SystemEntry, PACKAGE / "systems")
TASKS = Kind("tasks", Task, TaskEntry, PACKAGE / "tasks")
SOURCES = Kind("corpus", Source, CorpusEntry, PACKAGE / "texts" / "sources", "source")


@cache
def _parts(folder: Path, base: str) -> dict[str, Path]:
    """The files of all classes below another, by name; nothing is imported.

    A class that has a file's name stands for it. Others are parts, too, if they have a title of
    their own: `WordCca` is `word_cca`.
    """
    paths = sorted(folder.rglob("*.py"))
    classes = {path: CLASS.findall(path.read_text(encoding="utf-8")) for path in paths}
    below, more = set(), {base}
    while more:
        below |= more
        more = {
            name
            for name, bases, _ in chain(*classes.values())
            if name not in below and below.intersection(re.findall(r"\w+", bases))
        }
    found = {}
    for path, name, body in ((p, x, body) for p, every in classes.items() for x, _, body in every):
        if name in below and name.lower() == _plain(path.stem):
            found[path.stem] = path
        elif name in below and "\n    title = " in body:
            found[re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()] = path
    return found


@cache
def _wrong(kind: type[Part], base: type[Part], entry: type[Section]) -> str:
    """Say what is wrong with a class, by the annotations of the class that it is below."""
    for method in ("fit", "searches"):
        if hasattr(base, method) and getattr(kind, method) is getattr(base, method):
            return f": missing the method {method}"
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


def _plain(name: str) -> str:
    return name.replace("_", "").lower()
