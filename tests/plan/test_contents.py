"""The user's files count by their content: each is read once, and again where it may be another."""

import hashlib
import logging
import os
import time

import pytest

from cr5.base.errors import UserError
from cr5.plan import contents
from cr5.plan.contents import Contents, check_dates

WORDS = b"of the people\n"


def sha256(content):
    return hashlib.sha256(content).hexdigest()


@pytest.fixture
def read(monkeypatch):
    """The files that were read, in order."""
    files = []
    digest = contents._digest

    def counted(file, progress):
        files.append(str(file))
        return digest(file, progress)

    monkeypatch.setattr(contents, "_digest", counted)
    return files


@pytest.fixture
def notes(folder):
    return folder / ".snakemake" / "notes"


@pytest.fixture
def settled(monkeypatch):
    """Files that are made now were made long ago."""
    now = time.time_ns
    monkeypatch.setattr(contents.time, "time_ns", lambda: now() + 10**10)


def test_a_file_has_the_sum_that_sha256sum_tells(folder, notes):
    (folder / "a file ü.txt").write_bytes(WORDS)
    (folder / "link").symlink_to("a file ü.txt")
    (folder / "empty").touch()
    contents_of_files = Contents(notes)
    assert contents_of_files.checksum("a file ü.txt") == f"sha256:{sha256(WORDS)}"
    assert contents_of_files.checksum(folder / "a file ü.txt") == f"sha256:{sha256(WORDS)}"
    assert contents_of_files.checksum("link") == f"sha256:{sha256(WORDS)}"
    assert contents_of_files.checksum("empty") == f"sha256:{sha256(b'')}"
    assert contents_of_files.checksum("nowhere") is None


def test_a_folder_has_that_of_its_sorted_paths_and_contents(folder, notes):
    below = folder / "given" / "b"
    below.mkdir(parents=True)
    (below / "x.txt").write_bytes(WORDS)
    (below / "round").symlink_to("..")
    (folder / "given" / "a ü.txt").write_bytes(b"")
    (folder / "given" / ".snakemake_timestamp").touch()
    (folder / "elsewhere").mkdir()
    (folder / "elsewhere" / "y").write_bytes(WORDS)
    (folder / "given" / "c").symlink_to(folder / "elsewhere")
    listed = [("a ü.txt", b""), ("b/x.txt", WORDS), ("c/y", WORDS)]
    lines = [f"{name}\0{sha256(content)}\n" for name, content in listed]
    whole = "".join(lines).encode()
    assert Contents(notes).checksum("given") == f"sha256:{sha256(whole)}"


def test_nothing_is_read_twice(folder, notes, read, settled):
    names = ["x.txt", "folder/y.txt", "folder/z.txt"]
    (folder / "folder").mkdir()
    for name in names:
        (folder / name).write_bytes(WORDS)
    of_file = Contents(notes).checksum("x.txt")
    of_folder = Contents(notes).checksum("folder")
    assert read == names
    again = Contents(notes)
    assert again.checksum("x.txt") == of_file
    assert again.checksum("folder") == of_folder
    assert again.checksum("x.txt") == of_file
    assert read == names
    (folder / "folder" / "z.txt").write_bytes(b"of the peoples")
    assert Contents(notes).checksum("folder") != of_folder
    assert read == [*names, "folder/z.txt"]


@pytest.mark.parametrize("change", ["older", "replaced", "link"])
def test_another_content_of_the_same_size_is_read_whatever_its_date(folder, notes, settled, change):
    path = folder / "x.txt"
    path.write_bytes(WORDS)
    os.utime(path, (1000, 1000))
    replacement = folder / "y.txt"
    replacement.write_bytes(WORDS[::-1])
    os.utime(replacement, (1000, 1000))
    assert Contents(notes).checksum(path) == f"sha256:{sha256(WORDS)}"
    if change == "older":
        path.write_bytes(WORDS[::-1])
        os.utime(path, (10, 10))
    elif change == "replaced":
        replacement.replace(path)
    else:
        path.unlink()
        path.symlink_to(replacement)
    assert Contents(notes).checksum(path) == f"sha256:{sha256(WORDS[::-1])}"


