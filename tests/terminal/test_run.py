"""What is shown of a run, from records as snakemake makes them."""

import io
import json
from logging import ERROR, INFO, WARNING, LogRecord
from types import SimpleNamespace

import pytest
from snakemake_interface_logger_plugins.common import LogEvent

from snakemake_logger_plugin_cr5 import CLEAR, LogHandler, stages

STAMP = "2026-11-22 16:00:00,123"
AGAIN = "Call the same command again to go on from there.\n"


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

    def start(self, number, rule, log="", output=(), **wildcards):
        fields = {"rule_name": rule, "log": [str(log)], "output": output, "wildcards": wildcards}
        self.tell(LogEvent.JOB_INFO, jobid=number, **fields)

    def finish(self, number):
        self.tell(LogEvent.JOB_FINISHED, job_id=number)

    def fail(self, number, rule, log):
        self.tell(LogEvent.ERROR, "Command failed", ERROR, exception="CalledProcessError")
        self.tell(LogEvent.JOB_ERROR, jobid=number, rule_name=rule, log=[str(log)])

    @property
    def said(self):
        return self.stream.getvalue()


@pytest.fixture
def run(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    return Screen()


def test_a_stage_that_ends_has_a_line_and_the_run_a_conclusion(run, tmp_path):
    (tmp_path / "summary.json").write_text(
        json.dumps({"documents": 1000, "kept_documents": 900, "words": 70})
    )
    run.plan(bags=2)
    for number in (1, 2):
        run.start(number, "bags", output=[str(tmp_path)])
        run.finish(number)
    message = "2,000 documents, 200 dropped by bags.unique_words; 140 words"
    assert " ".join(run.said.split()) == f"bags 2 jobs 0:00:00 {message}"
    for line in ("a  table", "", "a command"):
        run.tell(message=line, terminal=True)
    run.log = "run.log"
    run.close()
    end = "Done: 2 jobs in 0:00:00.\n\na  table\n\na command\nLog:         run.log\n"
    assert run.said.endswith(end)


def test_on_a_terminal_the_last_line_is_what_runs_and_stays_below_the_rest(run, tmp_path):
    live = Screen(live=True)
    assert live.line() == "planning the run"
    log = tmp_path / "fit.log"
    log.write_text(f"{STAMP} INFO epoch 1\n{STAMP} INFO epoch 2\n{STAMP} INFO \nno line of ours\n")
    live.plan(fit=2, rank=8)
    live.start(1, "fit", log=log, setting="joint", system="cr5", repetition=1)
    assert live.line() == "0/10 fit joint cr5: epoch 2"
    live.start(2, "draw", repetition=2)
    assert live.line() == "0/10 draw 2 +1"
    live.show("x" * 99)
    live.write("a stage")
    live.show("")
    assert live.said == f"{CLEAR}{'x' * 79}{CLEAR}a stage\n{'x' * 79}{CLEAR}"


def test_what_was_read_is_told_at_once(run):
    run.tell(message="Configuration: mine.yaml", begins=True)
    run.tell(message="Using shell: /bin/bash")
    assert run.said == "Configuration: mine.yaml\n"


def test_a_warning_is_shown_once(run, tmp_path):
    (log := tmp_path / "log").write_text(f"{STAMP} INFO fine\n{STAMP} WARNING rank at the edge\n")
    run.plan(fit=9)
    for number in (1, 2):
        run.start(number, "fit", log=log, system=f"s{number}")
        run.finish(number)
    assert run.said == "Warning: fit s1: rank at the edge\n"


@pytest.mark.parametrize(
    ("log", "said"),
    [
        (f"{STAMP} INFO begins\n{STAMP} ERROR Error: mend it\nso\n", "mend it\n  so"),
        (f"{STAMP} ERROR Failed:\n" + "x\n" * 20 + "KeyError", "x\n  " * 11 + "KeyError"),
        ("no line of ours\n", "no line of ours"),
        (f"{STAMP} INFO epoch 2\n", stages.KILLED),
        ("", stages.KILLED),
    ],
)
def test_a_failed_job_has_its_message_its_log_and_what_to_do(run, tmp_path, log, said):
    (path := tmp_path / "fit.log").write_text(log)
    run.plan(fit=1, rank=3)
    run.start(1, "fit", log=path, setting="joint", system="cr5")
    run.fail(1, "fit", log=path)
    run.close()
    assert run.said == (
        f"Failed: fit joint cr5\n  {said}\n  its log: {path}\n"
        f"1 job failed, 0 of 4 are done.\nCorrect what is said above. {AGAIN}"
    )


def test_paths_of_a_run_in_another_folder_lead_there_from_where_its_user_stands(
    run, tmp_path, monkeypatch
):
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    (folder / "fit.log").write_text("it failed\n")
    monkeypatch.setenv("CR5_CALLED_FROM", str(tmp_path))
    monkeypatch.chdir(folder)
    run.plan(fit=1)
    run.start(1, "fit", log="fit.log")
    run.fail(1, "fit", log="fit.log")
    run.log = "run.log"
    run.close()
    assert f"its log: {folder}/fit.log\n" in run.said
    assert run.said.endswith(f"Log:         {folder}/run.log\n")


def test_a_job_of_a_group_that_is_repeated_with_success_has_not_failed(run):
    run.plan(fit=1)
    run.start(1, "fit")
    run.tell(LogEvent.GROUP_ERROR, job_error_info=[{"jobid": 1, "rule_name": "fit", "log": []}])
    run.start(1, "fit")
    run.finish(1)
    run.close()
    assert run.said.startswith("Failed: fit\n") and "Done: 1 job in" in run.said


@pytest.mark.parametrize(
    "said",
    [
        "Terminating processes on user request",
        "<Signals.SIGINT: 2>",
        "Will exit after finishing currently running jobs (scheduler).",  # after SIGTERM
    ],
)
def test_an_interruption_is_no_failure(run, said):
    run.plan(fit=2)
    run.start(1, "fit")
    run.tell(message=said)
    run.fail(1, "fit", log="")
    run.close()
    assert run.said == f"Interrupted after 0 of 2 jobs. {AGAIN}"


def test_errors_before_any_job_are_told_without_where_in_our_files(run):
    raised = (
        'WorkflowError in file "/x/rules/beginning.smk", line 57:\nAnother run writes there.\n'
        'Wait.\n  File "/x/rules/beginning.smk", line 90, in __onstart'
    )
    run.tell(LogEvent.ERROR, raised, ERROR, exception="WorkflowError")
    run.tell(LogEvent.ERROR, "Cancelling snakemake on user request.", ERROR, exception="X")
    run.close()
    assert run.said == "Error: Another run writes there.\nWait.\n"


def test_a_plan_has_the_stages_in_the_order_of_the_flow(run):
    plan = Screen(dry=True)
    plan.tell(message="little room", level=WARNING)
    plan.plan(own_rule=1, fit=18, bags=2)
    plan.start(1, "fit")
    plan.close()
    rows = "little room\nbags               2\nfits              18\nown_rule           1\n"
    assert plan.said.startswith(f"{rows}21 jobs to run")
