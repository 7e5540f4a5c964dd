import logging

import numpy as np
import pytest
from threadpoolctl import threadpool_info

from cr5.base import console
from cr5.base.errors import UserError


def test_messages_go_to_the_log_and_to_the_terminal(tmp_path, capsys):
    with console.job(tmp_path / "logs" / "x.log", "bags en") as log:
        log.info("%d documents", 7)
        logging.getLogger("cr5.elsewhere").warning("careful")
    written = (tmp_path / "logs" / "x.log").read_text()
    assert "7 documents" in written
    assert "WARNING careful" in written
    assert "[bags en] 7 documents" in capsys.readouterr().err


def test_bad_input_ends_without_a_traceback(tmp_path, capsys):
    with pytest.raises(SystemExit) as ended, console.job(tmp_path / "x.log", "x"):
        raise UserError("en.jsonl, line 3: not JSON")
    assert ended.value.code == 1
    assert "Error: en.jsonl, line 3: not JSON" in (tmp_path / "x.log").read_text()
    assert "Traceback" not in capsys.readouterr().err


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
