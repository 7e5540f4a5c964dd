"""What is shown of a run, from records as snakemake makes them."""

import io
from logging import ERROR, INFO, WARNING, LogRecord
from types import SimpleNamespace

import pytest
from snakemake_interface_logger_plugins.common import LogEvent

from snakemake_logger_plugin_cr5 import CLEAR, LogHandler, jobs

STAMP = "2026-11-22 16:00:00,123"
RAISED = """WorkflowError in file "/x/workflow/rules/beginning.smk", line 57:
Another run writes there.
It is process 7.
  File "/x/workflow/rules/beginning.smk", line 90, in __onstart"""


class Screen(LogHandler):
    """A terminal that is a string, which records of a run are sent to."""

    def __init__(self, dry=False, live=False):
        super().__init__(SimpleNamespace(dryrun=dry), None)
        self.stream.close()
        self.stream, self.is_live = io.StringIO(), live

    def tell(self, event=None, message="", level=INFO, **more):
        record = LogRecord("snakemake.logging", level, "", 0, message, (), None)
        record.__dict__.update(more, event=event)
        self.handle(record)

    def plan(self, **stats):
        self.tell(LogEvent.RUN_INFO, stats={**stats, "default": 1, "total": 1})

    def start(self, number, rule, log=None, **wildcards):
        log = [str(log)] if log else []
        more = {"rule_name": rule, "log": log, "output": [], "wildcards": wildcards}
        self.tell(LogEvent.JOB_INFO, jobid=number, **more)

    def finish(self, number):
        self.tell(LogEvent.JOB_FINISHED, job_id=number)

    def fail(self, number, rule, log=None, detail=""):
        self.tell(LogEvent.ERROR, detail, ERROR, exception="CalledProcessError")
        logs = [str(log)] if log else []
        self.tell(LogEvent.JOB_ERROR, jobid=number, rule_name=rule, log=logs)

    @property
    def said(self):
        return self.stream.getvalue()

    def end(self):
        """What is said in the end, on one line."""
        before = len(self.said)
        self.close()
        return " ".join(self.said[before:].split())


