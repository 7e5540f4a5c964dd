import email.utils
import socket
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from cr5.base.errors import UserError
from cr5.corpora.fetch import remote
from cr5.corpora.fetch.remote import LaterError, Patience, parse_listing, place
from cr5.corpora.wikimedia.settings import Settings
from tests.kit.wikimedia.server import Fault

NGINX = """<html>\r
<head><title>Index of /other/20261001/</title></head>\r
<body>\r
<h1>Index of /other/</h1><hr><pre><a href="../">../</a>\r
<a href="index_name%3Ddawiki_content/">index_name=dawiki_content/</a>   05-Oct-2026 03:12   -\r
<a href="dawiki_content-20261001-00000.json.bz2">dawiki_con..&gt;</a> 05-Oct-2026 03:12 48430776\r
</pre></body></html>"""
APACHE = """<html><head><title>Index of /mirror/dumps</title></head><body><table>
<tr><td><a href="?C=N;O=D">Name</a></td></tr>
<tr><td><a href="/mirror/">Parent Directory</a></td><td>-</td></tr>
<tr><td><A class="x" href="./dawiki/">dawiki/</a></td><td align="right">01-Oct</td></tr>
<tr><td><a href="a.json.bz2">a.json.bz2</a></td><td align="right">2026-10-01</td><td>640M</td></tr>
</table></body></html>"""


def settings(server, **options):
    options = {"contact": "tests", "tries": 3, "wait": 0.001, "timeout": 0.3, **options}
    return Settings(base=server.url, **options)


@pytest.fixture
def website(server):
    with place(settings(server)) as website:
        yield website


def test_listings_of_nginx_have_sizes_and_those_of_apache_rounded_ones():
    assert parse_listing(NGINX, "here") == {
        "index_name=dawiki_content/": None,
        "dawiki_content-20261001-00000.json.bz2": 48430776,
    }
    assert parse_listing(APACHE, "here") == {"dawiki/": None, "a.json.bz2": None}


def test_the_same_listing_from_a_server_and_a_folder(mirror, website):
    with place(Settings(base=str(mirror))) as local:
        pass
    for path in ("", "other/mediawiki_content_current/eswiki/2026-10-01/xml/bzip2"):
        assert website.listing(path) == local.listing(path)
    assert website.listing("nowhere") is local.listing("nowhere") is None
    path = "eswiki/20261001/dumpstatus.json"
    assert website.text(path) == local.text(path) == (mirror / path).read_text()
    assert website.text("eswiki/nothing") is local.text("eswiki/nothing") is None


def test_a_busy_server_is_asked_again_when_it_says(server, website, waits):
    server.faults = [Fault("*", "503", 7, times=2)]
    assert website.text("eswiki/20261001/dumpstatus.json")
    assert [round(wait) for wait in waits] in ([7, 7], [7, 8], [8, 7], [8, 8])


@pytest.mark.parametrize(
    ("fault", "waited", "said"),
    [
        (Fault("*", "503", 1), 2, "gave up after 3 tries in a row .* HTTP 503"),
        (Fault("*", "503", 7200), 0, "the server asks to wait 7200 s"),
        (Fault("*", "403"), 0, "HTTP 403 .*the server refuses"),
    ],
)
def test_a_server_that_does_not_answer_is_given_up(server, website, waits, fault, waited, said):
    server.faults = [fault]
    with pytest.raises(UserError, match=said):
        website.text("eswiki/20261001/dumpstatus.json")
    assert len(waits) == waited


class NoTunnel(BaseHTTPRequestHandler):
    """A proxy that passes nothing on."""

    def do_CONNECT(self):
        self.send_error(403)

    def log_message(self, *_):
        pass


@pytest.fixture
def proxy():
    """The address of such a proxy."""
    with HTTPServer(("127.0.0.1", 0), NoTunnel) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


UNKNOWN = "http://no-such-host.invalid"


@pytest.mark.parametrize(
    ("base", "through", "said"),
    [
        ("http://127.0.0.1:9", "", "Connection refused"),
        (UNKNOWN, "", "gaierror"),
        (UNKNOWN, "http://127.0.0.1:9", "Connection refused"),
        (UNKNOWN.replace("http", "https"), "proxy", "Tunnel connection failed: 403"),
    ],
)
def test_where_no_server_is_it_is_said_at_once(base, through, said, waits, monkeypatch, proxy):
    """Through a proxy each was tried ten times, for 17 minutes."""
    error = socket.gaierror(socket.EAI_NONAME, "Name or service not known")
    real = socket.getaddrinfo

    def resolved(host, *rest, **named):
        if host == "no-such-host.invalid":
            raise error
        return real(host, *rest, **named)

    monkeypatch.setattr(socket, "getaddrinfo", resolved)
    if through:
        monkeypatch.delenv("NO_PROXY")
        monkeypatch.setenv("http_proxy", through)
        monkeypatch.setenv("https_proxy", proxy)
    nobody = Settings(base=base, contact="tests")
    with place(nobody) as website, pytest.raises(UserError, match=f"no server is there .*{said}"):
        website.text("x")
    assert not waits


def test_a_network_that_is_down_is_tried_for_half_a_minute(waits):
    patience = Patience(Settings(), "it")
    with pytest.raises(UserError, match="nobody answered in 5 tries in a row"):
        for _ in range(5):
            patience.failed(LaterError("unreachable", answered=False))
    assert 30 <= sum(waits) <= 33


@pytest.mark.parametrize("progressed", [True, False])
def test_a_server_that_goes_away_after_an_answer_is_waited_for(waits, progressed):
    """As amid a long download, while it is started again."""
    patience = Patience(Settings(), "it")
    patience.failed(LaterError("broken", answered=not progressed), progressed=progressed)
    with pytest.raises(UserError, match="gave up after 10 tries in a row without progress"):
        for _ in range(10):
            patience.failed(LaterError("refused", answered=False, refused=True))
    assert len(waits) == 9 + progressed


def test_waits_double_up_to_a_limit(waits):
    patience = Patience(Settings(tries=100, wait=100), "it")
    for _ in range(3):
        patience.failed(LaterError("broken"))
    assert 100 <= waits[0] <= 110 and 200 <= waits[1] <= 220 and 300 <= waits[2] <= 330
    patience.failed(LaterError("broken"), progressed=True)
    patience.failed(LaterError("broken"))
    assert 100 <= waits[3] <= 110 and 100 <= waits[4] <= 110


def test_retry_after_may_be_a_date(server, website, waits, monkeypatch):
    then = email.utils.formatdate(time.time() + 30, usegmt=True)
    response = type("Response", (), {"headers": {"Retry-After": then}})
    assert 28 <= remote._retry_after(response) <= 31
