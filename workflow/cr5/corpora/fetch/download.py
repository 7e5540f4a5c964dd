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
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import requests

from cr5.base.errors import UserError
from cr5.base.files import atomic_file
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
        received: bytes transferred.
    """

    pin: Pin
    received: int


def fetch(pin: Pin, target: str | Path, settings: Access) -> Fetched:
    """Fetch a file, resuming if possible, and verify it; a local one is linked, not copied.

    Args:
        pin: what to fetch; its size and checksum are compared if given.
        target: path of the file.
        settings: contact, tries, wait and timeout.

    Raises:
        UserError: the file has vanished, differs from its pin (twice), or the server does not
            answer. Data received so far is kept.
    """
    target, start = Path(target), time.monotonic()
    target.parent.mkdir(parents=True, exist_ok=True)
    local = as_folder(pin.url)
    if local is None:
        found = _download(pin, target, settings)
    else:
        found = Fetched(_link(pin, local, target, settings), 0)
    said = pin.name, amount(found.pin.bytes), amount(found.received), time.monotonic() - start
    log.info("%s: %s, verified; %s received in %.1f s", *said)
    return found


def _verified(pin: Pin, path: Path) -> Pin:
    """Return the pin with the size and checksum of a file.

    Raises:
        WrongError: they differ from those of the pin.
    """
    size, kind = path.stat().st_size, pin.checksum_kind or "sha256"
    if pin.bytes not in (None, size):
        raise WrongError(f"expected {pin.bytes} bytes, got {size}")
    with path.open("rb") as file:
        new = partial(hashlib.new, kind, usedforsecurity=False)
        actual = hashlib.file_digest(file, new).hexdigest()
    if pin.checksum not in ("", actual):
        raise WrongError(f"expected {kind} {pin.checksum}, got {actual}")
    return replace(pin, bytes=size, checksum_kind=kind, checksum=actual)


def _link(pin: Pin, source: Path, target: Path, settings: Access) -> Pin:
    if not source.is_file():
        raise UserError(f"{source}: there is no such file, but it is pinned; {settings.remedy}")
    try:
        found = _verified(pin, source)
    except WrongError as error:
        raise UserError(
            f"{source}: {error}; the file is damaged or another version: fetch it into that "
            f"folder again, or {settings.remedy}"
        ) from error
    with atomic_file(target) as temporary:
        temporary.symlink_to(source.absolute())
    return found


def _download(pin: Pin, target: Path, settings: Access) -> Fetched:
    """Fetch at most twice: a complete but wrong file is fetched once more from the start."""
    progress = Progress(pin.name)
    with new_session(settings) as session, Partial(target, pin) as part:
        for last in (False, True):
            try:
                _transfer(pin, part, settings, session, progress)
                found = _verified(pin, part.path)
                part.finish(target)
                return Fetched(found, progress.received)
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
    folder = part.path.parent
    missing, free = (part.total or 0) - part.size, shutil.disk_usage(folder).free
    if missing > free:
        said = f"{amount(missing)} to come, {amount(free)} free"
        raise OSError(errno.ENOSPC, said, str(folder))
