"""`cr5 verify` on a finished run, as a reader of its results would."""

import os
import shutil
import subprocess
import sys

import pytest

from cr5.plan import manifest

pytestmark = pytest.mark.slow


NAME = 'été 北京 ı it\'s "mine" '
SURROUNDINGS = {"LC_ALL": "C", "TZ": "Pacific/Apia", "PYTHONHASHSEED": "1"}


@pytest.fixture
def copied(finished, tmp_path):
    """Its folder, elsewhere: links would be written through by hand."""
    shutil.copytree(finished.folder, tmp_path / NAME)
    return tmp_path / NAME


def verify(folder, *arguments, place="results/tiny", umask=-1, **environment):
    """Run it with the package of that folder; returns the finished process."""
    return subprocess.run(
        [sys.executable, "-m", "cr5", "verify", place, *arguments],
        cwd=folder,
        env={**os.environ, **environment, "PYTHONPATH": str(folder / "workflow")},
        umask=umask,
        capture_output=True,
        text=True,
    )


def test_every_job_makes_the_same_bytes_again_whatever_the_cores(finished):
    before = finished.files()
    made = manifest.read(finished.results)
    files, jobs = len(made.files), len(made.jobs)
    done = verify(finished.folder, "--again", "all", "--cores", "1", "--run-modules")
    assert done.returncode == 0, done.stderr[-3000:]
    assert f"{files} files of {jobs} jobs are as the run made them." in done.stdout
    assert f"{jobs} jobs, done again, made the same bytes: " in done.stdout
    assert "This table:" not in done.stdout + done.stderr
    assert files > 100
    assert finished.files() == before
    assert [path.name for path in finished.results.parent.iterdir()] == ["tiny"]


def test_a_changed_file_is_named_with_what_was_made_from_it(copied):
    path = copied / "results/tiny/bags/aa/counts.npz"
    content = bytearray(path.read_bytes())
    content[200] ^= 1
    path.write_bytes(content)
    done = verify(copied)
    assert done.returncode == 1
    [line] = [
        x for x in done.stderr.splitlines() if x.startswith("results/tiny/bags/aa/counts.npz")
    ]
    assert "changed; made from it: " in line and "draws/1" in line
    assert "results/tiny is not what the run made" in done.stderr


def test_a_job_that_makes_something_else_is_named(copied):
    """The toy system is changed behind the back of the run, and its date set back."""
    system = copied / "toy_system.py"
    stat = system.stat()
    system.write_text(system.read_text().replace("zlib.crc32(word.encode())", "len(word)"))
    os.utime(system, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    done = verify(copied, "--again", "0")
    assert done.returncode == 1
    assert "toy_system.py: changed; made from it: results/tiny/models/joint/toy/1" in done.stderr


def test_results_may_be_moved_renamed_and_done_again_in_other_surroundings(copied, tmp_path):
    (copied / "results/tiny").rename(copied / "results/moved")
    (tmp_path / "temporary é").mkdir()
    surroundings = SURROUNDINGS | {"TMPDIR": str(tmp_path / "temporary é")}
    asked = ("--again", "2", "--cores", "2", "--run-modules")
    done = verify(copied, *asked, place="results/moved", umask=0o077, **surroundings)
    assert done.returncode == 0, done.stderr[-3000:]
    assert "done again, made the same bytes: " in done.stdout
    assert list((tmp_path / "temporary é").iterdir()) == []
