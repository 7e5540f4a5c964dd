"""Answer a repeated call that has nothing to do without starting snakemake.

A run that succeeded, or had nothing to do, records the sizes and times of all files that this
depends on: results, snakemake's notes, inputs, configuration, and this code. While no file has
changed and the call is the same, so is the answer. In any doubt, snakemake is started.
"""

import json
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PLACE = Path(".snakemake/up_to_date.json")
OPTIONS = ("--cores", "-c", "--jobs", "-j", "--configfile", "--configfiles", "--config", "-C")
PROFILES = ("--profile", "--workflow-profile", "--logger")
VARIABLES = ("CR5_", "SNAKEMAKE_", "PYTHON")
CODE = ("workflow", "envs", "config", "pyproject.toml", ".venv/stamp")
NOTES = ".snakemake/metadata"
SLACK = 0.1  # seconds by which file times may lag behind the clock


@dataclass(frozen=True)
class Run:
    """What a run depended on.

    Attributes:
        results: its folder.
        inputs: external files.
        ran: whether there was anything to do.
        lines: what to print if there is nothing to do.
    """

    results: str
    inputs: Sequence[str]
    ran: bool
    lines: Sequence[str]


class Watch:
    """Records a finished run; the workflow says what it depends on."""

    def __init__(self) -> None:
        self.started = time.time()
        # Snakemake and the workflow change them later.
        self.variables = {x: y for x, y in os.environ.items() if x.startswith(VARIABLES)}
        self.run: Callable[[], Run | None] | None = None

    def keep(self, arguments: Sequence[str]) -> None:
        """Record that nothing is left to do, unless something changed meanwhile."""
        run = self.run() if self.run and _is_plain(arguments) else None
        if run is None:
            return
        own = _files([run.results, NOTES])
        others = _files([*CODE, *run.inputs])
        checked = others if run.ran else {**own, **others}
        latest = max((x[2] for x in checked.values() if x), default=0)
        if latest < (self.started - SLACK) * 1e9:
            roots = [run.results, NOTES, *CODE, *run.inputs]
            call = {"call": _call(arguments), "roots": roots, "lines": list(run.lines)}
            _write({**call, "files": {**own, **others}})


WATCH = Watch()


def answer(arguments: Sequence[str]) -> list[str] | None:
    """Return what to print if there is nothing to do, None if that is uncertain."""
    if not _is_plain(arguments):
        return None
    try:
        kept = json.loads(PLACE.read_text(encoding="utf-8"))
        same = kept["call"] == _call(arguments) and kept["files"] == _files(kept["roots"])
        return kept["lines"] if same else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _is_plain(arguments: Sequence[str]) -> bool:
    """Return whether all options are known to choose only what is made."""
    options = [x.partition("=")[0] for x in arguments if x.startswith("-")]
    return all(x in (*OPTIONS, *PROFILES) or x[:2] in ("-c", "-j") for x in options)


def _call(arguments: Sequence[str]) -> dict[str, Any]:
    machine = os.uname().nodename
    return {"arguments": list(arguments), "variables": WATCH.variables, "machine": machine}


def _files(roots: Iterable[str]) -> dict[str, list[int] | None]:
    """Return size and times of each file below; None if it is missing."""
    return {path: _times(path) for root in roots for path in _below(root)}


def _times(path: str) -> list[int] | None:
    try:
        found = Path(path).stat()
    except OSError:
        return None
    return [found.st_size, found.st_mtime_ns, found.st_ctime_ns]


def _below(root: str) -> Iterator[str]:
    if not Path(root).is_dir():
        yield root
    for folder, folders, names in os.walk(root):
        folders[:] = [x for x in folders if x != "__pycache__"]
        yield from (f"{folder}/{name}" for name in names)


def _write(kept: dict[str, Any]) -> None:
    with suppress(OSError):
        part = PLACE.with_suffix(f".part-{os.getpid()}")
        part.write_text(json.dumps(kept), encoding="utf-8")
        part.replace(PLACE)
