"""Snakemake's messages, shortened, and the reasons why jobs failed."""

import re
from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path

INTERRUPTED = "Terminating processes on user request"
NOTHING = "Nothing to be done"
UNIMPORTANT = (  # our own lines say it better
    "At least one job did not complete successfully",
    "Exiting because a job execution failed",
    "Job failed, going on with independent jobs",
    "Cancelling snakemake on user request",
    "Failed to set marker file",
)
LINE = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d+ (INFO|WARNING|ERROR) (.*)")
LAST = 12  # lines of a log without a message of ours
TAIL = 4096  # bytes


def short(said: str) -> str:
    """Drop where in the workflow's files an exception was raised: the error is not theirs."""
    lines = [x for x in said.strip().splitlines() if not re.match(r'  File ".+", line \d+', x)]
    if lines and re.fullmatch(r"(WorkflowError|UserError|MissingRule\w+)( in .+)?:", lines[0]):
        del lines[0]
    return "\n".join(lines).strip()


def unknown(said: str, targets: Iterable[str]) -> str:
    """Report an unknown target and suggest the likely one."""
    if said.startswith("Target rules may not contain wildcards"):
        return (
            "A rule that is done many times is no target: name a file that it makes "
            "(docs/results.md lists them), or one of quick, tables and figures. See ./run help."
        )
    found = re.search(r"No rule to produce (.+?) \(if you use", said, re.DOTALL)
    if not found:
        return said
    near = get_close_matches(found[1], targets, 1)
    hint = f"Did you mean {near[0]}?" if near else "See ./run help."
    return (
        f"{found[1]} is neither a target of this workflow nor a file that it makes with this "
        f"configuration. {hint}"
    )


def last_message(log: str) -> str:
    """Return the last message of a running job, on one line."""
    try:
        with Path(log).open("rb") as file:
            file.seek(max(0, file.seek(0, 2) - TAIL))
            lines = file.read().decode("utf-8", "replace").splitlines()
    except OSError:
        return ""
    return next((x[2] for line in reversed(lines) if (x := LINE.match(line)) and x[2]), "")


def warnings(log: str) -> list[str]:
    """Return all warnings that a job wrote, each with a full stop."""
    try:
        text = Path(log).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    found = [x[2] for line in text.splitlines() if (x := LINE.match(line)) and x[1] == "WARNING"]
    return [x if x.endswith((".", "!", "?")) else f"{x}." for x in found]


def reason(log: str | None, details: str) -> str:
    """Return why a job failed: its own message, the end of its log, or how its process ended."""
    text = ""
    if log:
        try:
            text = Path(log).read_text(encoding="utf-8", errors="replace")
        except OSError:
            text = ""
    if found := re.search(r"^[\d-]+ [\d:,]+ ERROR (.+)", text, re.MULTILINE | re.DOTALL):
        if found[1].startswith("Error: "):
            return found[1].removeprefix("Error: ").strip()
        return _end(found[1])
    if killed := re.search(r"died with <Signals\.(\w+)", details):
        return f"its process was ended by {killed[1]}{MEMORY * (killed[1] == 'SIGKILL')}"
    return _end(text) or _end(short(details)) or "it left no message"


MEMORY = ", perhaps as the memory of this machine was used up (run with fewer --cores)"


def _end(text: str) -> str:
    return "\n".join(text.strip().splitlines()[-LAST:])
