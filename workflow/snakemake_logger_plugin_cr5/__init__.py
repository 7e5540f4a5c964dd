"""What a user of ./run sees: turns snakemake's log records into a few lines on the terminal.

Snakemake finds this package by its name (`--logger cr5`). It is separate from cr5, which does not
depend on snakemake. What is not shown, and all that jobs print, is in snakemake's log file.
"""

import os
import shutil
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from logging import ERROR, WARNING, LogRecord

from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent

from snakemake_logger_plugin_cr5 import jobs, stages

CLEAR = "\r\x1b[K"
REFRESH = 0.5  # seconds between two states of the live line
NEWS = 30  # seconds between progress lines without a terminal
SHOWN = 6  # distinct warnings shown at the end
NOTHING = "Nothing to do: every result is there and up to date."
AGAIN = "Call the same command again to go on from there."
UNIMPORTANT = (  # our own lines say it better
    "At least one job did not complete successfully",
    "Exiting because a job execution failed",
    "Cancelling snakemake on user request",
)


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
        self.rules: Callable[[], Mapping[str, int]] = dict  # number of jobs, run or not, by rule
        self.planned: dict[str, int] = {}  # number of jobs to run by stage
        self.running: dict[int, LogRecord] = {}
        self.finished: dict[str, list[LogRecord]] = {}  # by stage
        self.failed: set[int] = set()
        self.warned: dict[str, list[str]] = {}  # jobs by warning
        self.details: list[str] = []  # snakemake's messages about failed processes
        self.conclusion: list[str] = []  # lines to end with
        self.errors, self.nothing, self.interrupted = 0, False, False
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
                self._message(record, jobs.short(str(record.msg or "")))
            case LogEvent.RUN_INFO:
                self.planned = stages.by_stage(record.stats)
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
        elif said.startswith("Terminating processes on user request"):
            self.interrupted = True
            self.write("Interrupted: the jobs that run are being stopped.")
        elif said.startswith("Nothing to be done"):
            self.nothing = True
        elif self.planned and exception in ("RuleException", "CalledProcessError"):
            self.details.append(said)  # of a job whose JOB_ERROR follows
        elif record.levelno >= WARNING and said and not said.startswith(UNIMPORTANT):
            self.errors += record.levelno >= ERROR
            prefix = "Error: " * (bool(exception) and not said.startswith("Error"))
            self.write(prefix + (said if exception else fold(said)))

    def _finish(self, number: int) -> None:
        job = self.running.pop(number)
        self.failed.discard(number)  # it failed at first
        for warning in jobs.warnings(job.log):
            self.warned.setdefault(warning, []).append(jobs.name(job))
        stage = stages.of(job.rule_name)
        done = self.finished.setdefault(stage, [])
        done.append(job)
        if len(done) == self.planned.get(stage):
            self.write(fold(stages.line(stage, done), " " * 38))

    def _fail(self, number: int, rule: str, logs: list[str]) -> None:
        job = self.running.pop(number, None)
        why = jobs.reason(logs, "\n".join(self.details))
        self.details = []
        if self.interrupted or "KeyboardInterrupt" in why or "SIGINT" in why:
            return
        self.failed.add(number)
        said = "\n".join([why, *(f"its log: {log}" for log in logs)])
        self.write(f"Failed: {jobs.name(job) if job else rule}\n{textwrap.indent(said, '  ')}")

    def _watch(self) -> None:
        while not self.ended.wait(REFRESH if self.is_live else NEWS):
            with self.lock:
                if not self.interrupted:
                    self.show(self.line())

    def line(self) -> str:
        """Return what is going on."""
        if not self.planned:
            return "planning the run"
        warnings, failed = sum(map(len, self.warned.values())), len(self.failed)
        parts = [stages.count(warnings, "warning")] if warnings else []
        parts += [f"{failed} failed"] if failed else []
        for job in [*self.running.values()][-1:]:
            more = f" +{len(self.running) - 1}" * (len(self.running) > 1)
            parts.append(": ".join([f"{jobs.name(job)}{more}", *jobs.messages(job.log)[-1:]]))
        return f"{self._done()}/{sum(self.planned.values())} {' | '.join(parts)}"

    def _done(self) -> int:
        return sum(map(len, self.finished.values()))

    def close(self) -> None:
        """Say how the run ended; exit with status 1 if a plan has an error."""
        if self.ended.is_set():
            return
        self.ended.set()
        with self.lock:
            self.show("")
            for line in self._plan() if self.is_dry else self._end():
                self.write(line)
        super().close()
        if self.is_dry and self.errors:
            sys.exit(1)  # snakemake exits a plan with 0, but lets SystemExit through

    def _plan(self) -> Iterator[str]:
        """Yield the plan of a run as a table, below what would stop it."""
        if self.planned:
            yield from stages.table(self.planned, stages.by_stage(self.rules()))
            stops = f"Such a run would not start: {stages.count(self.errors, 'error')}, see above."
            hint = "Nothing was run: this is a plan (-n). Add `--quiet host` to see each job."
            yield stops if self.errors else hint
        elif self.nothing and not self.errors:
            yield NOTHING

    def _end(self) -> Iterator[str]:
        if self.nothing and not self.errors:
            yield NOTHING
        if not self.planned:
            return
        said = sorted(self.warned.items(), key=lambda x: -len(x[1]))
        yield from ["Warnings:"] if said else []
        for warning, where in said[:SHOWN]:
            more = f" and {len(where) - 1} more" * (len(where) > 1)
            yield fold(f"  {where[0]}{more}: {warning}", "    ")
        if len(said) > SHOWN:
            yield f"  and {len(said) - SHOWN} others, see the log"
        done, total, failed = self._done(), sum(self.planned.values()), len(self.failed)
        if self.interrupted:
            yield f"Interrupted after {done} of {total} jobs. {AGAIN}"
        elif failed:
            rest = f", {total - done - failed} could not be started without"
            other = rest * (done + failed < total)
            yield f"{stages.count(failed, 'job')} failed{other}; {done} are done."
            yield f"Correct what is said above. {AGAIN}"
        elif done == total and not self.errors:
            took = stages.duration(time.time() - self.started)
            yield f"Done: {stages.count(total, 'job')} in {took}.\n"
        yield from self.conclusion
        yield from [f"Log:         {self.log}"] if self.log else []


def width() -> int:
    """Return the columns to write in, 79 if those of the terminal are unknown."""
    return shutil.get_terminal_size((80, 24)).columns - 1


def fold(text: str, indent: str = "  ") -> str:
    """Wrap each line to the width, with what follows indented; paths stay whole."""
    whole = {"break_long_words": False, "break_on_hyphens": False}
    lines = (textwrap.fill(x, width(), subsequent_indent=indent, **whole) for x in text.split("\n"))
    return "\n".join(lines)
