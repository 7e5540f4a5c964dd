import hashlib
import logging
import re
from collections import namedtuple
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.made_up.server import Fault, serving
from cr5.base.errors import UserError
from cr5.corpora.fetch import download
from cr5.corpora.fetch.download import fetch
from cr5.corpora.fetch.pins import Pin
from cr5.corpora.wikimedia.settings import Settings

CONTENT = bytes(range(256)) * 12_000  # 3 MB
SHA256 = hashlib.sha256(CONTENT).hexdigest()
NAME = "dawiki-p1p9.xml.bz2"
SETTINGS = Settings(contact="tests", tries=4, wait=0.001, timeout=0.3)


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
    assert (fetched.sha256, fetched.received, fetched.path) == (SHA256, len(CONTENT), target)
    assert fetched.pin == pin(server)


def test_who_asks_is_said_and_nothing_is_compressed_on_the_way(server, target):
    fetch(pin(server), target, SETTINGS)
    ((_, _, agent, encoding),) = server.requests
    assert re.match(r"cr5/\S+ \(tests\) requests/", agent) and encoding == "identity"


def test_size_and_checksum_are_recorded_where_none_are_published(server, target):
    assert fetch(bare(server), target, SETTINGS).pin == pin(server)


@pytest.mark.parametrize("kind", ["sha1", "md5"])
def test_published_checksums_of_other_kinds_are_compared_and_kept(server, target, kind):
    published = pin(server, checksum_kind=kind, checksum=hashlib.new(kind, CONTENT).hexdigest())
    fetched = fetch(published, target, SETTINGS)
    assert (fetched.pin, fetched.sha256) == (published, SHA256)
    target.unlink()
    wrong = replace(published, checksum="0" * len(published.checksum))
    with pytest.raises(UserError, match=f"expected {kind} 0000*, got {published.checksum}, twice"):
        fetch(wrong, target, SETTINGS)


def test_a_file_that_is_there_is_verified_and_not_fetched(server, target):
    target.parent.mkdir()
    target.write_bytes(CONTENT)
    assert fetch(pin(server), target, SETTINGS).received == 0
    assert server.requests == []


def test_a_file_that_is_there_but_wrong_is_fetched(server, target):
    target.parent.mkdir()
    target.write_bytes(CONTENT[:-1] + b"x")
    fetch(pin(server), target, SETTINGS)
    assert target.read_bytes() == CONTENT


def test_a_busy_server_is_asked_again_when_it_says(server, target, waits):
    server.faults = [Fault("*", "503", 7, times=3)]
    fetch(pin(server), target, SETTINGS)
    assert len(waits) == 3 and all(7 <= wait <= 7.7 for wait in waits)


def test_a_server_that_stays_busy_is_given_up(server, target, waits):
    server.faults = [Fault("*", "503", 1)]
    with pytest.raises(UserError, match=r"gave up after 4 tries .*HTTP 503"):
        fetch(pin(server), target, SETTINGS)


def test_a_redirect_is_followed_also_when_resuming(server, target, waits):
    server.faults = [
        Fault("/elsewhere/*", "break", 500_000, times=2),
        Fault("/elsewhere/*", "503", times=1),
        Fault(f"/{NAME}", "redirect"),
    ]
    fetched = fetch(pin(server), target, SETTINGS)
    assert fetched.received == len(CONTENT)
    assert f"/elsewhere/{NAME}" in [path for path, *_ in server.requests]


def test_redirects_in_a_circle(server, target):
    server.faults = [Fault("*", "circle")]
    with pytest.raises(UserError, match="Exceeded 30 redirects"):
        fetch(pin(server), target, SETTINGS)


@pytest.mark.parametrize("status", ["404", "410"])
def test_a_file_that_has_vanished(server, target, status):
    server.faults = [Fault("*", status)]
    with pytest.raises(UserError, match=rf"HTTP {status}.*kept for some weeks.*`corpus\.date`"):
        fetch(pin(server), target, SETTINGS)


def test_a_file_that_is_refused(server, target):
    server.faults = [Fault("*", "403")]
    with pytest.raises(UserError, match=r"HTTP 403 .*the server refuses"):
        fetch(pin(server), target, SETTINGS)


def test_a_file_that_is_truncated_on_the_server(server, target):
    server.faults = [Fault("*", "truncated")]
    with pytest.raises(UserError, match=r"expected 3072000 bytes, the server offers 1536000"):
        fetch(pin(server), target, SETTINGS)
    with pytest.raises(UserError, match=f"expected sha256 {SHA256}, got .*, twice"):
        fetch(pin(server, bytes=None), target, SETTINGS)


def test_a_file_that_comes_corrupt_once_is_fetched_once_more(server, target):
    server.faults = [Fault("*", "corrupt", times=1)]
    fetched = fetch(pin(server), target, SETTINGS)
    assert target.read_bytes() == CONTENT
    assert fetched.received == 2 * len(CONTENT)
    assert ranges(server) == ["", ""]


def test_a_file_that_is_corrupt_on_the_server(server, target):
    server.faults = [Fault("*", "corrupt")]
    with pytest.raises(UserError, match=f"{server.url}/{NAME}: expected sha256 {SHA256}, got "):
        fetch(pin(server), target, SETTINGS)
    assert len(server.requests) == 2
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
    with pytest.raises(UserError, match=r"the disk is full .*No space left.*make room"):
        fetch(pin(server), target, SETTINGS)


def test_a_disk_that_is_too_small_is_noticed_before(server, target, monkeypatch):
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(download.shutil, "disk_usage", lambda _: usage(9, 9, 1_000_000))
    with pytest.raises(UserError, match=r"disk is full \(3.1 MB to come, 1.0 MB free\)"):
        fetch(pin(server), target, SETTINGS)


@pytest.mark.parametrize("scheme", ["", "file://"])
def test_a_local_file_is_verified_and_linked(server, target, scheme):
    source = server.folder / NAME
    fetched = fetch(replace(pin(server), url=f"{scheme}{source}"), target, Settings())
    assert target.is_symlink() and target.resolve() == source.resolve()
    assert (fetched.sha256, fetched.received) == (SHA256, 0)


def test_a_local_file_that_is_wrong_or_missing(server, target):
    source = server.folder / NAME
    local = replace(pin(server), url=str(source))
    source.write_bytes(CONTENT[:-1] + b"x")
    with pytest.raises(UserError, match=f"{source}: expected sha256 .*the file is damaged"):
        fetch(local, target, Settings())
    source.write_bytes(CONTENT[:9])
    with pytest.raises(UserError, match="expected 3072000 bytes, got 9"):
        fetch(local, target, Settings())
    source.unlink()
    with pytest.raises(UserError, match="there is no such file, but it is pinned"):
        fetch(local, target, Settings())
    assert not target.exists()


def test_a_slow_transfer_says_how_far_it_is(server, target, caplog, monkeypatch):
    monkeypatch.setattr("cr5.corpora.fetch.progress.EVERY", 0.1)
    server.faults = [Fault("*", "slow", 6_000_000)]
    with caplog.at_level(logging.INFO):
        fetch(pin(server), target, SETTINGS)
    lines = [line for line in caplog.messages if "left" in line]
    assert 2 <= len(lines) <= 8
    line = rf"{NAME}: [\d.]+ [kM]B of 3.1 MB \(\d+ %\), [\d.]+ MB/s, \d s left"
    assert re.fullmatch(line, lines[1])
