"""What changed since an earlier run, and what did not."""

import hashlib
import json
import logging
import os
import shutil
import time

import pytest

from cr5.base.errors import UserError
from cr5.plan import changes
from cr5.plan.changes import Checksums

LATER = 10**10  # nanoseconds


@pytest.fixture
def later():
    """A clock by which every change is long ago."""
    return lambda: time.time_ns() + LATER


@pytest.fixture
def reads(monkeypatch):
    """Files whose content is read."""
    found, read = [], changes._sha256
    monkeypatch.setattr(changes, "_sha256", lambda path: found.append(path.name) or read(path))
    return found


def test_of_a_file_it_is_its_sha256(tmp_path):
    (tmp_path / "a").write_bytes(b"text")
    found = Checksums(tmp_path / "cache").of(tmp_path / "a")
    assert found == hashlib.sha256(b"text").hexdigest()
    assert Checksums(tmp_path / "cache").of(tmp_path / "nothing") is None


def test_what_did_not_change_is_not_read_again(tmp_path, later, reads):
    (tmp_path / "a").write_text("text")
    cache = tmp_path / "kept" / "cache.json"
    first = Checksums(cache, later).of(tmp_path / "a")
    assert Checksums(cache, later).of(tmp_path / "a") == first
    assert reads == ["a"]


def test_a_file_replaced_by_an_older_one_of_equal_size_is_read_again(tmp_path, later, reads):
    old, used = tmp_path / "old", tmp_path / "used"
    old.write_text("before")
    os.utime(old, (1, 1))
    used.write_text("recent")
    checksums = Checksums(tmp_path / "cache", later)
    first = checksums.of(used)
    shutil.copy2(old, used)
    assert used.stat().st_mtime == 1
    assert checksums.of(used) != first
    assert checksums.of(used) == hashlib.sha256(b"before").hexdigest()


def test_content_changed_in_place_with_the_date_put_back_is_read_again(tmp_path, later):
    used = tmp_path / "used"
    used.write_text("recent")
    before = used.stat()
    checksums = Checksums(tmp_path / "cache", later)
    first = checksums.of(used)
    time.sleep(0.02)  # a tick of the file system's clock
    used.write_text("before")
    os.utime(used, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert checksums.of(used) != first


def test_a_touched_file_keeps_its_checksum(tmp_path, later):
    used = tmp_path / "used"
    used.write_text("text")
    checksums = Checksums(tmp_path / "cache", later)
    first = checksums.of(used)
    os.utime(used, (1, 1))
    assert checksums.of(used) == first


def test_what_changed_a_moment_ago_is_not_trusted(tmp_path, reads):
    (tmp_path / "a").write_text("text")
    checksums = Checksums(tmp_path / "cache")
    checksums.of(tmp_path / "a")
    checksums.of(tmp_path / "a")
    assert reads == ["a", "a"]


def test_of_a_folder_names_and_content_count(tmp_path, later, reads):
    folder = tmp_path / "folder"
    (folder / "deep").mkdir(parents=True)
    (folder / "deep" / "a").write_text("1")
    (folder / "b").write_text("2")
    checksums = Checksums(tmp_path / "cache", later)
    first = checksums.of(folder)
    assert checksums.of(folder) == first
    assert sorted(reads) == ["a", "b"]
    (folder / "b").rename(folder / "c")
    second = checksums.of(folder)
    (folder / "c").write_text("3")
    assert len({first, second, checksums.of(folder)}) == 3
    (folder / "c").write_text("2")
    (folder / "c").rename(folder / "b")
    assert checksums.of(folder) == first


@pytest.mark.parametrize("content", ["", "{", "[1]", '{"a": 1}', '{"a": "x"}'])
def test_a_damaged_cache_is_made_anew(tmp_path, later, content):
    (tmp_path / "cache").write_text(content)
    (tmp_path / "a").write_text("text")
    assert Checksums(tmp_path / "cache", later).of(tmp_path / "a")
    assert str(tmp_path / "a") in json.loads((tmp_path / "cache").read_text())


def test_a_cache_that_cannot_be_written_stops_nothing(tmp_path, later):
    (tmp_path / "file").write_text("")
    assert Checksums(tmp_path / "file" / "cache", later).of(tmp_path / "file")


def test_a_file_that_cannot_be_read_is_named(tmp_path, monkeypatch):
    def refuse(path):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(changes, "_sha256", refuse)
    (tmp_path / "a").write_text("text")
    with pytest.raises(UserError, match="/a: "):
        Checksums(tmp_path / "cache").of(tmp_path / "a")


def test_a_large_file_is_told(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(changes, "LARGE", 3)
    (tmp_path / "a").write_text("text")
    with caplog.at_level(logging.INFO):
        Checksums(tmp_path / "cache").of(tmp_path / "a")
    assert "a: reading 4 bytes for its checksum, once" in caplog.text
