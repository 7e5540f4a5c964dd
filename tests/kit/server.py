"""Serves a folder on the loopback address: listings, and files from any byte on."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


@dataclass
class Served:
    """A folder that is served, and what goes wrong."""

    folder: Path
    url: str = ""
    most: int | None = None  # bytes of a file after which a connection is cut
    statuses: list[int] = field(default_factory=list)  # answers in place of the next ones
    has_ranges: bool = True  # whether files are sent from a byte on
    requests: list[tuple[str, int, str]] = field(default_factory=list)  # path, byte, User-Agent


@contextmanager
def serving(folder: Path) -> Iterator[Served]:
    """Run a server in the background."""
    served = Served(folder)

    class Handler(SimpleHTTPRequestHandler):
        def __init__(self, *given):
            super().__init__(*given, directory=str(folder))

        def log_message(self, *_):
            pass

        def do_GET(self):
            start = int(self.headers.get("Range", "bytes=0-").removeprefix("bytes=").rstrip("-"))
            served.requests.append((self.path, start, self.headers["User-Agent"]))
            path = Path(self.translate_path(self.path))
            with suppress(BrokenPipeError, ConnectionResetError):  # the client is gone
                if served.statuses:
                    self.send_error(served.statuses.pop(0))
                elif path.is_file():
                    self._file(path.read_bytes(), start * served.has_ranges)
                else:
                    super().do_GET()

        def _file(self, content, start):
            if start and start >= len(content):
                self.send_error(416)
                return
            self.send_response(206 if start else 200)
            self.send_header("Content-Length", str(len(content) - start))
            if start:
                last = len(content) - 1
                self.send_header("Content-Range", f"bytes {start}-{last}/{len(content)}")
            self.end_headers()
            end = None if served.most is None else start + served.most
            self.wfile.write(content[start:end])

    with running(ThreadingHTTPServer(("127.0.0.1", 0), Handler)) as served.url:
        yield served


@contextmanager
def running(server: ThreadingHTTPServer) -> Iterator[str]:
    """Run a server in the background; gives its address."""
    with server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()
