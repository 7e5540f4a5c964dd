"""Changes of external inputs since an earlier run, by content; snakemake sees all others by time.

Snakemake compares dates, and `cp -p`, rsync and tar keep the original's. So the checksum is a
parameter of the rule. A file is not read again while the file system reports no change; of what it
reports, only the time of the inode's last change cannot be set by hand.
"""

import hashlib
import json
import logging
import time
from collections.abc import Callable
from pathlib import Path

from cr5.base.errors import UserError
from cr5.base.files import atomic_file

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
    found = (x for x in path.rglob("*") if "__pycache__" not in x.relative_to(path).parts)
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
    if size > LARGE:
        log.info("%s: reading %.1f GB for its checksum, once", path, size / 1e9)
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            found.update(chunk)
    return found.hexdigest()


def _digest(value: list) -> str:
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()
