"""`cr5 verify` on a finished run, as a reader of its results would."""

import os
import re

import pytest

pytestmark = pytest.mark.slow

NAME = 'été 北京 ı it\'s "mine" '


@pytest.fixture
def copied(finished, tmp_path):
    """Its folder, elsewhere."""
    return finished.copied(tmp_path / NAME)


def test_a_changed_file_is_named(copied):
    path = copied.results / "bags" / "da" / "data.npy"
    content = bytearray(path.read_bytes())
    content[200] ^= 1
    path.write_bytes(content)
    done = copied.cr5("verify", "results/tiny", check=False)
    assert done.returncode == 1
    assert "results/tiny/bags/da/data.npy: not what was written; remove" in done.stdout
    assert "results/tiny is not what the run made" in done.stdout


def test_a_file_that_a_job_read_and_is_another_now_is_named(copied):
    """Its date is set back."""
    path = copied.folder / "given" / "da-en.dict"
    status = path.stat()
    path.write_text(path.read_text() + "more\tmere\n")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    done = copied.cr5("verify", "results/tiny", check=False)
    assert done.returncode == 1
    assert re.search("da-en.dict: missing, or another one than ", done.stdout)
