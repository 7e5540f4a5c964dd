"""A partly fetched file: what is there, which version it is from, how to resume."""

import errno
import fcntl
import json
import re
from pathlib import Path
from typing import Any

import requests

from cr5.base.errors import UserError
from cr5.base.files import atomic_file
from cr5.corpora.fetch.pins import Pin
from cr5.corpora.fetch.remote import LaterError

NUMBER = "[0-9]{1,18}"
RANGE = re.compile(rf"bytes ({NUMBER})-{NUMBER}/({NUMBER}|\*)")
NONE = type(None)


class WrongError(Exception):
    """The file is complete, but not what was expected."""


class Partial:
    """`{target}.part` with its note `{target}.part.json`; a context manager that locks it.

    Attributes:
        path: of the data so far.
        total: bytes of the whole file, None while unknown.
    """

    def __init__(self, target: Path, pin: Pin):
        self.pin = pin
        self.path = target.with_name(f"{target.name}.part")
        self.note_path = target.with_name(f"{target.name}.part.json")
        note = self._read_note()
        self.is_known = bool(note or pin.checksum)  # else the version is unknown
        self.validator: str = note.get("validator", "")
        self.total: int | None = note.get("total", pin.bytes)
        self.is_whole = False  # if the size is unknown, a stream that ended properly is whole

    def __enter__(self) -> "Partial":
        """Lock it, so that no two processes write to it."""
        self._lock = self.path.open("ab")
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno in (errno.EAGAIN, errno.EACCES):
                self._lock.close()
                raise UserError(
                    f"{self.path}: another process is fetching it; wait for it, or end it"
                ) from error  # otherwise the file system has no locks
        if not self.is_known:
            self._empty()
        return self

    def __exit__(self, *error: object) -> None:
        """Unlock it."""
        self._lock.close()

    @property
    def size(self) -> int:
        """Bytes received so far."""
        return self.path.stat().st_size

    @property
    def is_complete(self) -> bool:
        """Whether the file is complete; also detects too much data.

        Raises:
            WrongError: there is more data than the whole file has.
        """
        if self.total is not None and self.size > self.total:
            raise WrongError(f"expected {self.total} bytes, got {self.size}")
        return self.is_whole or (self.total is not None and self.size == self.total)

    def headers(self) -> dict[str, str]:
        """Request headers to get the rest, provided it is of the same version.

        If the server does not distinguish versions, the size and checksum do.
        """
        if not self.size:
            return {}
        version = {"If-Range": self.validator} if self.validator else {}
        return {"Range": f"bytes={self.size}-", **version}

    def begin(self, response: requests.Response) -> None:
        """Inspect the response: resume (206), or start over.

        Raises:
            UserError: the size of the file on the server differs from the pin.
            LaterError: the response does not fit the request.
        """
        if response.status_code == 416:
            self.discard()
            raise LaterError("HTTP 416: the file has become shorter; starting over")
        start, total = _extent(response)
        if "text/html" in response.headers.get("Content-Type", ""):
            raise LaterError("expected a dump, got a web page (does your network ask for a login?)")
        if self.pin.bytes is not None and total not in (None, self.pin.bytes):
            raise UserError(
                f"{self.pin.url}: expected {self.pin.bytes} bytes, the server offers {total}; the "
                "file there is truncated, or another version than the pinned one: look for files "
                "anew, or use another mirror (`corpus.base`)"
            )
        if start not in (0, self.size):
            raise LaterError(f"asked for bytes from {self.size}, got them from {start}")
        if start and None not in (total, self.total) and total != self.total:
            self.discard()
            raise LaterError(f"the file now has {total} bytes; starting over")
        if start == 0:
            self._empty()  # before the note, so that old bytes never belong to a new version
        self.total, self.validator = total or self.pin.bytes, _validator(response)
        note = {"url": self.pin.url, "validator": self.validator, "total": self.total}
        with atomic_file(self.note_path) as temporary:
            temporary.write_text(json.dumps(note), encoding="utf-8")

    def ended(self) -> None:
        """Note that the stream has ended.

        Raises:
            LaterError: it ended too early.
        """
        if self.total is not None and self.size < self.total:
            raise LaterError(f"the connection ended after {self.size} of {self.total} bytes")
        self.is_whole = True

    def discard(self) -> None:
        """Start over."""
        self._empty()
        self.note_path.unlink(missing_ok=True)
        self.validator, self.total, self.is_whole = "", self.pin.bytes, False

    def finish(self, target: Path) -> None:
        """Move the file to its target."""
        self.path.replace(target)
        self.note_path.unlink(missing_ok=True)

    def _empty(self) -> None:
        self.path.open("wb").close()

    def _read_note(self) -> dict[str, Any]:
        """What is known of the version, if from the same address."""
        try:
            note = json.loads(self.note_path.read_text(encoding="utf-8"))
            is_whole = isinstance(note["validator"], str) and type(note["total"]) in (int, NONE)
            return note if note["url"] == self.pin.url and is_whole else {}
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return {}


def _extent(response: requests.Response) -> tuple[int, int | None]:
    """First byte of a response and size of the whole file."""
    if response.status_code == 206:
        value = response.headers.get("Content-Range", "")
        match = RANGE.fullmatch(value)
        if not match:
            raise LaterError(f"HTTP 206 with Content-Range {value!r}")
        return int(match[1]), None if match[2] == "*" else int(match[2])
    length = response.headers.get("Content-Length", "")
    return 0, int(length) if re.fullmatch(NUMBER, length) else None


def _validator(response: requests.Response) -> str:
    """What If-Range accepts: a strong ETag, or a date."""
    tag = response.headers.get("ETag", "")
    return tag if tag and not tag.startswith("W/") else response.headers.get("Last-Modified", "")
