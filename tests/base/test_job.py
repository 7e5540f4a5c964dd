"""What scripts share: their log, one BLAS thread, and errors as one line."""

import errno
import gc
import logging
import os
import re
import sys
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pytest
from threadpoolctl import threadpool_info

from cr5.base.errors import pass_on
from cr5.base.job import job, planning


class Wildcards(dict):
    def __iter__(self):
        return iter(self.values())


@pytest.fixture(autouse=True)
def logging_as_before(monkeypatch):
    """Leave to other tests the loggers that they expect: a job sets up those of its process."""
    monkeypatch.setattr(logging, "raiseExceptions", logging.raiseExceptions)
    loggers = [logging.getLogger(name) for name in (None, "cr5", "fontTools")]
    levels = [logger.level for logger in loggers]
    handlers = [list(logger.handlers) for logger in loggers]
    yield
    for logger, level, handlers_before in zip(loggers, levels, handlers, strict=True):
        for handler in set(logger.handlers).difference(handlers_before):
            handler.close()
        logger.handlers = handlers_before
        logger.setLevel(level)
        logger.propagate = True
    logging.captureWarnings(False)


@pytest.fixture
def start(tmp_path, monkeypatch):
    """Run a function as snakemake runs a script."""
    monkeypatch.chdir(tmp_path)

    def start(main, log="results/x/logs/bags/en.log", reads=()):
        snakemake = SimpleNamespace(
            log=[log],
            rule="bags",
            wildcards=Wildcards(language="en"),
            input=list(reads),
            params={"step": {"case": "lower"}, "reads": dict.fromkeys(reads)},
            config={"results": "results", "corpus": {"name": "x"}},
        )
        with job(snakemake):
            main(logging.getLogger("cr5.elsewhere"))
        return (tmp_path / log).read_text()

    return start


def test_messages_go_to_the_log_and_to_the_terminal(start, capsys):
    def main(log):
        log.info("%d documents", 7)
        logging.getLogger("cr5.elsewhere").warning("careful")
        logging.getLogger("fontTools.subset").info("glyf pruned")

    written = start(main)
    assert "7 documents" in written
    assert "WARNING careful" in written
    assert "[bags en] 7 documents" in capsys.readouterr().err
    assert "pruned" not in written


def test_a_log_on_a_full_disk_is_no_traceback(monkeypatch, capsys):
    monkeypatch.setattr(logging, "raiseExceptions", True)
    monkeypatch.setenv("PYTHONPATH", "")
    planning()
    logger = logging.Logger("snakemake")
    full = SimpleNamespace(write=lambda _: pass_on(OSError(errno.ENOSPC, "No space left")))
    logger.addHandler(logging.StreamHandler(full))
    logger.info("Building DAG of jobs")
    assert capsys.readouterr().err == ""


def test_what_the_machine_refuses_ends_without_a_traceback(start, tmp_path, capsys):
    def main(log):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "bags/en/counts.npz")

    with pytest.raises(SystemExit) as ended:
        start(main)
    assert ended.value.code == 1
    printed = capsys.readouterr().err
    assert printed.startswith("[bags en] Error: [Errno 28] No space left on device: 'bags/en/cou")
    assert "what is finished is kept" in printed
    assert "Traceback" not in printed


def test_a_refusal_is_passed_on_and_nothing_else():
    refusals = [PermissionError(errno.EACCES, "x"), pa.ArrowMemoryError("malloc failed")]
    for refusal in refusals:
        with pytest.raises(type(refusal)):
            pass_on(refusal)
    errors = [FileNotFoundError(errno.ENOENT, "x"), ValueError("x"), OSError("Not a gzip")]
    for error in errors:
        pass_on(error)


def test_code_that_ends_the_process_fails_and_is_named(start, capsys):
    """With status 0 snakemake would look for what it has not made, and blame the file system."""

    def main(log):
        sys.exit(0)

    with pytest.raises(SystemExit) as ended:
        start(main)
    assert ended.value.code == 1
    printed = capsys.readouterr().err
    place = r"Error: \S*test_job.py, line \d+: "
    assert re.search(place + r"it ended the job \(SystemExit: 0\)", printed)


def test_any_other_failure_keeps_its_traceback(start, tmp_path, capsys):
    def main(log):
        raise ZeroDivisionError

    with pytest.raises(SystemExit):
        start(main)
    assert "ZeroDivisionError" in (tmp_path / "results/x/logs/bags/en.log").read_text()
    assert "Traceback" in capsys.readouterr().err


def test_a_job_has_one_blas_thread(start):
    """More would change the last bits; no fingerprint of code shows a change of this module."""
    libraries = []

    def main(log):
        np.dot(np.ones(2), np.ones(2))  # loads the library, should nobody have done so
        libraries.extend(threadpool_info())

    start(main)
    assert {library["num_threads"] for library in libraries} == {1}


def test_a_job_collects_garbage_less_often_and_what_comes_after_it_as_before(start):
    thresholds = gc.get_threshold()
    inside = []
    start(lambda log: inside.append((gc.get_threshold()[0], gc.get_freeze_count() > 0)))
    assert inside == [(10_000, True)]
    assert gc.get_threshold() == thresholds
    assert gc.get_freeze_count() == 0
