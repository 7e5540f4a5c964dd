"""Names of jobs, and what their logs say: now, as warnings, or of a failure."""

import re
from collections.abc import Sequence
from contextlib import suppress
from logging import LogRecord
from pathlib import Path

MESSAGE = re.compile(r"^\d{4}-\d\d-\d\d [\d:,]+ (INFO|WARNING|ERROR) (.+)", re.MULTILINE)
RAISED = re.compile(r'  File ".+", line \d+|(WorkflowError|UserError|MissingRule\w+)( in .+)?:$')
LAST = 12  # lines of a reason


def name(job: LogRecord) -> str:
    """Return a readable name of a job: the rule and its wildcards."""
    values = {key: str(x) for key, x in (job.wildcards or {}).items()}
    if values.get("repetition") == "1":
        del values["repetition"]
    return " ".join([job.rule_name, *values.values()])


def messages(log: Sequence[str]) -> list[str]:
    """Return all that a job wrote, each on one line."""
    return [said for _, said in MESSAGE.findall(_text(log))]


def warnings(log: Sequence[str]) -> list[str]:
    """Return all warnings that a job wrote."""
    return [said for level, said in MESSAGE.findall(_text(log)) if level == "WARNING"]


def reason(log: Sequence[str], details: str) -> str:
    """Return why a job failed: its own message, how its process ended, or the end of its log."""
    text = _text(log)
    if error := re.search(
        r"^[\d-]+ [\d:,]+ ERROR (?:Error: )?(.+)", text, re.DOTALL | re.MULTILINE
    ):
        text = error[1]
    elif killed := re.search(r"died with <Signals\.(\w+)", details):
        memory = ", perhaps as the memory of this machine was used up (run with fewer --cores)"
        return f"its process was ended by {killed[1]}{memory * (killed[1] == 'SIGKILL')}"
    return "\n".join((text or details or "it left no message").strip().splitlines()[-LAST:])


def short(said: str) -> str:
    """Drop where in the workflow's files an exception was raised: the error is not theirs."""
    return "\n".join(x for x in said.splitlines() if not RAISED.match(x)).strip()


def _text(log: Sequence[str]) -> str:
    with suppress(IndexError, OSError):
        return Path(log[0]).read_text(encoding="utf-8", errors="replace")
    return ""
