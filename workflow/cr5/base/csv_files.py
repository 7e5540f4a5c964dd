"""CSV files that jobs pass on: their size and checksum are in the JSON file of the same name.

It works for tab-separated files too: only their bytes are read.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cr5.base import origin
from cr5.base.errors import UserError
from cr5.base.labels import AGAIN, described, difference
from cr5.base.origin import Origin

KEY = "csv"


def describe(path: str | Path, source: Origin, **more: Any) -> None:
    """Write the JSON file beside a finished CSV file: its origin, size and checksum.

    Args:
        path: the CSV file.
        source: its origin.
        more: further keys; JSON-serialisable.
    """
    path = Path(path)
    said = dict(zip(("bytes", "crc32"), described(path), strict=True))
    origin.write(path.with_suffix(".json"), source, **more, **{KEY: said})


def check(path: str | Path) -> None:
    """Compare a CSV file with its JSON file.

    Raises:
        UserError: it is missing, cut off or changed, or its JSON file is missing.
    """
    path = Path(path)
    # Jobs have the CSV file as input: if it is missing, both are made again.
    _, more = origin.read(path.with_suffix(".json"), path)
    said = more.get(KEY)
    if not isinstance(said, Mapping):
        raise _refusal(path, f"{path.with_suffix('.json').name} beside says nothing of it")
    if what := difference(path, said["bytes"], said["crc32"]):
        raise _refusal(path, what)


def _refusal(path: Path, what: str) -> UserError:
    return UserError(f"{path}: {what}; {AGAIN.format(path=path)}")
