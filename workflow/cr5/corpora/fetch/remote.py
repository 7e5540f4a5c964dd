"""Listings and small files below an address or folder; retries that are polite to servers.

Listings have the same form wherever they come from: names (folders with a trailing slash) with
sizes in bytes if known.
"""

import email.utils
import html
import logging
import random
import re
import socket
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote, unquote

import requests
import urllib3

from cr5 import __version__
from cr5.base.errors import UserError
from cr5.corpora.fetch.access import Access, as_folder

log = logging.getLogger(__name__)

CONNECT = 30  # seconds
LONGEST_WAIT = 300  # seconds between two tries, unless the server asks for more
LONGEST_REQUEST = 3600  # most seconds that a server may ask for
UNANSWERED = 5  # tries, half a minute, if no server ever answered: no network, or a wrong address
NOBODY = (urllib3.exceptions.NewConnectionError, urllib3.exceptions.ConnectTimeoutError)
UNKNOWN_HOST = (socket.EAI_NONAME, socket.EAI_NODATA)
TUNNEL = re.compile("Tunnel connection failed: 4(?!08|29)")
LATER = (408, 425, 429, 500, 502, 503, 504)
GONE = (404, 410)
HOPELESS = (
    requests.TooManyRedirects,
    requests.exceptions.InvalidURL,
    requests.exceptions.InvalidSchema,
    requests.exceptions.MissingSchema,
)
# The address is searched within one tag: a single expression would try all pairs.
LINK = re.compile(r"<a\s([^<>]*)>[^<]*</a>([^<]*)", re.IGNORECASE)
ADDRESS = re.compile(r'(?:^|\s)href="([^"]*)"', re.IGNORECASE)


SIZE = re.compile("[0-9]{1,18}")  # in bytes


class LaterError(Exception):
    """A temporary failure; `seconds` is how long the server asks to wait, or 0.

    `answered` is False if no server could be reached; `refused` is True if that is sure to stay so,
    unless a server has answered before: the connection is refused, or the host unknown.
    """

    def __init__(
        self, reason: str, seconds: float = 0.0, answered: bool = True, refused: bool = False
    ):
        super().__init__(reason)
        self.seconds, self.answered, self.refused = seconds, answered, refused


class MissingError(Exception):
    """The server has no such file (404, 410)."""


class Patience:
    """Waits between tries, twice as long each time, and gives up after several without progress."""

    def __init__(self, settings: Access, what: str):
        self.tries, self.wait, self.what = settings.tries, settings.wait, what
        self.failures, self.answered = 0, False

    def failed(self, reason: LaterError, progressed: bool = False) -> None:
        """Wait for the next try.

        Args:
            reason: why this one failed.
            progressed: this one made progress, so restart the count.

        Raises:
            UserError: that was the last try, no server is at the address, or it asks for more than
                an hour.
        """
        self.failures = 0 if progressed else self.failures + 1
        self.answered |= reason.answered or progressed
        if reason.refused and not self.answered:
            raise UserError(
                f"{self.what}: no server is there ({reason}). Correct the address (`corpus.base`, "
                "and HTTPS_PROXY where the network has a proxy), or run again when it is back"
            )
        tries = f"{self.failures} tries in a row without progress"
        said = f"gave up after {tries}" if self.answered else f"nobody answered in {tries}"
        if self.failures >= (self.tries if self.answered else min(self.tries, UNANSWERED)):
            raise UserError(
                f"{self.what}: {said}; the last: {reason}. What was fetched is kept: run again "
                "later, check the network (HTTPS_PROXY, where it has a proxy), or use a mirror "
                "(`corpus.base`)"
            )
        if reason.seconds > LONGEST_REQUEST:
            raise UserError(
                f"{self.what}: the server asks to wait {reason.seconds:.0f} s ({reason}). What "
                "was fetched is kept: run again then, or use a mirror (`corpus.base`)"
            )
        wait = min(self.wait * 2 ** max(0, self.failures - 1), LONGEST_WAIT)
        # Jobs that failed together should not retry together.
        wait = max(wait, reason.seconds) * random.uniform(1, 1.1)
        log.warning(
            "%s: %s; %d of %d tries without progress, the next in %.0f s",
            *(self.what, reason, self.failures, self.tries, wait),
        )
        time.sleep(wait)


def new_session(settings: Access) -> requests.Session:
    """Return a session that identifies the user.

    Raises:
        UserError: there is no contact, or it cannot be sent.
    """
    contact = settings.checked_contact()
    session = requests.Session()
    name = f"cr5/{__version__} ({contact}) requests/{requests.__version__}"
    session.headers.update({"User-Agent": name, "Accept-Encoding": "identity"})
    return session


