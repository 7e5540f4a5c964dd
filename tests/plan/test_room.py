"""Results that cannot be written, and disks that are full."""

import os
from types import SimpleNamespace

import pytest

from cr5.base.errors import UserError
from cr5.plan import room


def test_a_disk_without_room_or_without_files_is_full(tmp_path, monkeypatch):
    assert room.full_now(tmp_path / "none") is None
    for blocks, free, files, full in ((99, 9, 9, False), (9, 9, 9, True), (99, 0, 9, True)):
        found = SimpleNamespace(f_bavail=blocks, f_frsize=4096, f_favail=free, f_files=files)
        monkeypatch.setattr(os, "statvfs", lambda _, found=found: found)
        said = room.full_now("results")
        assert (said or "").startswith("results: the disk is full") == full
    # btrfs counts no files
    some = SimpleNamespace(f_bavail=99, f_frsize=4096, f_favail=0, f_files=0)
    monkeypatch.setattr(os, "statvfs", lambda _: some)
    assert room.full_now("results") is None


def test_folders_that_cannot_be_added_to_are_refused(tmp_path, monkeypatch):
    """Root may write everywhere but on read-only disks, so that the system's answer is made up."""
    (tmp_path / "ranks").mkdir()
    (tmp_path / "file").write_text("x")
    room.check_writable(tmp_path)
    room.check_writable(tmp_path / "none")
    access = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: path.name != "ranks")
    with pytest.raises(UserError, match=r"ranks: not permitted \(Permission denied\)\. .*chmod"):
        room.check_writable(tmp_path)
    flags = SimpleNamespace(f_flag=os.ST_RDONLY)
    monkeypatch.setattr(os, "statvfs", lambda _: flags)
    with pytest.raises(UserError, match=r"ranks: not permitted \(Read-only file system\)"):
        room.check_writable(tmp_path)
    monkeypatch.setattr(os, "access", access)
    room.check_writable(tmp_path)


def test_braces_in_the_path_of_the_workflow_are_refused(tmp_path):
    room.check_name(tmp_path / "a b [c] ünï")
    with pytest.raises(UserError, match=r"/a \{b/workflow: .* braces .*rename the folder"):
        room.check_name(tmp_path / "a {b" / "workflow")
