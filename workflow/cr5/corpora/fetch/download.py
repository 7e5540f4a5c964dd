"""Fetches one pinned file: resumed if interrupted, verified, then put in place.

Data received so far is in a file next to the target, named like it with `.part`; `.part.json`
records which version of the file it is from. Neither is deleted, however the job ends, unless the
file turns out to be a different one or wrong.
"""

import errno
import hashlib
import logging
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

import requests

from cr5.base.errors import UserError
from cr5.base.files import atomic_file
from cr5.base.refusals import FULL
from cr5.corpora.fetch.access import Access, as_folder
from cr5.corpora.fetch.partial import Partial, WrongError
from cr5.corpora.fetch.pins import Pin
from cr5.corpora.fetch.progress import Progress, amount
from cr5.corpora.fetch.remote import LaterError, MissingError, Patience, new_session, opened

log = logging.getLogger(__name__)

CHUNK = 1 << 20  # bytes


@dataclass(frozen=True)
class Fetched:
    """A file that has been verified.

    Attributes:
        pin: with the size and, if no checksum was published, our own sha256.
        path: of the file.
        sha256: of the file.
        received: bytes transferred this time.
        seconds: duration.
    """

    pin: Pin
    path: Path
    sha256: str
    received: int
    seconds: float


def fetch(
    pin: Pin, target: str | Path, settings: Access, session: requests.Session | None = None
) -> Fetched:
    """Fetch a file, resuming if possible, and verify it.

    A local file is verified and linked, not copied. A target that exists already is verified and
    kept.

    Args:
        pin: what to fetch; its size and checksum are compared if given.
        target: path of the file.
        settings: contact, tries, wait and timeout.
        session: to fetch with; defaults to a new one.

    Raises:
        UserError: the file has vanished, differs from its pin (twice), the server does not answer,
            the disk is full. Data received so far is kept.
    """
    target, start = Path(target), time.monotonic()
    target.parent.mkdir(parents=True, exist_ok=True)
    local, received = as_folder(pin.url), 0
    if local is not None:
        size, sha256 = _link(pin, local, target, settings)
    elif (kept := _kept(pin, target)) is not None:
        size, sha256 = kept
    else:
        own = nullcontext(session) if session else new_session(settings)
        with own as open_session, _saying_disk_full(target.parent):
            size, sha256, received = _download(pin, target, settings, open_session)
    if not pin.checksum:
        pin = replace(pin, checksum_kind="sha256", checksum=sha256)
    seconds = time.monotonic() - start
    log.info("%s: %s, verified, after %.1f s", pin.name, amount(size), seconds)
    return Fetched(replace(pin, bytes=size), target, sha256, received, seconds)


def verify(pin: Pin, path: Path) -> tuple[int, str]:
    """Return the size and sha256 of a file.

    Raises:
        WrongError: size or checksum differ from the pin.
    """
    size = path.stat().st_size
    if pin.bytes is not None and size != pin.bytes:
        raise WrongError(f"expected {pin.bytes} bytes, got {size}")
    kind = pin.checksum_kind or "sha256"
    digests = {name: hashlib.new(name, usedforsecurity=False) for name in {"sha256", kind}}
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            for digest in digests.values():
                digest.update(chunk)
    actual = digests[kind].hexdigest()
    if pin.checksum and actual != pin.checksum:
        raise WrongError(f"expected {kind} {pin.checksum}, got {actual}")
    return size, digests["sha256"].hexdigest()


def _link(pin: Pin, source: Path, target: Path, settings: Access) -> tuple[int, str]:
    if not source.is_file():
        raise UserError(f"{source}: there is no such file, but it is pinned; {settings.remedy}")
    try:
        found = verify(pin, source)
    except WrongError as error:
        raise UserError(
            f"{source}: {error}; the file is damaged or another version: fetch it into that "
            f"folder again, or {settings.remedy}"
        ) from error
    with atomic_file(target) as temporary:
        temporary.symlink_to(source.absolute())
    return found


def _kept(pin: Pin, target: Path) -> tuple[int, str] | None:
    """Size and sha256 of a target that exists already and is right, else None."""
    if not target.is_file():
        return None
    try:
        return verify(pin, target)
    except WrongError as error:
        log.warning("%s: %s; fetching it again", target, error)
        return None


def _download(
    pin: Pin, target: Path, settings: Access, session: requests.Session
) -> tuple[int, str, int]:
    """Fetch at most twice: a complete but wrong file is fetched once more from the start."""
    progress = Progress(pin.name)
    with Partial(target, pin) as part:
        for last in (False, True):
            try:
                _transfer(pin, part, settings, session, progress)
                found = verify(pin, part.path)
                part.finish(target)
                return *found, progress.received
            except WrongError as error:
                part.discard()
                if last:
                    raise UserError(
                        f"{pin.url}: {error}, twice; the file on the server is damaged or is not "
                        "the one that was pinned, or something on the way changes it: "
                        f"{settings.remedy}"
                    ) from error
                log.warning("%s: %s; fetching it once more from the start", pin.name, error)
    raise AssertionError("unreachable")


def _transfer(
    pin: Pin, part: Partial, settings: Access, session: requests.Session, progress: Progress
) -> None:
    """Try until the file is complete; a try makes progress if it gets further than all before."""
    patience, furthest = Patience(settings, pin.url), part.size
    while not part.is_complete:
        try:
            with opened(session, pin.url, settings.timeout, part.headers()) as response:
                part.begin(response)
                _need_room(part)
                progress.begin(part.size, part.total)
                _append(response, part, progress)
        except MissingError as error:
            raise UserError(f"{pin.url}: {error}; {settings.remedy}") from error
        except LaterError as error:
            patience.failed(error, progressed=part.size > furthest)
            furthest = max(furthest, part.size)


def _append(response: requests.Response, part: Partial, progress: Progress) -> None:
    """Write data as it arrives: a broken connection loses nothing that was received.

    Raises:
        LaterError: the connection ended early.
    """
    with part.path.open("ab", buffering=0) as file:
        while chunk := response.raw.read1(CHUNK, decode_content=False):
            view = memoryview(chunk)
            while view:
                view = view[file.write(view) :]
            progress.add(len(chunk))
            if part.total is not None and file.tell() > part.total:
                return  # `is_complete` detects it: a server may send without end
        os.fsync(file.fileno())
    part.ended()


def _need_room(part: Partial) -> None:
    free = shutil.disk_usage(part.path.parent).free
    missing = (part.total or 0) - part.size
    if missing > free:
        raise OSError(errno.ENOSPC, f"{amount(missing)} to come, {amount(free)} free")


@contextmanager
def _saying_disk_full(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno not in FULL:
            raise
        raise UserError(
            f"{folder}: the disk is full ({error.strerror}); what was fetched is kept: make room, "
            "or put the results elsewhere, and run again"
        ) from error
