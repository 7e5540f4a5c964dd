"""What a user of ./run sees: turns snakemake's log records into a few lines on the terminal.

Snakemake finds this package by its name (`--logger cr5`). It is separate from cr5, which does not
depend on snakemake. What is not shown, and all that jobs print, is in snakemake's log file.
"""

import os
import re
import shutil
import textwrap
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
from logging import ERROR, WARNING, LogRecord
from pathlib import Path

from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent

from snakemake_logger_plugin_cr5 import stages

CALLED_FROM = "CR5_CALLED_FROM"  # the folder that the user stands in, as ./run says
CLEAR = "\r\x1b[K"
REFRESH, NEWS = 0.5, 30  # seconds between two states of the live line; without a terminal
AGAIN = "Call the same command again to go on from there."
# By Ctrl-C, and by SIGTERM, after which the jobs that run are finished.
ENDED = ("Terminating processes on user", "Will exit after finishing")
UNIMPORTANT = ("At least one job did not", "Exiting because a job", "Cancelling snakemake on user")
# Where in the workflow's files an exception was raised: the error is not theirs.
RAISED = re.compile(r'^(  File ".+", line \d+.*|\w+(Error|Exception)( in .+)?:)$\n?', re.MULTILINE)


class LogHandler(LogHandlerBase):
    """Handles snakemake's records in its own thread; on a terminal the last line is live."""

    writes_to_stream = True
    writes_to_file = False
    has_filter = True
    has_formatter = True
    needs_rulegraph = False

    def __post_init__(self) -> None:
        """Set up what is known before the Snakefile is read."""
        self.is_dry = self.common_settings.dryrun
        copy = os.dup(1 if self.is_dry else 2)  # `begin` redirects both
        self.stream = os.fdopen(copy, "w", errors="backslashreplace")
        self.is_live = self.stream.isatty() and os.environ.get("TERM") != "dumb"
        self.shown = self.log = ""
        self.planned: Counter[str] = Counter()  # jobs by stage
        self.running: dict[int, LogRecord] = {}
        self.finished: dict[str, list[LogRecord]] = {}  # by stage
        self.failed: set[int] = set()
        self.warned: set[str] = set()
        self.conclusion: list[str] = []  # lines to end with
        self.is_wrong = self.is_interrupted = False
        self.started = time.time()
        self.ended = threading.Event()
        if not self.is_dry:
            threading.Thread(target=self._watch, daemon=True).start()

    def begin(self, log: str) -> None:
        """Redirect what this process and its jobs print to snakemake's log file."""
        self.log = log
        with open(log, "a") as file:  # noqa: PTH123
            os.dup2(file.fileno(), 1)
            os.dup2(file.fileno(), 2)

    def write(self, text: str) -> None:
        """Write lines, above the live one."""
        self._put(CLEAR * bool(self.shown) + text + "\n" + self.shown)

    def show(self, text: str) -> None:
        """Replace the live line; without a terminal, write it as any other."""
        text = text[: width()]
        if not self.is_live and text:
            self.write(text)
        elif text != self.shown:
            self.shown = text
            self._put(CLEAR + text)

    def _put(self, text: str) -> None:
        with suppress(OSError, ValueError):  # the reader is gone; the run goes on
            self.stream.write(text)
            self.stream.flush()

    def emit(self, record: LogRecord) -> None:
        """Show a record, count it, or leave it to the log file."""
        match getattr(record, "event", None):
            case None | LogEvent.ERROR:
                self._message(record, RAISED.sub("", str(record.msg or "")).strip())
            case LogEvent.RUN_INFO:  # again, when a checkpoint has told of more jobs
                self.planned.clear()
                for rule, number in record.stats.items():
                    self.planned[stages.of(rule)] += number
                del self.planned[""]
            case LogEvent.JOB_INFO if stages.of(record.rule_name) and not self.is_dry:
                self.running[record.jobid] = record
            case LogEvent.JOB_FINISHED if record.job_id in self.running:
                self._finish(record.job_id)
            case LogEvent.JOB_ERROR:
                self._fail(record.jobid, record.rule_name, record.log)
            case LogEvent.GROUP_ERROR:
                for job in record.job_error_info:
                    self._fail(job["jobid"], job["rule_name"], job["log"])

    def _message(self, record: LogRecord, said: str) -> None:
        exception = getattr(record, "exception", "")
        if getattr(record, "terminal", False):
            self.conclusion.append(str(record.msg))
        elif getattr(record, "begins", False):
            self.write(fold(said))
        elif said.startswith("Nothing to be done"):
            self.conclusion.append("Nothing to do: every result is there.")
        elif said.startswith(ENDED) or "Signals.SIGINT" in said:
            self.is_interrupted = True
        elif self.planned and exception in ("RuleException", "CalledProcessError"):
            return  # of a job whose JOB_ERROR follows
        elif record.levelno >= WARNING and said and not said.startswith(UNIMPORTANT):
            self.is_wrong |= record.levelno >= ERROR
            self.write(f"Error: {said.removeprefix('Error: ')}" if exception else fold(said))

    def _finish(self, number: int) -> None:
        job = self.running.pop(number)
        self.failed.discard(number)  # it failed at first
        for warning in stages.messages(job.log, "WARNING"):
            if warning not in self.warned:
                self.write(fold(f"Warning: {stages.name(job)}: {warning}"))
            self.warned.add(warning)
        stage = stages.of(job.rule_name)
        done = self.finished.setdefault(stage, [])
        done.append(job)
        if len(done) == self.planned[stage]:
            jobs, took = count(len(done)), duration(min(x.created for x in done))
            found = stages.found(stage, done)
            self.write(fold(f"{stage:<11}{jobs:>9}{took:>10}   {found}".rstrip(), " " * 33))

    def _fail(self, number: int, rule: str, logs: list[str]) -> None:
        job = self.running.pop(number, None)
        if not self.is_interrupted:
            self.failed.add(number)
            places = [f"its log: {told_path(log)}" for log in logs]
            said = "\n".join([stages.reason(logs), *places])
            name = stages.name(job) if job else rule
            self.write(f"Failed: {name}\n{textwrap.indent(said, '  ')}")

    def _watch(self) -> None:
        while not self.ended.wait(REFRESH if self.is_live else NEWS):
            with self.lock:
                self.show(self.line())

    def line(self) -> str:
        """Return what is going on."""
        if self.is_interrupted:
            return "Interrupted: the jobs that run are being stopped."
        if not self.planned:
            return "planning the run"
        parts = [f"{len(self.failed)} failed"] if self.failed else []
        for job in [*self.running.values()][-1:]:
            more = f" +{len(self.running) - 1}" * (len(self.running) > 1)
            said = stages.messages(job.log, "INFO", "WARNING")[-1:]
            parts.append(": ".join([f"{stages.name(job)}{more}", *said]))
        return f"{self._done()}/{self.planned.total()} {' | '.join(parts)}"

    def _done(self) -> int:
        return sum(map(len, self.finished.values()))

    def close(self) -> None:
        """Say how the run ended, or what it would do."""
        if not self.ended.is_set():
            self.ended.set()
            with self.lock:
                self.show("")
                for line in self._end():
                    self.write(line)
            super().close()

    def _end(self) -> Iterator[str]:
        done, total, failed = self._done(), self.planned.total(), len(self.failed)
        if self.is_dry and total:
            known = {**stages.STAGES, **self.planned}  # in the order of the flow
            yield from (f"{x:<12}{self.planned[x]:>8}" for x in known if self.planned[x])
            yield f"{count(total)} to run: this is a plan. `--quiet host` shows each job."
        elif total and self.is_interrupted:
            yield f"Interrupted after {done} of {count(total)}. {AGAIN}"
        elif failed:
            yield f"{count(failed)} failed, {done} of {total} are done."
            yield f"Correct what is said above. {AGAIN}"
        elif total and done == total and not self.is_wrong:
            yield f"Done: {count(total)} in {duration(self.started)}.\n"
        yield from self.conclusion
        if self.log:
            yield f"Log:         {told_path(self.log)}"


def told_path(path: str) -> str:
    """Return a path as it is, or whole for a user who stands in another folder than the run."""
    called_from = Path(os.environ.get(CALLED_FROM) or Path.cwd())
    is_here = called_from.resolve() == Path.cwd()
    return path if is_here else str(Path.cwd() / path)


def count(jobs: int) -> str:
    """Return a number of jobs."""
    return f"{jobs} job{'s' * (jobs != 1)}"


def duration(since: float) -> str:
    """Return the time since then, such as 0:01:30."""
    return str(timedelta(seconds=round(time.time() - since)))


def width() -> int:
    """Return the columns to write in, 79 if those of the terminal are unknown."""
    return shutil.get_terminal_size((80, 24)).columns - 1


def fold(text: str, indent: str = "  ") -> str:
    """Wrap each line to the width, with what follows indented; paths stay whole."""
    whole = {"break_long_words": False, "break_on_hyphens": False}
    lines = (textwrap.fill(x, width(), subsequent_indent=indent, **whole) for x in text.split("\n"))
    return "\n".join(lines)
