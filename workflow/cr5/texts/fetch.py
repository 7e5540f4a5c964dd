"""Files from elsewhere, by curl: resumed where a try ended, verified, and then put in place.

What has come so far is in a file beside the target, named like it with `.part`; however a job ends,
it stays, unless the whole turns out to be wrong.
"""

import hashlib
import logging
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from urllib.parse import unquote, urlsplit

from cr5 import __version__
from cr5.base.errors import UserError
from cr5.base.files import atomic_file

log = logging.getLogger(__name__)

TRIES = 8  # in a row without progress
LONGEST_WAIT = 300  # seconds
TRY_LATER = ("000", "408", "425", "429", "500", "502", "503", "504")  # 000: there was no answer
GONE = ("404", "410")
NOTHING_MISSING = "416"  # of a range that begins where the file ends
NO_RANGES = 33  # curl's code for a server that sends whole files only
NOBODY = (3, 5, 6, 7)  # no address, no proxy, no such host, or nobody answers there
# A connection without a byte in a minute is broken.
CURL = "curl -fsSL --connect-timeout 30 --speed-time 60 --speed-limit 1 -C - -w %{http_code}"


class MissingError(UserError):
    """The server has no such file."""


def local_path(address: str) -> Path | None:
    """Return the path of a file or folder on this machine; None for an address on the network."""
    parts = urlsplit(address)
    if parts.scheme in ("http", "https"):
        return None
    if parts.scheme == "file":
        return Path(unquote(parts.path))
    if "://" in address:
        raise UserError(f"{address}: expected an address with http, https or file, or a folder")
    return Path(address)


def fetch(address: str, target: str | Path, checksum: str = "", contact: str = "") -> None:
    """Fetch a file, verified if a checksum (`sha256:` or `sha1:` and digits) is known.

    A file on this machine is linked. `contact` is the user's, for the server's owners.
    MissingError: there is no such file.
    """
    target = Path(target)
    local = local_path(address)
    target.parent.mkdir(parents=True, exist_ok=True)
    if local is not None:
        if not local.is_file():
            raise MissingError(f"{local}: there is no such file")
        _check(local, checksum, address)
        with atomic_file(target) as temporary:
            temporary.symlink_to(local.absolute())
        return
    part = target.with_name(f"{target.name}.part")
    _fetch_whole(address, part, contact)
    try:
        _check(part, checksum, address)
    except UserError:
        part.unlink()
        raise
    part.replace(target)
    log.info("%s: %d bytes", address, _size(target))


def text(address: str, contact: str = "") -> str | None:
    """Return the content of a small file; None if there is none."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "fetched")
        try:
            fetch(address, file, contact=contact)
        except MissingError:
            return None
        return file.read_text(encoding="utf-8", errors="replace")


def _fetch_whole(address: str, part: Path, contact: str) -> None:
    """Try until a file is whole; UserError if nothing more comes in `TRIES` in a row."""
    failures = 0
    size = _size(part)
    reason = _try(address, part, contact)
    while reason:
        failures += 1
        if _size(part) > size:
            failures = 0
        size = _size(part)
        if failures == TRIES:
            raise UserError(f"{address}: {reason}. What has come is kept: run again later")
        wait = min(2**failures, LONGEST_WAIT)
        log.warning("%s: %s; %d bytes are there, the next try in %d s", address, reason, size, wait)
        time.sleep(wait)
        reason = _try(address, part, contact)


def _try(address: str, part: Path, contact: str) -> str:
    """Fetch what is missing; return what stopped it, nothing if all is there."""
    if shutil.which("curl") is None:
        raise UserError(f"{address}: curl is needed to fetch it, and is not installed")
    command = [*CURL.split(), "-A", f"cr5/{__version__} ({contact})", "-o", str(part), address]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    status = done.stdout[-3:]
    complaint = done.stderr.strip()
    if done.returncode == 0:
        part.touch()  # of a file without content curl makes none
        return ""
    if status == NOTHING_MISSING and part.exists():
        return ""
    if status in GONE:
        raise MissingError(f"{address}: {complaint}")
    if done.returncode == NO_RANGES:
        part.unlink()
    is_refused = status >= "400" and status not in TRY_LATER
    if is_refused or (done.returncode in NOBODY and not part.exists()):
        raise UserError(f"{address}: {complaint}")
    return complaint


def _check(path: Path, checksum: str, address: str) -> None:
    """Raise `UserError` if a file has another checksum than a known one."""
    kind, _, expected = checksum.partition(":")
    if not kind:
        return
    with path.open("rb") as file:
        actual = hashlib.file_digest(file, kind).hexdigest()
    if actual != expected:
        raise UserError(
            f"{address}: its {kind} is {actual}, expected {expected}: it is damaged, or another "
            "file"
        )


def _size(path: Path) -> int:
    """Return how many bytes a file has, 0 if there is none."""
    return path.stat().st_size if path.exists() else 0
