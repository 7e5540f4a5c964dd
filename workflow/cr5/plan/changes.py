"""Changes since an earlier run: of external inputs by content, of everything else by time.

Snakemake compares dates, and `cp -p`, rsync and tar keep the original's. So the checksum is a
parameter of the rule. A file is not read again while the file system reports no change; of what it
reports, only the time of the inode's last change cannot be set by hand.

A repeated call that has nothing to do is answered without starting snakemake. A run that succeeded,
or had nothing to do, records the sizes and times of all files that this depends on: results,
snakemake's notes, inputs, configuration, and this code. While no file has changed and the call is
the same, so is the answer. In any doubt, snakemake is started.
"""

import hashlib
import json
import logging
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cr5.base.errors import UserError
from cr5.base.files import atomic_file
from cr5.corpora.fetch.progress import Progress, amount

log = logging.getLogger(__name__)

CACHE = ".snakemake/checksums.json"
CHUNK = 2**20
LARGE = 100 * 10**6  # bytes; reading more takes long enough to log
TICK = 2 * 10**9  # nanoseconds: after so recent a change, another one may have the same time


class Checksums:
    """Checksums of files and folders, cached in a file as long as it can be written.

    Args:
        cache: the file.
        clock: returns nanoseconds since 1970, as file times have them.
    """

    def __init__(self, cache: str | Path = CACHE, clock: Callable[[], int] = time.time_ns):
        self._cache, self._clock = Path(cache), clock
        self._known = _read(self._cache)

    def of(self, path: str | Path) -> str | None:
        """Return the sha256 of a file, or of a folder's names and content; None if it is missing.

        Raises:
            UserError: it cannot be read.
        """
        try:
            return self._of(Path(path).resolve())
        except OSError as error:
            raise UserError(
                f"{error.filename}: cannot be read ({error.strerror}); make it readable for the "
                "user who runs this, or give another file"
            ) from error

    def _of(self, path: Path) -> str | None:
        stamps = _stamps(path)
        if not stamps:
            return None
        now, stamp = self._clock(), _digest(stamps)
        known = self._known.get(str(path))
        if known and known[0] == stamp:
            return known[1]
        found = _content(path)
        if now - max(changed for *_, changed in stamps) > TICK:
            self._keep(path, stamp, found)
        return found

    def _keep(self, path: Path, stamp: str, found: str) -> None:
        self._known[str(path)] = [stamp, found]
        try:
            with atomic_file(self._cache) as temporary:
                temporary.write_text(json.dumps(self._known, indent=0), encoding="utf-8")
        except (OSError, UserError) as error:
            log.debug("%s: %s; checksums are computed again next time", self._cache, error)


def _read(cache: Path) -> dict[str, list[str]]:
    try:
        known = json.loads(cache.read_text(encoding="utf-8"))
        return {path: [stamp, checksum] for path, (stamp, checksum) in known.items()}
    except (OSError, ValueError, AttributeError, TypeError, RecursionError):
        return {}  # missing or damaged: start again


def _files(path: Path) -> list[tuple[str, Path]]:
    """Return the file itself, or a folder's files with their names within it, sorted."""
    if path.is_file():
        return [("", path)]
    found = map(Path, _below(path))
    return sorted((each.relative_to(path).as_posix(), each) for each in found if each.is_file())


def _stamps(path: Path) -> list[tuple]:
    """Return name, size, inode, modification time and, last, change time of each file."""
    stats = [(name, file.stat()) for name, file in _files(path)]
    return [(name, x.st_size, x.st_ino, x.st_mtime_ns, x.st_ctime_ns) for name, x in stats]


def _content(path: Path) -> str:
    files = _files(path)
    if path.is_file():
        return _sha256(path)
    return _digest([(name, _sha256(file)) for name, file in files])


def _sha256(path: Path) -> str:
    size, found = path.stat().st_size, hashlib.sha256()
    progress = Progress(f"checksum of {path.name}")
    progress.begin(0, size)
    if size > LARGE:
        log.info("%s: reading %s for its checksum, once", path, amount(size))
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            found.update(chunk)
            progress.add(len(chunk))
    return found.hexdigest()


def _digest(value: list) -> str:
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()


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
        own = _times_of([run.results, NOTES])
        others = _times_of([*CODE, *run.inputs])
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
        same = kept["call"] == _call(arguments) and kept["files"] == _times_of(kept["roots"])
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


def _times_of(roots: Iterable[str]) -> dict[str, list[int] | None]:
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
    with suppress(OSError, UserError), atomic_file(PLACE) as part:
        part.write_text(json.dumps(kept), encoding="utf-8")
