"""Transfers that break off: what is gone on with, what is started over."""

import hashlib
import os
import signal
import subprocess
import sys

import pytest

from benchmarks.made_up.server import Fault, serving
from cr5.base.errors import UserError
from cr5.corpora.fetch import partial
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


def bare(server):
    """As of the search index, where nothing is published about a file."""
    return Pin("dawiki", "cirrus", "2026-10-01", "text", NAME, f"{server.url}/{NAME}")


def pin(server):
    about = ("dawiki", "content", "2026-10-01", "text", NAME, f"{server.url}/{NAME}")
    return Pin(*about, len(CONTENT), "sha256", SHA256)


def ranges(server):
    return [wanted for _, wanted, _, _ in server.requests]


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


def test_a_server_that_cannot_resume_and_always_breaks_is_given_up(server, target, waits):
    server.faults = [Fault("*", "norange", 500_000)]
    with pytest.raises(UserError, match="gave up after 4 tries in a row without progress"):
        fetch(pin(server), target, SETTINGS)


def test_a_server_that_cannot_resume_starts_over(server, target, waits):
    server.faults = [Fault("*", "break", 500_000, times=1), Fault("*", "norange")]
    fetched = fetch(pin(server), target, SETTINGS)
    assert target.read_bytes() == CONTENT
    assert fetched.received == len(CONTENT) + 500_000


@pytest.mark.parametrize("published", [pin, bare])
def test_a_server_that_does_not_tell_versions_apart(server, target, waits, published):
    server.faults = [Fault("*", "anonymous", 500_000)]
    fetched = fetch(published(server), target, SETTINGS)
    assert (fetched.sha256, fetched.received) == (SHA256, len(CONTENT))


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
        assert fetched.sha256 == hashlib.sha256(CONTENT[::-1]).hexdigest()
        assert fetched.received == len(CONTENT) + 500_000
    else:
        with pytest.raises(UserError, match=f"expected sha256 {SHA256}, got .*, twice"):
            fetch(pin(server), target, SETTINGS)


@pytest.mark.parametrize("published", [pin, bare])
def test_an_older_part_is_gone_on_with_if_it_is_known_to_be_of_the_same_file(
    server, target, published
):
    target.parent.mkdir()
    target.with_name(f"{NAME}.part").write_bytes(CONTENT[:1000])  # without a note
    fetched = fetch(published(server), target, SETTINGS)
    assert fetched.sha256 == SHA256
    assert ranges(server) == ["bytes=1000-" if published is pin else ""]


def test_a_part_of_another_file_is_found_out(server, target):
    target.parent.mkdir()
    target.with_name(f"{NAME}.part").write_bytes(b"x" * 1000)
    assert fetch(pin(server), target, SETTINGS).sha256 == SHA256
    assert ranges(server) == ["bytes=1000-", ""]


@pytest.mark.parametrize("published", [pin, bare])
def test_a_part_that_is_longer_than_the_file(server, target, published):
    target.parent.mkdir()
    target.with_name(f"{NAME}.part").write_bytes(CONTENT + b"x")
    assert fetch(published(server), target, SETTINGS).sha256 == SHA256


def test_a_part_that_was_whole_when_the_job_ended_needs_no_network(server, target):
    target.parent.mkdir()
    target.with_name(f"{NAME}.part").write_bytes(CONTENT)
    assert fetch(pin(server), target, SETTINGS).received == 0
    assert server.requests == []


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
    assert (fetched.sha256, fetched.received) == (SHA256, len(CONTENT) - kept[-1])
    assert ranges(server) == ["", f"bytes={kept[1]}-", f"bytes={kept[2]}-"]


def test_two_jobs_do_not_write_to_the_same_file(server, target):
    target.parent.mkdir()
    with (
        partial.Partial(target, pin(server)),
        pytest.raises(UserError, match="another process is fetching it"),
    ):
        fetch(pin(server), target, SETTINGS)
