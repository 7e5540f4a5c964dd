"""Files dated in the future: snakemake takes what is made from them for older, and gives up."""

import time
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path

from cr5.base.errors import UserError
from cr5.base.provenance import TIMESTAMP

SKEW = 60  # seconds by which the clocks of two machines may differ


def check(paths: Iterable[str]) -> None:
    """Refuse files that seem to be written later than now.

    Args:
        paths: of files and folders; they need not be there.

    Raises:
        UserError: it names each, its date, and what to do; a line each.
    """
    now = time.time()
    dated = {path: path.stat().st_mtime for path in _dated(sorted({*paths}))}
    if found := {path: date for path, date in dated.items() if date > now + SKEW}:
        raise UserError("\n".join(_said(path, date, now) for path, date in found.items()))


def _dated(paths: Iterable[str]) -> Iterator[Path]:
    """The file whose date counts: of a folder, the one in which snakemake keeps it."""
    for name in paths:
        path = Path(name)
        own = path / TIMESTAMP
        if path.exists():
            yield own if own.exists() else path


def _said(path: Path, date: float, now: float) -> str:
    then, today = (datetime.fromtimestamp(x).isoformat(" ", "seconds") for x in (date, now))
    return (
        f"Error: {path}: dated {then}, but now is {today}, says the clock here; what is made from "
        f"it would seem older. Set the clock, if it is that; else date the file today, touch "
        f"{path}, and run again"
    )
