"""What a user of ./run sees: turns snakemake's log records into a few lines on the terminal.

Snakemake finds this package by its name (`--logger cr5`). It is separate from cr5, which does not
depend on snakemake. What is not shown, and all that jobs print, is in snakemake's log file.
"""

import os
import sys
import threading
from collections.abc import Callable, Iterable
from logging import ERROR, WARNING, LogRecord, getLogger

from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent

from snakemake_logger_plugin_cr5.messages import INTERRUPTED, NOTHING, UNIMPORTANT, short, unknown
from snakemake_logger_plugin_cr5.plan import plan
from snakemake_logger_plugin_cr5.run import Run
from snakemake_logger_plugin_cr5.terminal import Terminal

REFRESH = 0.5  # seconds between checks of the running jobs' messages


class LogHandler(LogHandlerBase):
    """Handles snakemake's records in its own thread and writes to the terminal."""

    writes_to_stream = True
    writes_to_file = False
    has_filter = True
    has_formatter = True
    needs_rulegraph = False

    def __post_init__(self) -> None:
        """Set up what is known before the Snakefile is read."""
        getattr(sys.stderr, "release", lambda: None)()  # see cr5.plan.start
        is_dry = self.common_settings.dryrun
        self.terminal = Terminal(sys.stdout if is_dry else sys.stderr)
        self.run = Run(self.terminal)
        self.targets: Callable[[], list[str]] = list  # rules and files that can be requested
        self.findings: Callable[[], tuple[dict[str, int], list[str]]] | None = None
        self.stats: dict[str, int] = {}
        self.errors = 0
        self.ended = False
        self.saved: list[tuple[int, int]] = []  # this process's descriptors and their copies
        self.stop = threading.Event()
        if not is_dry:
            self.terminal.show("planning the run")
            threading.Thread(target=self._refresh, daemon=True).start()

    def begin(self) -> None:
        """Redirect what this process and its jobs print to snakemake's log file."""
        path = log_file()
        with self.lock:
            if path is None or self.saved:
                return
            sys.stdout.flush()
            sys.stderr.flush()
            self.run.log = path
            self.terminal.keep()
            log = os.open(path, os.O_WRONLY | os.O_APPEND)
            for descriptor in (1, 2):
                self.saved.append((descriptor, os.dup(descriptor)))
                os.dup2(log, descriptor)
            os.close(log)

    def emit(self, record: LogRecord) -> None:
        """Show a record, count it, or leave it to the log file."""
        event = getattr(record, "event", None)
        if event is None:
            self._message(record)
        elif event == LogEvent.ERROR:
            self._error(record)
        elif self.common_settings.dryrun:
            if event == LogEvent.RUN_INFO:
                self.stats = record.stats
        else:
            self.run.take(event, record)

    def _message(self, record: LogRecord) -> None:
        said = str(record.msg or "")
        if getattr(record, "terminal", False):
            self.run.conclusion.append(said)
        elif said.startswith(INTERRUPTED):
            self.run.interrupt()
        elif said.startswith(NOTHING):
            self.run.nothing = True
        elif record.levelno >= WARNING and not said.startswith(UNIMPORTANT):
            self.terminal.write(said)
            self.errors += record.levelno >= ERROR

    def _error(self, record: LogRecord) -> None:
        said = str(record.msg)
        if self.run.began and record.exception in ("RuleException", "CalledProcessError"):
            self.run.details.append(said)  # of a job whose JOB_ERROR follows
            return
        said = short(said)
        if said and not said.startswith(UNIMPORTANT):
            self.errors += 1
            if record.exception == "MissingRuleException":
                said = unknown(said, self.targets())
            self.terminal.write(said if said.startswith("Error") else f"Error: {said}")

    def _refresh(self) -> None:
        while not self.stop.wait(REFRESH):
            with self.lock:
                self.run.refresh()

    def close(self) -> None:
        """Say how the run ended; exit with status 1 if a plan has an error."""
        with self.lock:
            if self.ended:
                return
            self.ended = True
            self.stop.set()
            is_dry = self.common_settings.dryrun
            failed = is_dry and self._plan()
            if not is_dry:
                self.run.end(self.errors)
            self.terminal.end()
            self._restore()
        super().close()
        if failed:
            sys.exit(1)  # snakemake exits a plan with 0, but lets SystemExit through

    def _plan(self) -> bool:
        if self.errors or self.findings is None:
            return False
        rules, findings = self.findings()
        there = {rule: number - self.stats.get(rule, 0) for rule, number in rules.items()}
        for line in plan(self.stats, there, findings):
            self.terminal.write(line)
        return any(x.startswith("error") for x in findings)

    def _restore(self) -> None:
        for descriptor, copy in self.saved:
            (sys.stdout if descriptor == 1 else sys.stderr).flush()
            os.dup2(copy, descriptor)
            os.close(copy)
        self.saved = []


def log_file() -> str | None:
    """Return the log file of this run; None if snakemake writes none."""
    handlers = getLogger("snakemake.logging").handlers
    return next((x.baseFilename for x in handlers if hasattr(x, "baseFilename")), None)


def of(handlers: Iterable[object]) -> LogHandler | None:
    """Return our handler among snakemake's, None if snakemake writes to the terminal itself."""
    return next((x for x in handlers if isinstance(x, LogHandler)), None)
