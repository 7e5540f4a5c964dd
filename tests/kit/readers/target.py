"""A reader to be tried: what it reads, and valid examples."""

from collections.abc import Callable
from dataclasses import dataclass
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
        tokens: that mean something to it.
    """

    name: str
    file: str
    read: Callable[[Path], Any]
    seeds: tuple[bytes, ...]
    tokens: tuple[bytes, ...] = ()

    def prepare(self, folder: Path) -> Path:
        """Return the path of the file in a folder."""
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
        except UserError as error:
            return error
        return None
