"""`cr5 verify` on a finished run, as a reader of its results would."""

import os

import pytest

from tests.kit import inside

pytestmark = pytest.mark.slow

NAME = 'été 北京 ı it\'s "mine" '


@pytest.fixture
def copied(finished, tmp_path):
    """Its folder, elsewhere."""
    return finished.copied(tmp_path / NAME)


def test_a_changed_file_is_named_with_what_was_made_from_it(copied):
    path = copied.results / "bags" / "da" / inside.COUNTS
    content = bytearray(path.read_bytes())
    content[200] ^= 1
    path.write_bytes(content)
    done = copied.cr5("verify", "results/tiny", check=False)
    assert done.returncode == 1
    place = str(path.relative_to(copied.folder))
    [line] = [x for x in done.stdout.splitlines() if x.startswith(place)]
    assert "changed; made from it: " in line and "draws/1" in line
    assert "results/tiny is not what the run made" in done.stdout


def test_a_job_that_makes_something_else_is_named(copied):
    """A system of one's own is changed behind the back of the run, and its date set back."""
    system = copied.folder / "toy_system.py"
    status = system.stat()
    system.write_text(system.read_text().replace("zlib.crc32(word.encode())", "len(word)"))
    os.utime(system, ns=(status.st_atime_ns, status.st_mtime_ns))
    done = copied.cr5("verify", "results/tiny", check=False)
    assert done.returncode == 1
    assert "toy_system.py: changed; made from it: results/tiny/models/joint/toy/1" in done.stdout
