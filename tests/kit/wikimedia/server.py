"""Serves a mirror on the loopback address as dumps.wikimedia.org does, with faults on demand."""

import fnmatch
import html
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

CHUNK = 1 << 16  # bytes


@dataclass
class Fault:
    """What goes wrong with which files.

    Attributes:
        pattern: of paths, as in a shell.
        kind: a status (503 with Retry-After of `number` seconds); truncated: the first half, as if
            it were all; corrupt: a byte is another one; break: every connection breaks after
            `number` bytes; stall: no byte, then closed; slow: `number` bytes per second; hang: no
            byte for `number` seconds; redirect: to the same file elsewhere; circle: to itself for
            ever; html: a page that asks for a login; norange: Range is ignored, breaks after
            `number` bytes; anonymous: no ETag and no date, breaks after `number` bytes.
        number: what the kind needs.
        times: how often, None for always.
    """

    pattern: str
    kind: str
    number: int = 0
    times: int | None = None


@dataclass
class Mirror:
    """A running server.

    Attributes:
        folder: that is served.
        faults: the first that matches applies; may be changed while it runs.
        url: base address.
        requests: (path, Range or nothing, User-Agent, Accept-Encoding) of each request so far.
    """

    folder: Path
    faults: list[Fault]
    url: str = ""
    requests: list[tuple[str, str, str, str]] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def fault(self, path: str) -> Fault:
        """Return what is wrong with a path this time."""
        with self.lock:
            for fault in self.faults:
                if fault.times != 0 and fnmatch.fnmatch(path, fault.pattern):
                    if fault.times:
                        fault.times -= 1
                    return fault
        return Fault("*", "")


@contextmanager
def serving(folder: Path, faults: Sequence[Fault] = ()) -> Iterator[Mirror]:
    """Run a server in the background."""
    mirror = Mirror(Path(folder), list(faults))
    handler = type("BoundHandler", (Handler,), {"mirror": mirror})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    mirror.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield mirror
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class Handler(BaseHTTPRequestHandler):
    """Answers GET: listings and files, whole or from a byte on."""

    mirror: Mirror
    timeout = 60  # seconds

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        """Answer."""
        headers = self.headers
        path = unquote(urlsplit(self.path).path)
        wanted = tuple(headers.get(name, "") for name in ("Range", "User-Agent", "Accept-Encoding"))
        self.mirror.requests.append((path, *wanted))
        fault = self.mirror.fault(path)
        with suppress(BrokenPipeError, ConnectionResetError):  # the client is gone
            self._answer(path, fault)

    def _answer(self, path: str, fault: Fault) -> None:
        file = self.mirror.folder / path.removeprefix("/elsewhere").lstrip("/")
        if fault.kind.isdigit():
            extra = {"Retry-After": str(fault.number)} if fault.kind == "503" else {}
            self._page(int(fault.kind), f"<h1>{fault.kind} made up</h1>", **extra)
        elif fault.kind == "html":
            self._page(
                200, "<html><title>Login</title><p>Please log in to this network.</p></html>"
            )
        elif fault.kind == "redirect" and not path.startswith("/elsewhere"):
            self._page(302, "moved", Location=f"{self.mirror.url}/elsewhere{quote(path)}")
        elif fault.kind == "circle":
            self._page(302, "moved", Location=self.path)
        elif file.is_dir():
            self._page(200, listing(file, path))
        elif file.is_file():
            self._file(file, fault)
        else:
            self._page(404, "<h1>404 Not Found</h1>")

    def _page(self, status: int, text: str, **headers: str) -> None:
        body = text.encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _file(self, file: Path, fault: Fault) -> None:
        status = file.stat()
        size = status.st_size // 2 if fault.kind == "truncated" else status.st_size
        tag = f'"{size:x}-{status.st_mtime_ns:x}"'
        start = self._start(tag, fault)
        if start and start >= size:
            self._page(416, "<h1>416 Range Not Satisfiable</h1>")
            return
        self.send_response(206 if start else 200)
        self.send_header("Content-Type", "application/octet-stream")
        self.send_header("Content-Length", str(size - start))
        if start:
            self.send_header("Content-Range", f"bytes {start}-{size - 1}/{size}")
        if fault.kind != "anonymous":
            self.send_header("ETag", tag)
            self.send_header("Last-Modified", formatdate(status.st_mtime, usegmt=True))
        self.end_headers()
        self._send(file, start, size, fault)

    def _start(self, tag: str, fault: Fault) -> int:
        """First byte to send: 0 unless a range of this very version is asked for."""
        wanted = self.headers.get("Range", "")
        if not wanted or fault.kind == "norange" or self.headers.get("If-Range", tag) != tag:
            return 0
        return int(wanted.removeprefix("bytes=").rstrip("-"))

    def _send(self, path: Path, start: int, end: int, fault: Fault) -> None:
        """Send the bytes of a file from `start` on, as the fault has it."""
        if fault.kind in ("stall", "hang"):
            self.wfile.flush()
            time.sleep(fault.number if fault.kind == "hang" else 0)
            return
        middle = end // 2 if fault.kind == "corrupt" else -1
        if fault.kind in ("break", "norange", "anonymous") and fault.number:
            end = min(end, start + fault.number)
        step = max(1, fault.number // 20) if fault.kind == "slow" else CHUNK
        with path.open("rb") as file:
            file.seek(start)
            for first in range(start, end, step):
                chunk = bytearray(file.read(min(step, end - first)))
                if first <= middle < first + len(chunk):
                    chunk[middle - first] ^= 255
                self.wfile.write(chunk)
                if fault.kind == "slow":
                    time.sleep(0.05)


def listing(folder: Path, path: str) -> str:
    """Return a directory listing in the style of nginx."""
    lines = ['<a href="../">../</a>']
    for entry in sorted(folder.iterdir(), key=lambda e: (e.is_file(), e.name)):
        name = entry.name + ("/" if entry.is_dir() else "")
        size = "-" if entry.is_dir() else str(entry.stat().st_size)
        shown = name if len(name) <= 50 else f"{name[:47]}..&gt;"
        lines.append(
            f'<a href="{quote(name)}">{html.escape(shown, quote=False) if shown == name else shown}'
            f"</a>{' ' * max(1, 51 - len(name))}05-Oct-2026 03:12 {size:>20}"
        )
    title = f"Index of {html.escape(path)}"
    return (
        f"<html>\r\n<head><title>{title}</title></head>\r\n<body>\r\n<h1>{title}</h1><hr><pre>"
        + "\r\n".join(lines)
        + "\r\n</pre><hr></body>\r\n</html>\r\n"
    )
