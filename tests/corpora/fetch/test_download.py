"""Files that come whole, and transfers that break off: what is resumed, what is started over."""

import hashlib
import os
import re
import signal
import subprocess
import sys
from collections import namedtuple
from dataclasses import replace
from pathlib import Path

import pytest

from cr5.base import refusals
from cr5.base.errors import UserError
from cr5.corpora.fetch import download, partial
from cr5.corpora.fetch.download import fetch
from cr5.corpora.fetch.pins import Pin
from cr5.corpora.wikimedia.settings import Settings
from tests.kit.wikimedia.server import Fault, serving

CONTENT = bytes(range(256)) * 12_000  # 3 MB
SIZE = len(CONTENT)
SHA256 = hashlib.sha256(CONTENT).hexdigest()
NAME = "dawiki-p1p9.xml.bz2"
SETTINGS = Settings(contact="tests", tries=4, wait=0.001, timeout=1.0)


@pytest.fixture
def server(tmp_path):
    folder = tmp_path / "dumps"
    folder.mkdir()
    (folder / NAME).write_bytes(CONTENT)
    with serving(folder) as running:
        yield running


@pytest.fixture
def target(tmp_path):
    return tmp_path / "here" / NAME


def pin(server, **options):
    options = {"bytes": len(CONTENT), "checksum_kind": "sha256", "checksum": SHA256, **options}
    return Pin("dawiki", "2026-10-01", "text", NAME, f"{server.url}/{NAME}", **options)


def bare(server):
    """Where nothing is published about a file."""
    return pin(server, bytes=None, checksum_kind="", checksum="")


def ranges(server):
    return [wanted for _, wanted, _, _ in server.requests]


def left(target):
    return sorted(path.name for path in target.parent.iterdir())


EVERY = [f"bytes={k}-" for k in range(500_000, SIZE, 500_000)]
AWAY = [Fault("/elsewhere/*", *x) for x in (("break", 500_000, 2), ("503", None, 1))]


def breaks():
    """Once; a fault counts how often it was."""
    return Fault("*", "break", 500_000, times=1)


ARRIVES = {  # what goes wrong, what is published, what is there; what is asked for, what comes
    "at once": ([], "pin", None, [""], SIZE),
    "where nothing is published": ([], "bare", None, [""], SIZE),
    "over a redirect": ([*AWAY, Fault(f"/{NAME}", "redirect")], "pin", None, None, SIZE),
    "corrupt once": ([Fault("*", "corrupt", times=1)], "pin", None, ["", ""], 2 * SIZE),
    "after a login page": ([breaks(), Fault("*", "html", times=2)], "pin", None, None, SIZE),
    "over a link that always breaks": (
        *([Fault("*", "break", 500_000)], "pin", None, ["", *EVERY], SIZE),
    ),
    "where nothing is resumed": (
        [breaks(), Fault("*", "norange")],
        "pin",
        None,
        None,
        SIZE + 500_000,
    ),
    "without versions": ([Fault("*", "anonymous", 500_000)], "pin", None, None, SIZE),
    "without versions or sums": ([Fault("*", "anonymous", 500_000)], "bare", None, None, SIZE),
    "after a part": ([], "pin", CONTENT[:1000], ["bytes=1000-"], SIZE - 1000),
    # without a note nobody knows of what it is a part
    "after a part of something": ([], "bare", CONTENT[:1000], [""], SIZE),
    "after another part": ([], "pin", b"x" * 1000, ["bytes=1000-", ""], 2 * SIZE - 1000),
    "after too much": ([], "pin", CONTENT + b"x", [""], SIZE),
    "after too much of something": ([], "bare", CONTENT + b"x", [""], SIZE),
    "after all of it": ([], "pin", CONTENT, [], 0),
}


@pytest.mark.parametrize("how", ARRIVES)
def test_a_file_arrives_whole_and_nothing_else_is_left(server, target, waits, how):
    server.faults, published, there, asked, received = ARRIVES[how]
    if there is not None:
        target.parent.mkdir()
        target.with_name(f"{NAME}.part").write_bytes(there)
    fetched = fetch((pin if published == "pin" else bare)(server), target, SETTINGS)
    assert target.read_bytes() == CONTENT
    assert left(target) == [NAME]
    assert (fetched.pin, fetched.received) == (pin(server), received)
    assert asked is None or ranges(server) == asked
    if asked == ["", *EVERY]:  # more often than `tries`, each wait the first, as something came
        assert len(waits) == len(EVERY) and max(waits) < 0.002
    for _, _, agent, encoding in server.requests:
        assert re.match(r"cr5/\S+ \(tests\) requests/", agent) and encoding == "identity"


GIVEN_UP = "gave up after 4 tries in a row without progress"
REFUSED = {  # what goes wrong, the size that is published; how often it is asked for, what is said
    "circle": ([Fault("*", "circle")], SIZE, None, "Exceeded 30 redirects"),
    "gone": ([Fault("*", "404")], SIZE, 1, r"HTTP 404.*kept for some weeks.*`corpus\.date`"),
    "gone for good": ([Fault("*", "410")], SIZE, 1, "HTTP 410.*kept for some weeks"),
    "shorter": ([Fault("*", "truncated")], SIZE, None, "expected 3072000 bytes, the server offers"),
    "shorter than thought": (
        *([Fault("*", "truncated")], None, None, f"expected sha256 {SHA256}, got .*, twice"),
    ),
    "corrupt": ([Fault("*", "corrupt")], SIZE, 2, f"expected sha256 {SHA256}, got .*, twice"),
    "login page": ([Fault("*", "html")], SIZE, None, "expected a dump, got a web page"),
    "stalls": ([breaks(), Fault("*", "stall", 1)], SIZE, 5, GIVEN_UP),
    "hangs": ([breaks(), Fault("*", "hang", 1)], SIZE, 5, GIVEN_UP),
    "never resumes": ([Fault("*", "norange", 500_000)], SIZE, None, GIVEN_UP),
}


