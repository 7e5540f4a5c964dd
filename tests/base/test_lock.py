import errno
import fcntl
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from cr5.base import lock
from cr5.base.errors import UserError

ROOT = Path(__file__).parents[2]
TRY = "import sys; from cr5.base import lock; lock.held(sys.argv[1]).__enter__()"


def try_elsewhere(folder):
    """Take the lock in another process, which lets it go by ending."""
    command = [sys.executable, "-c", TRY, folder]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


def test_who_comes_second_is_told_who_was_first(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with lock.held("results/mine"):
        second = try_elsewhere(tmp_path / "results/mine")
        assert second.returncode != 0
        assert f"{tmp_path}/results/mine: another run (process {os.getpid()} on " in second.stderr
        assert f"started in {tmp_path}) writes there" in second.stderr
        assert try_elsewhere(tmp_path / "results/other").returncode == 0
    assert (tmp_path / "results/mine/.lock").read_text() == ""
    assert try_elsewhere(tmp_path / "results/mine").returncode == 0


def test_a_file_system_without_locks_is_used_all_the_same(tmp_path, monkeypatch):
    def refuse(*_):
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", refuse)
    with lock.held(tmp_path):
        pass


def test_results_are_no_file_and_below_none(tmp_path):
    file = tmp_path / "file"
    file.touch()
    gone = tmp_path / "gone"
    gone.symlink_to("nowhere")
    for path in (file, file / "a" / "b", gone / "a"):
        with pytest.raises(UserError, match=r"cannot be written there, .*(file|gone) is no folder"):
            lock.check_folder(path)
    lock.check_folder(tmp_path / "a" / "b")
    lock.check_folder("a")


def test_it_is_free_unless_somebody_holds_it(tmp_path):
    assert lock.is_free(tmp_path)
    assert not list(tmp_path.iterdir())
    with lock.held(tmp_path):
        assert not lock.is_free(tmp_path)
    assert lock.is_free(tmp_path)


def test_who_only_looks_whether_it_is_free_stops_nobody(tmp_path):
    """A dry run looks at the very moment when a run starts; `flock` can look only by locking."""
    (tmp_path / ".lock").touch()
    with (tmp_path / ".lock").open() as looking:
        fcntl.flock(looking, fcntl.LOCK_SH)
        threading.Timer(0.05, fcntl.flock, (looking, fcntl.LOCK_UN)).start()
        with lock.held(tmp_path):
            assert not lock.is_free(tmp_path)
