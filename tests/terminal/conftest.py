"""A terminal that is a string, and records as snakemake makes them."""

import io
from logging import INFO, LogRecord

import pytest
from snakemake_interface_logger_plugins.common import LogEvent

from snakemake_logger_plugin_cr5.run import Run
from snakemake_logger_plugin_cr5.terminal import Terminal


class Screen(io.StringIO):
    """What was written, and whether it is a terminal."""

    def __init__(self, is_terminal):
        super().__init__()
        self.is_terminal = is_terminal

    def isatty(self):
        return self.is_terminal


@pytest.fixture
def pipe():
    return Screen(False)


@pytest.fixture
def run(pipe, monkeypatch):
    """A run without a terminal, 80 columns wide."""
    monkeypatch.setenv("COLUMNS", "80")
    return Run(Terminal(pipe))


@pytest.fixture
def screen(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "xterm")
    return Screen(True)


def record(event=None, message="", level=INFO, **more):
    made = LogRecord("snakemake.logging", level, "", 0, message, (), None)
    made.__dict__.update(more, event=event)
    return made


@pytest.fixture
def events():
    """Gives functions that make a run learn from events."""
    return Events


class Events:
    """Lets jobs of a run begin and end."""

    def __init__(self, run):
        self.run = run

    def plan(self, **jobs):
        stats = {**jobs, "default": 1, "total": sum(jobs.values()) + 1}
        self.run.take(LogEvent.RUN_INFO, record(LogEvent.RUN_INFO, stats=stats))

    def start(self, number, rule, log=None, outputs=(), **wildcards):
        more = {"rule_name": rule, "log": [str(log)] if log else [], "output": list(outputs)}
        said = record(LogEvent.JOB_INFO, jobid=number, wildcards=wildcards, **more)
        self.run.take(LogEvent.JOB_INFO, said)

    def finish(self, number):
        self.run.take(LogEvent.JOB_FINISHED, record(LogEvent.JOB_FINISHED, job_id=number))

    def fail(self, number, rule, log=None, detail=""):
        self.run.details.append(detail)
        more = {"rule_name": rule, "log": [str(log)] if log else []}
        self.run.take(LogEvent.JOB_ERROR, record(LogEvent.JOB_ERROR, jobid=number, **more))
