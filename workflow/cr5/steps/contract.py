"""What a step is: the settings that a result is made with, and the work that makes it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, ClassVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, SerializeAsAny, field_validator

from cr5.base.catalogue import SOURCES, SYSTEMS, TASKS, Kind
from cr5.base.parts import Part, Source, System, Task


class Step(BaseModel):
    """One job of a run.

    Its fields are all that its result is made with, apart from the files that it reads: a job is
    repeated where one of them changes, and its result says them in about.json. `run` does the job.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    def as_json(self) -> dict[str, Any]:
        """Return the fields as JSON has them, in their order."""
        return self.model_dump(mode="json")


class Choice(BaseModel):
    """A part by the name of its module, or one's own by its file, with its keys.

    Attributes:
        module: the name of a part of this package, or the path of one's own.
        code: the fingerprint of one's own module; empty for a part of this package.
        part: the part itself.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)
    kind: ClassVar[Kind]

    module: str
    code: str = ""
    part: SerializeAsAny[Part]

    @field_validator("part", mode="before")
    @classmethod
    def _made_again(cls, part: Any, info: Any) -> Part:
        """Make the part of its keys, as JSON has them."""
        if isinstance(part, Part):
            return part
        part_class = cls.kind.kind(info.data["module"], {})
        return part_class.model_validate(part)


class SystemChoice(Choice):
    """A system."""

    kind: ClassVar[Kind] = SYSTEMS
    part: SerializeAsAny[System]


class TaskChoice(Choice):
    """A task."""

    kind: ClassVar[Kind] = TASKS
    part: SerializeAsAny[Task]


class SourceChoice(Choice):
    """A source of documents."""

    kind: ClassVar[Kind] = SOURCES
    part: SerializeAsAny[Source]


def _as_paths(value: Any) -> tuple[Path, ...]:
    if isinstance(value, str | Path):
        return (Path(value),)
    return tuple(Path(path) for path in value)


Paths = Annotated[tuple[Path, ...], BeforeValidator(_as_paths)]
"""Files or folders, of which there may be none, one or several."""


class Inputs(BaseModel):
    """The files and folders that a step reads, by name."""

    model_config = ConfigDict(extra="forbid", frozen=True)
