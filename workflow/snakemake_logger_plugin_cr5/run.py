"""A run as its user sees it: a live line, a line per stage, failures, and how it ended."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from logging import LogRecord
from typing import Any

from snakemake_interface_logger_plugins.common import LogEvent

from snakemake_logger_plugin_cr5.found import found
from snakemake_logger_plugin_cr5.messages import last_message, reason, warnings
from snakemake_logger_plugin_cr5.stages import NO_WORK, by_stage, stage_of
from snakemake_logger_plugin_cr5.terminal import INDENT, Terminal

SHOWN = 6  # distinct warnings shown at the end


@dataclass
class Job:
    """A job that was started."""

    rule: str
    name: str
    log: str | None
    outputs: list[str]
    started: float
    said: str = ""


@dataclass
class Stage:
    """The jobs of a stage so far."""

    total: int
    done: int = 0
    started: float = 0.0
    outputs: list[str] = field(default_factory=list)


class Run:
    """The state of a run; `take` updates it from snakemake's events."""

    def __init__(self, terminal: Terminal) -> None:
        self.terminal = terminal
        self.log: str | None = None
        self.conclusion: list[str] = []  # lines to end with
        self.details: list[str] = []  # snakemake's messages about failed processes
        self.nothing = self.began = self.interrupted = False
        self.started = time.monotonic()
        self.total = self.done = 0
        self.stages: dict[str, Stage] = {}
        self.running: dict[int, Job] = {}
        self.failed: dict[int, str] = {}
        self.warned: dict[str, list[str]] = {}  # jobs by warning

    def take(self, event: str, record: LogRecord) -> None:
        """Update the state from an event of snakemake."""
        if event == LogEvent.RUN_INFO:
            self._plan(record.stats)
        elif event == LogEvent.JOB_INFO:
            self._start(record)
        elif event == LogEvent.JOB_FINISHED:
            self._finish(record.job_id)
        elif event == LogEvent.JOB_ERROR:
            self._fail(record.jobid, record.rule_name, record.log)
        elif event == LogEvent.GROUP_ERROR:
            for job in record.job_error_info:
                self._fail(job["jobid"], job["rule_name"], job["log"])
        if self.began:
            self.refresh()

    def _plan(self, stats: Mapping[str, int]) -> None:
        self.began = True
        self.total = sum(n for rule, n in stats.items() if rule not in ("total", *NO_WORK))
        self.stages = {stage: Stage(number) for stage, number in by_stage(stats).items()}

    def _start(self, record: LogRecord) -> None:
        if record.rule_name in NO_WORK:
            return
        log = record.log[0] if record.log else None
        name = job_name(record.rule_name, record.wildcards)
        now = time.monotonic()
        self.running[record.jobid] = Job(record.rule_name, name, log, list(record.output), now)
        stage = self._stage(record.rule_name)
        stage.started = stage.started or now

    def _stage(self, rule: str) -> Stage:
        return self.stages.setdefault(stage_of(rule), Stage(0))

    def _finish(self, number: int) -> None:
        job = self.running.pop(number, None)
        if job is None:
            return
        self.failed.pop(number, None)  # it failed at first
        self.done += 1
        for warning in warnings(job.log) if job.log else ():
            self.warned.setdefault(warning, []).append(job.name)
        stage = self._stage(job.rule)
        stage.done += 1
        stage.outputs += job.outputs
        if stage.done == stage.total:
            self._tell(stage_of(job.rule), stage)

    def _tell(self, name: str, stage: Stage) -> None:
        jobs = f"{stage.total} job{'s' * (stage.total > 1)}"
        seconds = time.monotonic() - stage.started
        line = f"{name:<11}{jobs:>9}{duration(seconds):>15}   {found(name, stage.outputs)}"
        self.terminal.fold(line.rstrip(), " " * 38)

    def _fail(self, number: int, rule: str, logs: list[str]) -> None:
        job = self.running.pop(number, None)
        name = job.name if job else rule
        details, self.details = "\n".join(self.details), []
        log = logs[0] if logs else None
        why = reason(log, details)
        if self.interrupted or "KeyboardInterrupt" in why or "SIGINT" in why:
            return
        self.failed[number] = name
        self.terminal.write(f"Failed: {name}\n" + _indented(why))
        if log:
            self.terminal.write(f"{INDENT}its log: {log}")

    def interrupt(self) -> None:
        """Note that the user or a scheduler wants the run to stop."""
        self.interrupted = True
        self.terminal.write("Interrupted: the jobs that run are being stopped.")

    def refresh(self) -> None:
        """Show what is going on."""
        for job in self.running.values():
            job.said = last_message(job.log) if job.log and self.terminal.is_live else ""
        if self.began and not self.interrupted:
            self.terminal.show(self.line())

    def line(self) -> str:
        """Return the live line; only the list of running jobs is cut if it is too long."""
        head = f"{self.done}/{self.total} "
        number = sum(map(len, self.warned.values()))
        parts = [f"{number} warning{'s' * (number > 1)}" if number else ""]
        parts += [f"{len(self.failed)} failed" if self.failed else ""]
        tail = "".join(f" | {x}" for x in parts if x)
        jobs = sorted(self.running.values(), key=lambda x: (not x.said, -x.started))
        now = ", ".join(f"{x.name}: {x.said}" if x.said else x.name for x in jobs[:1])
        more = f" +{len(jobs) - 1}" if len(jobs) > 1 else ""
        room = self.terminal.width - 1 - len(head) - len(tail) - len(more)
        return head + (now if len(now) <= room else now[: max(0, room - 3)] + "...") + more + tail

    def end(self, errors: int) -> None:
        """Say how the run ended; only errors if no job was started."""
        self.terminal.end()
        if not self.began:
            if self.nothing and not errors:
                self.terminal.write("Nothing to do: every result is there and up to date.")
            return
        self._warnings()
        took = duration(time.monotonic() - self.started)
        undone = self.total - self.done
        again = "Call the same command again to go on from there."
        if self.interrupted:
            self.terminal.fold(f"Interrupted after {self.done} of {self.total} jobs. {again}")
        elif self.failed:
            number = f"{len(self.failed)} job{'s' * (len(self.failed) > 1)} failed"
            more = undone - len(self.failed)
            other = f", {more} could not be started without" if more > 0 else ""
            self.terminal.fold(
                f"{number}{other}; {self.done} are done. Correct what is said above."
            )
            self.terminal.fold(again)
        elif not undone and not errors:
            self.terminal.write(f"Done: {self.total} job{'s' * (self.total != 1)} in {took}.\n")
        for line in self.conclusion:
            self.terminal.write(line)
        if self.log:
            self.terminal.write(f"Log:         {self.log}")

    def _warnings(self) -> None:
        said = sorted(self.warned.items(), key=lambda x: -len(x[1]))
        if said:
            self.terminal.write("Warnings:")
        for warning, jobs in said[:SHOWN]:
            where = jobs[0] if len(jobs) == 1 else f"{jobs[0]} and {len(jobs) - 1} more"
            self.terminal.fold(f"{INDENT}{where}: {warning}", INDENT * 2)
        if len(said) > SHOWN:
            self.terminal.write(f"{INDENT}and {len(said) - SHOWN} others, see the log")


def job_name(rule: str, wildcards: Mapping[str, Any] | None) -> str:
    """Return a readable name of a job: the rule and its wildcards."""
    values = {k: str(x) for k, x in (wildcards or {}).items()}
    if values.get("repetition") == "1":
        del values["repetition"]
    return " ".join([rule, *values.values()])


def duration(seconds: float) -> str:
    """Return seconds in words."""
    seconds = round(seconds)
    if seconds < 60:
        return f"{seconds} s"
    minutes, seconds = divmod(seconds, 60)
    if minutes < 60:
        return f"{minutes} min {seconds} s"
    return "{} h {} min".format(*divmod(minutes, 60))


def _indented(text: str) -> str:
    return "\n".join(INDENT + x for x in text.splitlines())