@contextmanager
def opened(
    session: requests.Session, url: str, timeout: float, headers: Mapping[str, str] | None = None
) -> Iterator[requests.Response]:
    """Yield a response whose body is not yet read.

    Raises:
        LaterError: worth another try; also raised while the body is read.
        MissingError: the server has no such file.
        UserError: not worth another try.
    """
    try:
        with session.get(url, headers=headers, stream=True, timeout=(CONNECT, timeout)) as response:
            _check(response)
            yield response
    except HOPELESS as error:
        raise UserError(f"{url}: cannot be fetched ({error}); correct `corpus.base`") from error
    except (requests.RequestException, urllib3.exceptions.HTTPError) as error:
        if "CERTIFICATE_VERIFY_FAILED" in str(error):
            raise UserError(
                f"{url}: the server's certificate cannot be verified ({error}); set "
                "REQUESTS_CA_BUNDLE if your network puts its own in place"
            ) from error
        causes = [error]
        while causes[-1].__context__ is not None:
            causes.append(causes[-1].__context__)
        is_refused = _is_refused(causes[-1])
        answered = not (is_refused or any(isinstance(x, NOBODY) for x in causes))
        said = f"{type(causes[-1]).__name__}: {causes[-1]}"
        raise LaterError(said, answered=answered, refused=is_refused) from error


def _is_refused(error: BaseException) -> bool:
    """Whether trying again is of no use; of a proxy, too, that refuses to pass anything on."""
    if isinstance(error, socket.gaierror):
        return error.errno in UNKNOWN_HOST
    return isinstance(error, ConnectionRefusedError) or bool(TUNNEL.search(str(error)))


def _check(response: requests.Response) -> None:
    status = response.status_code
    if status in LATER:
        raise LaterError(f"HTTP {status} {response.reason}", _retry_after(response))
    if status in GONE:
        raise MissingError(f"HTTP {status} {response.reason}")
    if status >= 400 and status != 416:  # 416 concerns the range: the caller handles it
        raise UserError(
            f"{response.url}: HTTP {status} {response.reason}; the server refuses: look at "
            "`corpus.base` and `corpus.contact`"
        )


def _retry_after(response: requests.Response) -> float:
    """Seconds to wait, from a number or a date; 0 if there is none."""
    value = response.headers.get("Retry-After", "").strip()
    if value.isascii() and value.isdigit():
        return float(value)
    try:
        then = email.utils.parsedate_to_datetime(value).timestamp()
    except (ValueError, LookupError, TypeError, OverflowError):
        return 0.0
    return max(0.0, then - time.time())


class Folder:
    """A folder laid out like a mirror, with the methods of `Website`."""

    def __init__(self, root: Path):
        self.root = root.absolute()
        if not root.is_dir():
            raise UserError(f"{root}: there is no such folder; correct `corpus.base`")

    def address(self, path: str) -> str:  # noqa: D102
        return str(self.root / path)

    def listing(self, path: str) -> dict[str, int | None] | None:  # noqa: D102
        folder = self.root / path
        if not folder.is_dir():
            return None
        folders = {f"{x.name}/": None for x in folder.iterdir() if x.is_dir()}
        return folders | {x.name: x.stat().st_size for x in folder.iterdir() if x.is_file()}

    def text(self, path: str) -> str | None:  # noqa: D102
        file = self.root / path
        return file.read_text(encoding="utf-8", errors="replace") if file.is_file() else None


class Website:
    """A web server with directory listings."""

    def __init__(self, settings: Access, session: requests.Session):
        self.settings, self.session = settings, session

    def address(self, path: str) -> str:
        """Return the full address of a path below."""
        return f"{self.settings.root}/{quote(path, safe='/=')}"

    def text(self, path: str) -> str | None:
        """Return the content of a small file, None if there is no such file."""
        url = self.address(path)
        patience = Patience(self.settings, url)
        while True:
            try:
                with opened(self.session, url, self.settings.timeout) as response:
                    return response.content.decode("utf-8", errors="replace")
            except MissingError:
                return None
            except LaterError as error:
                patience.failed(error)

    def listing(self, path: str) -> dict[str, int | None] | None:
        """Return the names in a folder with their sizes, None if there is no such folder."""
        page = self.text(f"{path}/".lstrip("/"))
        return None if page is None else parse_listing(page, self.address(f"{path}/"))


Place = Folder | Website


def parse_listing(page: str, where: str) -> dict[str, int | None]:
    """Read a directory listing of nginx or Apache.

    Sizes are read if in bytes (nginx), and ignored if rounded (`640M`).

    Raises:
        UserError: the page is something else.
    """
    if "Index of" not in page[:2000] and 'href="../"' not in page[:2000]:
        shown = " ".join(re.sub(r"<[^>]*>", " ", page[:2000]).split())[:200]
        raise UserError(
            f"{where}: expected a directory listing, got a page that says {shown!r}; look at "
            "`corpus.base`, or whether your network asks for a login"
        )
    found: dict[str, int | None] = {}
    for inside, after in LINK.findall(page):
        link = ADDRESS.search(inside)
        name = unquote(html.unescape(link[1])).removeprefix("./") if link else ""
        if re.fullmatch(r"[^/?#:]+/?", name) and name not in ("../", "./", "..", "."):
            size = after.split()[-1:]
            found[name] = int(size[0]) if size and SIZE.fullmatch(size[0]) else None
    return found


@contextmanager
def place(settings: Access) -> Iterator[Place]:
    """Yield the place to look in: the folder or server given by `settings.base`."""
    folder = as_folder(settings.root)
    if folder is not None:
        yield Folder(folder)
        return
    with new_session(settings) as session:
        yield Website(settings, session)
