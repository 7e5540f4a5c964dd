"""A reader to be tried: what it reads, valid examples, and which exceptions it may raise."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cr5.base.errors import UserError


@dataclass(frozen=True)
class Target:
    """A reader.

    Attributes:
        name: of it.
        file: name of the file that it is given.
        read: called with the path of that file; goes through all that is in it.
        seeds: contents that it accepts.
        beside: further files in the same folder, which stay as they are.
        tokens: that mean something to it.
        allowed: exceptions that are answers.
    """

    name: str
    file: str
    read: Callable[[Path], Any]
    seeds: tuple[bytes, ...]
    beside: Mapping[str, bytes] = field(default_factory=dict)
    tokens: tuple[bytes, ...] = ()
    allowed: tuple[type[Exception], ...] = (UserError,)

    def prepare(self, folder: Path) -> Path:
        """Write what lies beside the file into a folder; return the path of the file."""
        for name, content in self.beside.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content)
        (folder / self.file).parent.mkdir(parents=True, exist_ok=True)
        return folder / self.file

    def outcome(self, path: Path, content: bytes) -> Exception | None:
        """Give the reader a content.

        Returns:
            The exception that is an answer; None if it was read.

        Raises:
            Exception: any other, which no reader may raise.
        """
        path.write_bytes(content)
        try:
            self.read(path)
        except self.allowed as error:
            return error
        return None


def through(values: Iterable) -> int:
    """Go through all values, and keep none."""
    return sum(1 for _ in values)