def test_what_changed_just_now_is_read_again_by_the_next_plan_but_by_no_job(folder, notes, read):
    """Its next change may have the same times."""
    (folder / "x").write_bytes(WORDS)
    Contents(notes).checksum("x")
    Contents(notes, is_plan=False).checksum("x")
    assert read == ["x"]
    Contents(notes).checksum("x")
    assert read == ["x", "x"]


def test_jobs_write_no_notes(folder, notes):
    (folder / "x").write_bytes(WORDS)
    assert Contents(notes, is_plan=False).checksum("x") == f"sha256:{sha256(WORDS)}"
    assert not notes.exists()


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: b"",
        lambda content: content[:-9],
        lambda content: b"[]",
        lambda content: b"00000000\n",
        lambda content: b'ed4ebf46\n{"x": 3}',  # a right CRC-32 of what another version wrote
        lambda content: b"\xff" + content,
        lambda content: content.replace(sha256(WORDS).encode(), sha256(b"").encode()),
    ],
)
def test_damaged_notes_are_made_again(folder, notes, read, settled, damage):
    (folder / "x").write_bytes(WORDS)
    Contents(notes).checksum("x")
    noted = notes.read_bytes()
    notes.write_bytes(damage(noted))
    assert Contents(notes).checksum("x") == f"sha256:{sha256(WORDS)}"
    assert read == ["x", "x"]
    assert notes.read_bytes() == noted


def test_two_runs_at_once_keep_both_their_notes(folder, notes, read, settled):
    for name in ("x", "y"):
        (folder / name).write_bytes(WORDS)
    first = Contents(notes)
    second = Contents(notes)
    first.checksum("x")
    second.checksum("y")
    third = Contents(notes)
    assert third.checksum("x") == third.checksum("y")
    assert read == ["x", "y"]
    assert list(notes.parent.iterdir()) == [notes]


def test_where_nothing_can_be_written_there_are_no_notes(folder):
    (folder / "x").write_bytes(WORDS)
    (folder / "file").touch()
    assert Contents(folder / "file" / "notes").checksum("x") == f"sha256:{sha256(WORDS)}"


def test_a_file_that_changes_while_it_is_read_is_read_again(folder, notes, monkeypatch):
    path = folder / "x"
    path.write_bytes(WORDS)
    digest = contents._digest
    changes = [b"more", b"and more"]

    def changing(file, progress):
        digest_before = digest(file, progress)
        if changes:
            path.write_bytes(changes.pop(0))
        return digest_before

    monkeypatch.setattr(contents, "_digest", changing)
    assert Contents(notes).checksum("x") == f"sha256:{sha256(b'and more')}"
    changes += [b"a", b"bc", b"def"]
    path.write_bytes(WORDS)
    with pytest.raises(UserError, match=r"^x: it changes while it is read; wait until"):
        Contents(folder / "others").checksum("x")


def test_what_cannot_be_read_is_named(folder, notes, monkeypatch):
    (folder / "given").mkdir()
    os.mkfifo(folder / "pipe")
    os.mkfifo(folder / "given" / "pipe")
    assert Contents(notes).checksum("given") == f"sha256:{sha256(b'')}"  # readers pass over it
    with pytest.raises(UserError, match=r"^pipe: neither a file nor a folder; write what it gives"):
        Contents(notes).checksum("pipe")
    (folder / "given" / "x").touch()

    def denied(file, progress):
        raise PermissionError(13, "Permission denied", str(file))

    monkeypatch.setattr(contents, "_digest", denied)
    with pytest.raises(UserError, match=r"^given/x: it cannot be read \(Permission denied\)"):
        Contents(notes).checksum("given")


def test_the_progress_of_large_files_is_told(folder, notes, monkeypatch, caplog):
    monkeypatch.setattr(contents, "PIECE", 4)
    monkeypatch.setattr(contents, "BETWEEN_MESSAGES", 0)
    (folder / "x").write_bytes(b"1234567890")
    with caplog.at_level(logging.INFO):
        Contents(notes).checksum("x")
    told = [f"reading x for its checksum: {share} %" for share in (40, 80, 100)]
    assert caplog.messages == told


def test_dates_of_the_future_are_refused(folder):
    for name, date in (("past", 1000), ("a future", time.time() + 10_000)):
        (folder / name).touch()
        os.utime(folder / name, (date, date))
    check_dates(["past"])
    with pytest.raises(UserError, match=r"^a future: .* the future; .* touch -h 'a future'$"):
        check_dates(["past", "a future"])
