"""A system, task or source as a step holds it: its keys, and the name by which it is found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, SerializeAsAny, field_validator

from cr5.contracts.catalogue import SOURCES, SYSTEMS, TASKS, Kind
from cr5.contracts.keys import Part
from cr5.contracts.source import Source
from cr5.contracts.system import System
from cr5.contracts.task import Task


class NamedPart(BaseModel):
    """A part with what is needed to make it again from JSON: its module and its keys."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    kind: ClassVar[Kind]

    entry: str
    """The name of its entry, by which one of several classes of a module is found."""
    module: str
    """Its name in this package, or the path of one's own module."""
    code: str | None = None
    """The fingerprint of one's own module, which no version of this package tells."""
    part: SerializeAsAny[Part]
    """The part, with all its keys."""

    @field_validator("part", mode="before")
    @classmethod
    def _made_of_keys(cls, part: Any, info: Any) -> Any:
        if not isinstance(part, Mapping):
            return part
        keys_of_entry = {cls.kind.key: info.data["module"]}
        part_class = cls.kind.part_class(info.data["entry"], keys_of_entry)
        return part_class(**part)

    @property
    def source(self) -> Path:
        """The file in which the class of the part is."""
        return self.kind.source(self.entry, {self.kind.key: self.module})


class NamedSource(NamedPart):
    """The source of a corpus."""

    kind = SOURCES
    part: SerializeAsAny[Source]


class NamedSystem(NamedPart):
    """A system."""

    kind = SYSTEMS
    part: SerializeAsAny[System]


class NamedTask(NamedPart):
    """A task, or a section that is read as one."""

    kind = TASKS
    part: SerializeAsAny[Task]

    def records(self, files: Mapping[str, Sequence[Path]], language: str) -> dict[str, Any]:
        """Read its own texts of a language, of files by key: several, if they are parallel."""
        paths: dict[str, Any] = {}
        for key, files_of_key in files.items():
            if self.part.parallel:
                paths[key] = [str(path) for path in files_of_key]
            else:
                [path] = files_of_key
                paths[key] = str(path)
        return self.part.records(paths, language)
