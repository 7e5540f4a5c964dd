"""JSON files that jobs pass on: a key `checksum` tells whether the rest is what was written."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cr5.base.errors import UserError
from cr5.base.files import atomic_file
from cr5.base.labels import AGAIN, checksum
from cr5.base.refusals import DAMAGED, pass_on

KEY = "checksum"


class ChangedError(ValueError):
    """The checksum does not match the content."""


def write(path: str | Path, content: Mapping[str, Any]) -> None:
    """Write a file atomically.

    Args:
        path: the file.
        content: JSON-serialisable; its keys are text.
    """
    plain = json.loads(json.dumps(content))  # as it will be read: keys are text, tuples lists
    text = json.dumps({**plain, KEY: checksum(plain)}, indent=2, ensure_ascii=False)
    with atomic_file(path) as temporary:
        temporary.write_text(text + "\n", encoding="utf-8")


def load(path: str | Path) -> dict[str, Any]:
    """Read what `write` wrote.

    Raises:
        one of `DAMAGED`: it is missing, cut off or changed.
    """
    content = json.loads(Path(path).read_text(encoding="utf-8"))
    if content.pop(KEY) != checksum(content):
        raise ChangedError("its checksum differs")
    return content


def read(path: str | Path, owner: str | Path | None = None) -> dict[str, Any]:
    """Read what `write` wrote.

    Args:
        path: the file.
        owner: what to remove if it cannot be used; defaults to `path`.

    Raises:
        UserError: it is missing, cut off or changed.
    """
    try:
        return load(path)
    except DAMAGED as error:
        pass_on(error)
        raise UserError(f"{path}: {_reason(error)}; {AGAIN.format(path=owner or path)}") from error


def _reason(error: Exception) -> str:
    if isinstance(error, FileNotFoundError):
        return "not there"
    if isinstance(error, ChangedError):
        return f"changed since it was written: {error}"
    return f"not whole, or made by an earlier version of cr5 ({error!r:.200})"
