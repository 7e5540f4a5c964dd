"""What all steps share.

A step is one job: a model whose fields are all that its result is made with, and `run`, which
makes it. The plan makes steps from the configuration; rules, scripts and `cr5.fit` run them. As
JSON, a step is the parameter that reruns its job, and stands in the about.json of its result.

Plans are made of fields alone, in each process that snakemake starts: what computes is imported
inside the methods that need it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict

from cr5.base.artefacts import Job

Given = str | Path | Sequence[str | Path]
Key = TypeVar("Key")


class Paths:
    """The inputs or outputs of a job, by name, as its rule names them."""

    def __init__(self, named: Mapping[str, Given]):
        self._named: dict[str, list[Path]] = {}
        for name, paths in named.items():
            if isinstance(paths, str | Path):
                self._named[name] = [Path(paths)]
            else:
                self._named[name] = [Path(path) for path in paths]

    def all(self, name: str) -> list[Path]:
        """Return the paths of a name; none if the job has none."""
        return self._named.get(name, [])

    def one(self, name: str) -> Path:
        """Return the only path of a name."""
        [path] = self._named[name]
        return path

    def optional(self, name: str) -> Path | None:
        """Return the only path of a name; None if the job has none."""
        if not self.all(name):
            return None
        return self.one(name)

    def by(self, keys: Iterable[Key], name: str) -> dict[Key, Path]:
        """Return the paths of a name, one of each language or pair; none if the job has none."""
        paths = self.all(name)
        if not paths:
            return {}
        return dict(zip(keys, paths, strict=True))

    def first(self) -> Path:
        """Return the first path of all: the result, of a job's outputs."""
        return next(chain.from_iterable(self._named.values()))


class Step(BaseModel):
    """What one job makes; every field is something that its result is made with."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    contents: tuple[str | None, ...] = ()
    """The checksums of the user's files and folders that it reads, in the order of its inputs."""

    def run(self, inputs: Paths, outputs: Paths, job: Job, threads: int = 1) -> None:
        """Make the outputs, which are whole or not there, from the inputs."""
        raise NotImplementedError

    def as_json(self) -> dict[str, Any]:
        """Return the step as plain JSON, in a fixed order."""
        return self.model_dump(mode="json")