@pytest.fixture(autouse=True)
def columns(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")


@pytest.fixture
def run():
    return Screen()


def test_a_stage_that_ends_has_a_line_and_the_run_a_conclusion(run):
    run.plan(fit=2)
    run.start(1, "fit")
    run.finish(1)
    assert run.said == ""
    run.start(2, "fit")
    run.finish(2)
    assert run.said.split() == ["fits", "2", "jobs", "0", "s"]
    for line in ("a  table", "", "a command"):
        run.tell(message=line, terminal=True)
    run.log = "run.log"
    run.close()
    assert run.said.endswith(
        "Done: 2 jobs in 0 s.\n\na  table\n\na command\nLog:         run.log\n"
    )


def test_on_a_terminal_the_last_line_is_what_runs_and_stays_below_the_rest(tmp_path):
    run = Screen(live=True)
    assert run.line() == "planning the run"
    log = tmp_path / "fit.log"
    log.write_text(f"{STAMP} INFO epoch 1\n{STAMP} INFO epoch 2\n{STAMP} INFO \nno line of ours\n")
    run.plan(fit=2, rank=8)
    run.start(1, "fit", log=log, setting="joint", system="cr5", repetition=1)
    assert run.line() == "0/10 fit joint cr5: epoch 2"
    run.start(2, "draw", repetition=2)
    assert run.line() == "0/10 draw 2 +1"
    run.show("x" * 99)
    run.write("a stage")
    run.show("")
    live = "x" * 79
    assert run.said == f"{CLEAR}{live}{CLEAR}a stage\n{live}{CLEAR}"


def test_a_reader_who_is_gone_stops_no_run(run):
    run.stream.close()
    run.write("x")


def test_warnings_are_counted_and_shown_once(run, tmp_path):
    run.plan(fit=10)
    for number in range(9):
        log = tmp_path / f"{number}.log"
        text = f"{STAMP} INFO fine\n{STAMP} WARNING the best rank is at the edge\n"
        log.write_text(text + f"{STAMP} WARNING only {number}\n" * (number > 0))
        run.start(number, "fit", log=log, system=f"s{number}")
        run.finish(number)
    assert run.line() == "9/10 17 warnings"
    said = run.end()
    assert said.startswith("Warnings: fit s0 and 8 more: the best rank is at the edge fit s1: only")
    assert said.endswith("and 3 others, see the log")


def test_a_failed_job_has_its_message_its_log_and_what_to_do(run, tmp_path):
    log = tmp_path / "fit.log"
    log.write_text(f"{STAMP} INFO begins\n{STAMP} ERROR Error: rank 9 is too high;\nchoose 3\n")
    run.plan(fit=1, rank=3)
    run.start(1, "fit", log=log, setting="joint", system="cr5")
    run.fail(1, "fit", log=log)
    expected = f"Failed: fit joint cr5\n  rank 9 is too high;\n  choose 3\n  its log: {log}\n"
    assert run.said == expected
    assert run.end() == (
        "1 job failed, 3 could not be started without; 0 are done. Correct what is said above. "
        "Call the same command again to go on from there."
    )


def test_a_job_of_a_group_that_is_repeated_with_success_has_not_failed(run):
    run.plan(fit=1)
    run.start(1, "fit")
    job = {"jobid": 1, "rule_name": "fit", "log": []}
    run.tell(LogEvent.GROUP_ERROR, job_error_info=[job])
    assert run.said == "Failed: fit\n  it left no message\n"
    run.start(1, "fit")
    run.finish(1)
    assert run.end() == "Done: 1 job in 0 s."


@pytest.mark.parametrize("detail", ["Command 'x' died with <Signals.SIGINT: 2>.", ""])
def test_an_interruption_is_no_failure(run, detail):
    run.plan(fit=2)
    run.start(1, "fit")
    if not detail:
        run.tell(message="Terminating processes on user request, this might take some time.")
    run.fail(1, "fit", detail=detail)
    assert "Failed" not in run.said
    run.interrupted = True
    assert run.end() == (
        "Interrupted after 0 of 2 jobs. Call the same command again to go on from there."
    )


def test_errors_before_any_job_are_told_without_where_in_our_files(run):
    run.tell(LogEvent.ERROR, RAISED, ERROR, exception="WorkflowError")
    run.tell(LogEvent.ERROR, "Cancelling snakemake on user request.", ERROR, exception="X")
    assert run.end() == ""
    assert run.said == "Error: Another run writes there.\nIt is process 7.\n"


@pytest.mark.parametrize("dry", [True, False])
def test_nothing_to_do(dry):
    run = Screen(dry)
    run.tell(message="Nothing to be done (all requested files are present and up to date).")
    assert run.end() == "Nothing to do: every result is there and up to date."


def test_a_plan_is_a_table_below_what_would_stop_it():
    run = Screen(dry=True)
    run.tell(message="warning  little room", level=WARNING)
    run.tell(message="error    no contact", level=ERROR)
    run.plan(fit=2)
    run.start(1, "fit")
    run.rules = lambda: {"fit": 3}
    with pytest.raises(SystemExit, match="1"):
        run.close()
    assert run.said == (
        "warning  little room\nerror    no contact\n"
        "stage         to run   there\nfits               2       1\nall                2       1\n"
        "Such a run would not start: 1 error, see above.\n"
    )


@pytest.mark.parametrize(
    ("log", "details", "said"),
    [
        (f"{STAMP} INFO x\n{STAMP} ERROR Error: mend it\nso\n", "", "mend it\nso"),
        (f"{STAMP} ERROR Failed:\n" + "line\n" * 11 + "KeyError", "", "line\n" * 11 + "KeyError"),
        (
            f"{STAMP} INFO x\n",
            "died with <Signals.SIGTERM: 15>",
            "its process was ended by SIGTERM",
        ),
        ("no line of ours\n", "", "no line of ours"),
    ],
)
def test_why_a_job_failed(tmp_path, log, details, said):
    (tmp_path / "job.log").write_text(log)
    assert jobs.reason([str(tmp_path / "job.log")], details) == said


def test_why_a_job_without_a_log_failed():
    assert jobs.reason([], "") == jobs.reason(["none.log"], "") == "it left no message"
    assert "perhaps as the memory" in jobs.reason([], "Command died with <Signals.SIGKILL: 9>.")