@pytest.mark.parametrize("how", REFUSED)
def test_what_does_not_arrive_is_named(server, target, waits, how):
    server.faults, size, times, said = REFUSED[how]
    with pytest.raises(UserError, match=said) as raised:
        fetch(pin(server, bytes=size), target, SETTINGS)
    assert f"{server.url}/{NAME}: " in str(raised.value)
    assert not target.exists()
    assert times is None or len(server.requests) == times
    if times == 5:  # the first one did get somewhere
        server.faults = []
        assert fetch(pin(server), target, SETTINGS).received == SIZE - 500_000


@pytest.mark.parametrize("kind", ["sha1", "md5"])
def test_published_checksums_of_other_kinds_are_compared_and_kept(server, target, kind):
    published = pin(server, checksum_kind=kind, checksum=hashlib.new(kind, CONTENT).hexdigest())
    assert fetch(published, target, SETTINGS).pin == published
    target.unlink()
    wrong = replace(published, checksum="0" * len(published.checksum))
    with pytest.raises(UserError, match=f"expected {kind} 0000*, got {published.checksum}, twice"):
        fetch(wrong, target, SETTINGS)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs the device that is always full")
def test_a_disk_that_fills_up(server, target):
    target.parent.mkdir()
    target.with_name(f"{NAME}.part").symlink_to("/dev/full")
    with pytest.raises(OSError, match="No space left") as error:
        fetch(pin(server), target, SETTINGS)
    assert "No space left" in refusals.refusal(error.value, target.parent)


def test_a_disk_that_is_too_small_is_noticed_before(server, target, monkeypatch):
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(download.shutil, "disk_usage", lambda _: usage(9, 9, 1_000_000))
    with pytest.raises(OSError, match=r"3\.1 MB to come, 1\.0 MB free") as error:
        fetch(pin(server), target, SETTINGS)
    assert refusals.refusal(error.value, "").startswith(f"{target.parent}: 3.1 MB to come")


def test_a_version_of_another_size_is_noticed_without_a_checksum(server, target, waits):
    server.faults = [Fault("*", "anonymous", 500_000, times=1), Fault("*", "anonymous")]
    file, send = server.folder / NAME, server.fault

    def changing(path):
        if len(server.requests) == 2:
            file.write_bytes(CONTENT[::-1] + b"more")
        return send(path)

    server.fault = changing
    assert fetch(bare(server), target, SETTINGS).pin.bytes == len(CONTENT) + 4
    assert target.read_bytes() == CONTENT[::-1] + b"more"
    assert ranges(server) == ["", "bytes=500000-", ""]


@pytest.mark.parametrize("published", [pin, bare])
def test_a_file_that_changes_in_between_is_not_mixed(server, target, waits, published):
    server.faults = [Fault("*", "break", 500_000, times=1)]
    file, send = server.folder / NAME, server.fault

    def changing(path):
        fault = send(path)
        if len(server.requests) == 2:
            file.write_bytes(CONTENT[::-1])
        return fault

    server.fault = changing
    if published is bare:
        fetched = fetch(bare(server), target, SETTINGS)
        assert fetched.pin.checksum == hashlib.sha256(CONTENT[::-1]).hexdigest()
        assert fetched.received == len(CONTENT) + 500_000
    else:
        with pytest.raises(UserError, match=f"expected sha256 {SHA256}, got .*, twice"):
            fetch(pin(server), target, SETTINGS)


KILLED = """
import sys
from cr5.corpora.fetch.download import fetch
from cr5.corpora.fetch.pins import Pin
from cr5.corpora.wikimedia.settings import Settings
fetch(Pin("dawiki", "", "text", "x", sys.argv[1]), sys.argv[2], Settings(contact="tests"))
"""


def test_a_job_that_is_killed_loses_nothing(server, target):
    server.faults = [Fault("*", "slow", 4_000_000)]
    kept = [0]
    for _ in range(2):
        process = subprocess.Popen([sys.executable, "-c", KILLED, f"{server.url}/{NAME}", target])
        file = target.with_name(f"{NAME}.part")
        while not file.exists() or file.stat().st_size < kept[-1] + 200_000:
            assert process.poll() is None
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        kept.append(file.stat().st_size)
    assert file.read_bytes() == CONTENT[: kept[-1]]
    server.faults = []
    fetched = fetch(bare(server), target, SETTINGS)
    assert (fetched.pin.checksum, fetched.received) == (SHA256, len(CONTENT) - kept[-1])
    assert ranges(server) == ["", f"bytes={kept[1]}-", f"bytes={kept[2]}-"]


def test_two_jobs_do_not_write_to_the_same_file(server, target):
    target.parent.mkdir()
    with (
        partial.Partial(target, pin(server)),
        pytest.raises(UserError, match="another process is fetching it"),
    ):
        fetch(pin(server), target, SETTINGS)
