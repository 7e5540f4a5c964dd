"""What would stop or spoil a run: full or read-only disks, dates in the future, damaged notes."""

import base64
import json
import os
import time
from types import SimpleNamespace

import pytest

from cr5.base.errors import UserError
from cr5.plan import before

HOUR = 3600
LONG = "results/" + "a" * 300


def test_a_disk_without_room_or_without_files_is_full(tmp_path, monkeypatch):
    assert before.full_now(tmp_path / "none") is None
    for blocks, free, files, full in (
        (99, 9, 9, False),
        (9, 9, 9, True),
        (99, 0, 9, True),
        (99, 0, 0, False),  # btrfs counts no files
    ):
        found = SimpleNamespace(f_bavail=blocks, f_frsize=4096, f_favail=free, f_files=files)
        monkeypatch.setattr(os, "statvfs", lambda _, found=found: found)
        said = before.full_now("results")
        assert (said or "").startswith("results: the disk is full") == full


def test_folders_that_cannot_be_added_to_are_refused(tmp_path, monkeypatch):
    """Root may write everywhere but on read-only disks, so that the system's answer is made up."""
    (tmp_path / "ranks").mkdir()
    (tmp_path / "file").write_text("x")
    before.check_writable(tmp_path)
    before.check_writable(tmp_path / "none")
    monkeypatch.setattr(os, "access", lambda path, mode: path.name != "ranks")
    with pytest.raises(UserError, match="ranks: "):
        before.check_writable(tmp_path)
    monkeypatch.setattr(os, "statvfs", lambda _: SimpleNamespace(f_flag=os.ST_RDONLY))
    with pytest.raises(UserError, match="ranks: "):
        before.check_writable(tmp_path)


def test_braces_in_the_path_of_the_workflow_are_refused(tmp_path):
    before.check_name(tmp_path / "a b [c] ünï")
    with pytest.raises(UserError, match=r"/a \{b/workflow: .* braces .*rename the folder"):
        before.check_name(tmp_path / "a {b" / "workflow")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "draws").mkdir()
    for name in ("old", "now", "draws/.snakemake_timestamp", "draws/a"):
        (tmp_path / name).touch()
    os.utime("old", (0, 0))
    return tmp_path


def date(path, seconds):
    os.utime(path, (time.time() + seconds,) * 2)


def test_dates_of_today_and_before_are_let_pass(folder):
    date("now", 20)  # as clocks of two machines may differ
    date("draws/a", HOUR)  # of a folder its own date counts
    date("draws", HOUR)
    before.check_dates(["old", "now", "draws", "nowhere"])


def test_dates_in_the_future_are_named_with_the_remedy(folder):
    os.utime("now", (4102444800,) * 2)  # 2100-01-01, 00:00 UTC
    date("draws/.snakemake_timestamp", HOUR)
    with pytest.raises(UserError) as raised:
        before.check_dates(["old", "now", "draws"])
    draws, now = str(raised.value).splitlines()
    assert draws.startswith("Error: draws/.snakemake_timestamp: dated ")
    assert draws.endswith("touch draws/.snakemake_timestamp, and run again")
    assert now.startswith(("Error: now: dated 2100-01-01", "Error: now: dated 2099-12-31"))


@pytest.fixture
def notes(tmp_path, monkeypatch):
    """Notes on two results, named as snakemake names them."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / ".snakemake" / "metadata"
    folder.mkdir(parents=True)
    for result in ("results/draws/1", LONG):
        (parts := note_of(folder, result)).parent.mkdir(exist_ok=True)
        parts.write_text(json.dumps({"rule": "draw"}))
    return folder


def note_of(folder, result):
    name = base64.urlsafe_b64encode(result.encode()).decode()
    *folders, last = [name[i : i + 254] for i in range(0, len(name), 254)]
    return folder.joinpath(*(f"@{part}" for part in folders), last)


@pytest.mark.parametrize("content", [b"", b"\xf6noise", b'{"rule": "dr', b"3", b"\0" * 40])
@pytest.mark.parametrize("result", ["results/draws/1", LONG])
def test_a_damaged_note_is_named_with_its_result(notes, content, result):
    before.check_notes()
    before.check_notes("nowhere")
    note = note_of(notes, result)
    note.write_bytes(content)
    with pytest.raises(UserError) as raised:
        before.check_notes()
    named = note.relative_to(notes.parents[1])
    assert str(raised.value) == (
        f"Error: {named}: a damaged note of snakemake's; remove {named}, {result} and run again"
    )


def test_a_note_whose_name_is_no_path(notes):
    (notes / "x").write_bytes(b"\0")
    with pytest.raises(UserError, match=r"metadata/x and run again$"):
        before.check_notes()
