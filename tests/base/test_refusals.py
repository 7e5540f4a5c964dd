import errno
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from cr5.base import refusals
from tests.kit.readers import TARGETS

REFUSED = [errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EACCES, errno.EPERM, errno.EROFS]
REFUSED += [errno.EIO, errno.ESTALE, errno.EMFILE, errno.ENOMEM]


def error(number, *name):
    return OSError(number, os.strerror(number), *name)


@pytest.mark.parametrize("number", REFUSED)
def test_a_refusal_is_passed_on_and_nothing_else(number):
    with pytest.raises(OSError, match="Errno"):
        refusals.pass_on(error(number))
    for other in (error(errno.ENOENT), ValueError("x"), OSError("Not a gzip")):
        refusals.pass_on(other)


@pytest.mark.parametrize(
    ("refused", "said"),
    [
        (error(errno.ENOSPC, "a/b.npz"), "a/b.npz: No space left on device"),
        (error(errno.EIO), "results/logs: Input/output error"),
        (error(errno.ENOMEM), "there is not enough memory"),
        (MemoryError("of 8 GB"), "there is not enough memory"),
    ],
)
def test_it_names_the_place_and_the_reason(refused, said):
    told = refusals.refusal(refused, "results/logs")
    assert told.startswith(said) and "what is finished is kept" in told


def test_memory_that_arrow_cannot_get_says_nothing_about_a_file():
    refused = pa.ArrowMemoryError("malloc of size 64 failed")
    assert isinstance(refused, pa.ArrowException)  # which readers catch
    with pytest.raises(pa.ArrowMemoryError):
        refusals.pass_on(refused)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a device of Linux")  # noqa: PTH110
def test_a_library_that_does_not_fit_in_memory_is_not_missing():
    assert not refusals.is_refusal(ImportError("No module named 'fastparquet'"))
    said = ImportError("no engine: _parquet.so: failed to map segment from shared object")
    assert "there is not enough memory" in refusals.refusal(said, "results")


def raised(refused, other, **how):
    """The second error, raised while the first was handled."""
    try:
        try:
            raise refused
        except OSError as first:
            raise other from how.get("cause", first)
    except ValueError as found:
        return found


def test_what_fails_for_want_of_room_is_told_as_that():
    full = error(errno.ENOSPC, "a.pdf")
    assert refusals.beneath(full) is full
    assert refusals.beneath(raised(full, ValueError("stream"))) is full
    assert refusals.beneath(raised(full, ValueError("told apart"), cause=None)) is None
    assert refusals.beneath(raised(error(errno.ENOENT), ValueError("x"))) is None


def test_numpy_tells_of_a_full_disk_without_a_number():
    with pytest.raises(OSError, match="written") as raised:
        np.zeros(100_000).tofile("/dev/full")
    assert raised.value.errno is None
    assert refusals.is_refusal(raised.value)
    assert refusals.refusal(raised.value, "models").startswith("models: ")


OTHERS = {"mine.yaml", "mine.json"}  # say what is refused
READ_ALL = """
import sys
from pathlib import Path
from tests.kit.readers import TARGETS
from cr5.models import store

reads = {target.file: target.read for target in TARGETS.values()}
reads |= {"model/about.json": lambda path: store.about(path.parent)}
for name, read in reads.items():
    path = Path(sys.argv[1], name)
    try:
        read(path)
    except Exception as error:
        print(name, type(error).__name__)
"""


def test_no_reader_calls_a_file_damaged_that_may_not_be_read(tmp_path):
    names = [target.file for target in TARGETS.values()]
    names += ["model/about.json"]
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
        (tmp_path / name).chmod(0)
    command = [sys.executable, "-c", READ_ALL, str(tmp_path)]
    if os.geteuid() == 0:  # root may read everything, and lays that right down
        setpriv = shutil.which("setpriv") or pytest.skip("root may read everything")
        command = [setpriv, "--bounding-set=-all", "--inh-caps=-all", *command]
    package = Path(refusals.__file__).parents[2]
    done = subprocess.run(
        command,
        env={**os.environ, "PYTHONPATH": f"{package}:{package.parent}"},
        capture_output=True,
        text=True,
    )
    said = dict(line.split(" ") for line in done.stdout.splitlines())
    assert {x for x in names if said.get(x) != "PermissionError"} == OTHERS, done.stderr
