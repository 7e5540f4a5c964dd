import errno
import logging
import os

import numpy as np
import pytest
from threadpoolctl import threadpool_info

from cr5.base import console


def test_messages_go_to_the_log_and_to_the_terminal(tmp_path, capsys):
    with console.job(tmp_path / "logs" / "x.log", "bags en") as log:
        log.info("%d documents", 7)
        logging.getLogger("cr5.elsewhere").warning("careful")
    written = (tmp_path / "logs" / "x.log").read_text()
    assert "7 documents" in written
    assert "WARNING careful" in written
    assert "[bags en] 7 documents" in capsys.readouterr().err


def test_what_the_machine_refuses_ends_without_a_traceback(tmp_path, capsys):
    log = tmp_path / "logs" / "x.log"
    with pytest.raises(SystemExit) as ended, console.job(log, "x"):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "bags/en/counts.npz")
    assert ended.value.code == 1
    printed = capsys.readouterr().err
    assert printed.startswith("[x] Error: bags/en/counts.npz: No space left")
    assert "bags/en/counts.npz: No space left" in log.read_text()
    assert "Traceback" not in printed


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a device of Linux")  # noqa: PTH110
def test_a_disk_too_full_for_the_log_leaves_the_terminal_readable(capsys):
    with pytest.raises(SystemExit), console.job("/dev/full", "x") as log:
        log.info("hello")
        with open("/dev/full", "w") as file:  # noqa: PTH123
            file.write("x")
    printed = capsys.readouterr().err
    assert printed.startswith("[x] hello\n[x] Error: /dev: ")
    assert "Traceback" not in printed


def test_fonts_and_hardware_are_nobodys_news(tmp_path, capsys):
    with console.job(tmp_path / "x.log", "x"):
        logging.getLogger("fontTools.subset").info("glyf pruned")
        logging.getLogger("fontTools.subset").warning("no such font")
    for text in (capsys.readouterr().err, (tmp_path / "x.log").read_text()):
        assert "pruned" not in text
        assert "no such font" in text


def test_any_other_failure_keeps_its_traceback(tmp_path, capsys):
    with pytest.raises(SystemExit), console.job(tmp_path / "x.log", "x"):
        raise ZeroDivisionError
    assert "ZeroDivisionError" in (tmp_path / "x.log").read_text()
    assert "Traceback" in capsys.readouterr().err


def test_a_job_has_one_blas_thread(tmp_path):
    """More would change the last bits; no fingerprint of code shows a change of this module."""
    with console.job(tmp_path / "x.log", "x"):
        np.dot(np.ones(2), np.ones(2))  # loads the library, should nobody have done so
        libraries = threadpool_info()
    assert libraries
    assert {each["num_threads"] for each in libraries} == {1}
