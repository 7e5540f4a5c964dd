"""CSV files that jobs hand on: size and checksum stand in the JSON file of the same name.

Of files with tabs too: what is read there is their bytes alone.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cr5.base import origin
from cr5.base.errors import UserError
from cr5.base.labels import AGAIN, described, difference
from cr5.base.origin import Origin
from cr5.base.refusals import pass_on

KEY = "csv"


def describe(path: str | Path, source: Origin, **more: Any) -> None:
    """Write the JSON file beside a CSV file that was written: where it comes from, and its size.

    Args:
        path: of the CSV file.
        source: where it comes from.
        more: what else is to be told of it; JSON-able.
    """
    path = Path(path)
    said = dict(zip(("bytes", "crc32"), described(path), strict=True))
    origin.write(path.with_suffix(".json"), source, **more, **{KEY: said})


def check(path: str | Path) -> None:
    """Compare a CSV file with what is said of it.

    Raises:
        UserError: it is missing, cut off or changed, or nothing is said of it.
    """
    path = Path(path)
    # Jobs have the CSV file as input: without that, both are made anew.
    _, more = origin.read(path.with_suffix(".json"), path)
    said = more.get(KEY)
    if not isinstance(said, Mapping):
        raise _refusal(path, f"{path.with_suffix('.json').name} beside says nothing of it")
    try:
        what = difference(path, said["bytes"], said["crc32"])
    except OSError as error:
        pass_on(error)
        what = f"missing or unreadable ({error.strerror})"
    if what:
        raise _refusal(path, what)


def _refusal(path: Path, what: str) -> UserError:
    return UserError(f"{path}: {what}; {AGAIN.format(path=path)}")
