"""Files that come whole, and transfers that break off: what is resumed, what is started over."""

import hashlib
import logging
import os
import re
import signal
import subprocess
import sys
from collections import namedtuple
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.made_up.server import Fault, serving
from cr5.base import refusals
from cr5.base.errors import UserError
from cr5.corpora.fetch import download, partial
from cr5.corpora.fetch.download import fetch
from cr5.corpora.fetch.pins import Pin
from cr5.corpora.wikimedia.settings import Settings

CONTENT = bytes(range(256)) * 12_000  # 3 MB
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
    return Pin("dawiki", "content", "2026-10-01", "text", NAME, f"{server.url}/{NAME}", **options)


def bare(server):
    """As of the search index, where nothing is published about a file."""
    return pin(server, bytes=None, checksum_kind="", checksum="")


def ranges(server):
    return [wanted for _, wanted, _, _ in server.requests]


def left(target):
    return sorted(path.name for path in target.parent.iterdir())


def test_a_file_is_fetched_verified_and_nothing_else_is_left(server, target):
    fetched = fetch(pin(server), target, SETTINGS)
    assert target.read_bytes() == CONTENT
    assert left(target) == [NAME]
    assert (fetched.pin, fetched.received) == (pin(server), len(CONTENT))
    ((_, _, agent, encoding),) = server.requests
    assert re.match(r"cr5/\S+ \(tests\) requests/", agent) and encoding == "identity"


def test_size_and_checksum_are_recorded_where_none_are_published(server, target):
    assert fetch(bare(server), target, SETTINGS).pin == pin(server)


@pytest.mark.parametrize("kind", ["sha1", "md5"])
def test_published_checksums_of_other_kinds_are_compared_and_kept(server, target, kind):
    published = pin(server, checksum_kind=kind, checksum=hashlib.new(kind, CONTENT).hexdigest())
    fetched = fetch(published, target, SETTINGS)
    assert fetched.pin == published
    target.unlink()
    wrong = replace(published, checksum="0" * len(published.checksum))
    with pytest.raises(UserError, match=f"expected {kind} 0000*, got {published.checksum}, twice"):
        fetch(wrong, target, SETTINGS)


def test_a_redirect_is_followed_also_when_resuming(server, target, waits):
    server.faults = [
        Fault("/elsewhere/*", "break", 500_000, times=2),
        Fault("/elsewhere/*", "503", times=1),
        Fault(f"/{NAME}", "redirect"),
    ]
    fetched = fetch(pin(server), target, SETTINGS)
    assert fetched.received == len(CONTENT)
    assert f"/elsewhere/{NAME}" in [path for path, *_ in server.requests]


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("circle", "Exceeded 30 redirects"),
        ("404", r"HTTP 404.*kept for some weeks.*`corpus\.date`"),
        ("410", r"HTTP 410.*kept for some weeks.*`corpus\.date`"),
        ("truncated", "expected 3072000 bytes, the server offers 1536000"),
    ],
)
def test_what_is_not_worth_another_try(server, target, fault, said):
    server.faults = [Fault("*", fault)]
    with pytest.raises(UserError, match=said):
        fetch(pin(server), target, SETTINGS)


def test_a_file_that_is_truncated_on_the_server(server, target):
    server.faults = [Fault("*", "truncated")]
    with pytest.raises(UserError, match=f"expected sha256 {SHA256}, got .*, twice"):
        fetch(pin(server, bytes=None), target, SETTINGS)


def test_a_file_that_comes_corrupt_is_fetched_once_more(server, target):
    server.faults = [Fault("*", "corrupt", times=1)]
    assert fetch(pin(server), target, SETTINGS).received == 2 * len(CONTENT)
    assert (target.read_bytes(), ranges(server)) == (CONTENT, ["", ""])
    target.unlink()
    server.faults = [Fault("*", "corrupt")]
    with pytest.raises(UserError, match=f"{server.url}/{NAME}: "):
        fetch(pin(server), target, SETTINGS)
    assert ranges(server) == 4 * [""]
    assert not target.exists()
    assert target.with_name(f"{NAME}.part").stat().st_size == 0


def test_a_login_page_does_not_touch_what_is_there(server, target, waits):
    server.faults = [Fault("*", "break", 500_000, times=1), Fault("*", "html", times=2)]
    assert fetch(pin(server), target, SETTINGS).received == len(CONTENT)
    target.unlink()
    server.faults = [Fault("*", "html")]
    with pytest.raises(UserError, match="expected a dump, got a web page"):
        fetch(pin(server), target, SETTINGS)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs the device that is always full")
