"""Snakemake's messages as they are, and what is left of them."""

import pytest

from snakemake_logger_plugin_cr5 import messages

STAMP = "2026-11-22 16:00:00,123"
RAISED = """WorkflowError in file "/x/workflow/rules/beginning.smk", line 57:
Another run writes there.
It is process 7.
  File "/x/workflow/rules/beginning.smk", line 90, in __onstart
  File "/x/workflow/rules/beginning.smk", line 57, in begin"""
MISSING = (
    "MissingRuleException:\nNo rule to produce quikc (if you use input functions make sure that "
    "they don't raise unexpected exceptions)."
)


def test_where_in_our_files_is_left_out():
    assert messages.short(RAISED) == "Another run writes there.\nIt is process 7."
    assert messages.short("KeyError in file a:\n'x'") == "KeyError in file a:\n'x'"


def test_a_target_that_is_none():
    said = messages.unknown(messages.short(MISSING), ["all", "quick", "results/a.md"])
    assert said.startswith("quikc is neither a target of this workflow nor a file")
    assert said.endswith("Did you mean quick?")
    many = "WorkflowError:\nTarget rules may not contain wildcards. Please specify concrete files"
    assert messages.unknown(messages.short(many), []).startswith("A rule that is done many times")
    far = messages.unknown(messages.short(MISSING), ["all"])
    assert far.endswith("See ./run help.")


@pytest.mark.parametrize(
    ("log", "details", "said"),
    [
        (f"{STAMP} INFO x\n{STAMP} ERROR Error: mend it\nso\n", "", "mend it\nso"),
        (f"{STAMP} ERROR Failed:\nTraceback\n  line\nKeyError: 1\n", "", "KeyError: 1"),
        (f"{STAMP} INFO x\n", "died with <Signals.SIGTERM: 15>", "by SIGTERM"),
        ("", "Command died with <Signals.SIGKILL: 9>.", "perhaps as the memory of this machine"),
        ("no line of ours\n", "", "no line of ours"),
        (None, "", "it left no message"),
    ],
)
def test_why_a_job_failed(tmp_path, log, details, said):
    path = tmp_path / "job.log"
    if log is not None:
        path.write_text(log)
    assert said in messages.reason(str(path), details)


def test_a_long_traceback_is_cut(tmp_path):
    path = tmp_path / "job.log"
    path.write_text(f"{STAMP} ERROR Failed:\n" + "\n".join(map(str, range(100))))
    assert messages.reason(str(path), "").splitlines() == [*map(str, range(88, 100))]


def test_the_last_message_and_the_warnings_of_a_log(tmp_path):
    path = tmp_path / "job.log"
    path.write_text(f"{STAMP} INFO first\n" * 500 + f"{STAMP} WARNING w\n{STAMP} INFO \ntable\n")
    assert messages.last_message(str(path)) == "w"
    assert messages.warnings(str(path)) == ["w."]
    path.write_text(f"{STAMP} WARNING one thing.\n")
    assert messages.warnings(str(path)) == ["one thing."]
    assert messages.last_message(str(tmp_path / "none")) == ""
    assert messages.warnings(str(tmp_path / "none")) == []
