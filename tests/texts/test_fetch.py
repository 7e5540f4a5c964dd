"""Files from a server on the loopback address: what is resumed, started over, refused."""

import hashlib

import pytest

from cr5.base.errors import UserError
from cr5.texts import fetch
from tests.kit.server import serving

CONTENT = bytes(range(256)) * 4000  # 1 MB
SIZE = len(CONTENT)
CUT = 400_000
SHA256 = f"sha256:{hashlib.sha256(CONTENT).hexdigest()}"
SHA1 = f"sha1:{hashlib.sha1(CONTENT, usedforsecurity=False).hexdigest()}"


@pytest.fixture
def server(tmp_path):
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "a b.gz").write_bytes(CONTENT)
    with serving(tmp_path / "there") as running:
        yield running


@pytest.fixture
def target(tmp_path):
    return tmp_path / "here" / "a.gz"


@pytest.fixture
def waits(monkeypatch):
    """The seconds that would have been slept."""
    waited: list[float] = []
    monkeypatch.setattr(fetch.time, "sleep", waited.append)
    return waited


ARRIVES = {  # what goes wrong, what is there before; from which bytes it is asked for
    "at once": ({}, None, [0]),
    "over a link that always breaks": ({"most": CUT}, None, [0, CUT, 2 * CUT]),
    "where nothing is resumed": ({"has_ranges": False}, CONTENT[:9], [9, 0]),
    "from a busy server": ({"statuses": [503, 429]}, None, [0, 0, 0]),
    "after all of it": ({}, CONTENT, [SIZE]),
}


@pytest.mark.parametrize("how", ARRIVES)
def test_a_file_arrives_whole_and_nothing_else_is_left(server, target, waits, how):
    faults, content_before, asked = ARRIVES[how]
    vars(server).update(faults)
    checksum = SHA1
    if content_before:
        checksum = SHA256
        target.parent.mkdir()
        target.with_name("a.gz.part").write_bytes(content_before)
    fetch.fetch(f"{server.url}/a%20b.gz", target, checksum, "me@example.org")
    assert target.read_bytes() == CONTENT
    assert list(target.parent.iterdir()) == [target]
    assert [start for _, start, _ in server.requests] == asked
    assert all("me@example.org" in agent for *_, agent in server.requests)
    assert len(waits) == len(asked) - 1


@pytest.mark.parametrize(("statuses", "times"), [([404], 1), ([403], 1), ([503] * 99, fetch.TRIES)])
def test_what_does_not_arrive_is_named(server, target, waits, statuses, times):
    server.statuses = statuses[:]
    address = f"{server.url}/a%20b.gz"
    with pytest.raises(UserError, match=address) as error:
        fetch.fetch(address, target)
    assert isinstance(error.value, fetch.MissingError) == (statuses == [404])
    assert not target.exists() and len(server.requests) == times


def test_a_wrong_file_is_refused_and_fetched_anew(server, target):
    target.parent.mkdir()
    target.with_name("a.gz.part").write_bytes(b"x" * 9)
    with pytest.raises(UserError, match=f"expected {SHA256.partition(':')[2]}"):
        fetch.fetch(f"{server.url}/a%20b.gz", target, SHA256)
    assert list(target.parent.iterdir()) == []
    fetch.fetch(f"{server.url}/a%20b.gz", target, SHA256)


@pytest.mark.parametrize("scheme", ["", "file://"])
def test_a_file_of_this_machine_is_verified_and_linked(server, target, scheme):
    file = server.folder / "a b.gz"
    fetch.fetch(f"{scheme}{file}".replace(" ", "%20" if scheme else " "), target, SHA256)
    assert target.is_symlink() and target.resolve() == file.resolve()
    with pytest.raises(UserError, match="expected 00"):
        fetch.fetch(str(file), target, "sha1:00")
    with pytest.raises(fetch.MissingError, match="nothing"):
        fetch.fetch(str(file.with_name("nothing")), target)


def test_an_address_of_another_kind_is_refused():
    with pytest.raises(UserError, match="expected an address with http, https or file"):
        fetch.local_path("ftp://example.org/dumps")