def test_a_disk_that_fills_up(server, target):
    target.parent.mkdir()
    target.with_name(f"{NAME}.part").symlink_to("/dev/full")
    with pytest.raises(OSError, match="No space left") as error:
        fetch(pin(server), target, SETTINGS)
    assert "the disk is full" in refusals.refusal(error.value, target.parent)


def test_a_disk_that_is_too_small_is_noticed_before(server, target, monkeypatch):
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(download.shutil, "disk_usage", lambda _: usage(9, 9, 1_000_000))
    with pytest.raises(OSError, match=r"3\.1 MB to come, 1\.0 MB free") as error:
        fetch(pin(server), target, SETTINGS)
    assert refusals.refusal(error.value, "").startswith(f"{target.parent}: the disk is full")


def test_a_slow_transfer_says_how_far_it_is(server, target, caplog, monkeypatch):
    monkeypatch.setattr("cr5.corpora.fetch.progress.EVERY", 0.1)
    server.faults = [Fault("*", "slow", 6_000_000)]
    with caplog.at_level(logging.INFO):
        fetch(pin(server), target, SETTINGS)
    lines = [line for line in caplog.messages if "left" in line]
    assert 2 <= len(lines) <= 8
    line = rf"{NAME}: [\d.]+ [kM]B of 3.1 MB \(\d+ %\), [\d.]+ MB/s, \d s left"
    assert re.fullmatch(line, lines[1])


def test_a_link_that_always_breaks_gets_there_as_long_as_something_comes(server, target, waits):
    server.faults = [Fault("*", "break", 500_000)]
    fetched = fetch(pin(server), target, SETTINGS)
    assert target.read_bytes() == CONTENT
    assert fetched.received == len(CONTENT)  # no byte came twice
    assert ranges(server) == ["", *(f"bytes={k}-" for k in range(500_000, 3_072_000, 500_000))]
    assert len(waits) == 6 and max(waits) < 0.002  # more often than `tries`, each wait the first


@pytest.mark.parametrize("fault", ["stall", "hang"])
def test_a_link_that_breaks_without_progress_is_given_up(server, target, fault):
    server.faults = [Fault("*", "break", 500_000, times=1), Fault("*", fault, 1)]
    with pytest.raises(UserError, match="gave up after 4 tries in a row without progress"):
        fetch(pin(server), target, SETTINGS)
    assert len(server.requests) == 5  # the first one did get somewhere
    assert target.with_name(f"{NAME}.part").read_bytes() == CONTENT[:500_000]
    server.faults = []
    assert fetch(pin(server), target, SETTINGS).received == len(CONTENT) - 500_000


def test_a_server_that_cannot_resume_starts_over(server, target, waits):
    server.faults = [Fault("*", "norange", 500_000)]
    with pytest.raises(UserError, match="gave up after 4 tries in a row without progress"):
        fetch(pin(server), target, SETTINGS)
    server.faults = [Fault("*", "break", 500_000, times=1), Fault("*", "norange")]
    fetched = fetch(pin(server), target, SETTINGS)
    assert target.read_bytes() == CONTENT
    assert fetched.received == len(CONTENT) + 500_000


@pytest.mark.parametrize("published", [pin, bare])
def test_a_server_that_does_not_tell_versions_apart(server, target, waits, published):
    server.faults = [Fault("*", "anonymous", 500_000)]
    fetched = fetch(published(server), target, SETTINGS)
    assert (fetched.pin.checksum, fetched.received) == (SHA256, len(CONTENT))


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


@pytest.mark.parametrize(
    ("there", "published", "asked"),
    [
        (CONTENT[:1000], pin, ["bytes=1000-"]),
        (CONTENT[:1000], bare, [""]),  # without a note nobody knows of what it is a part
        (b"x" * 1000, pin, ["bytes=1000-", ""]),
        (CONTENT + b"x", pin, [""]),
        (CONTENT + b"x", bare, [""]),
        (CONTENT, pin, []),
    ],
)
def test_an_older_part_is_resumed_if_it_is_known_to_be_of_the_same_file(
    server, target, there, published, asked
):
    target.parent.mkdir()
    target.with_name(f"{NAME}.part").write_bytes(there)
    assert fetch(published(server), target, SETTINGS).pin.checksum == SHA256
    assert ranges(server) == asked


KILLED = """
import sys
from cr5.corpora.fetch.download import fetch
from cr5.corpora.fetch.pins import Pin
from cr5.corpora.wikimedia.settings import Settings
fetch(Pin("dawiki", "cirrus", "", "text", "x", sys.argv[1]), sys.argv[2], Settings(contact="tests"))
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
