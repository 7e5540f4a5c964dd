"""The stages of a run, the names of its jobs, and what their logs say."""

import json
import re
from collections.abc import Sequence
from contextlib import suppress
from logging import LogRecord
from pathlib import Path

STAGES = {
    "corpus": "source fetch pins download concepts part documents dictionaries aligned",
    "bags": "bags",
    "splits": "draw setting seen",
    "tasks": "task_data task_tables",
    "alignments": "align",
    "vectors": "vectors given_vectors",
    "fits": "fit",
    "ranks": "rank",
    "scores": "scores runs",
    "report": "report explore",
    "": "all default quick total",  # they only collect others' files
}
OF_RULE = {rule: stage for stage, rules in STAGES.items() for rule in rules.split()}
MESSAGE = re.compile(r"^\d{4}-\d\d-\d\d [\d:,]+ (INFO|WARNING|ERROR) (.+)", re.MULTILINE)
ERROR = re.compile(r"^[\d-]+ [\d:,]+ ERROR (?:Error: )?(.+)", re.DOTALL | re.MULTILINE)
KILLED = (
    "it was ended, perhaps as the memory of this machine was used up: run with fewer --cores; or "
    "as the disk is full: make room"
)


def of(rule: str) -> str:
    """Return the stage of a rule; an unknown rule is its own stage, one without work has none."""
    return OF_RULE.get(rule, rule)


def found(stage: str, jobs: Sequence[LogRecord]) -> str:
    """Return what a stage found, by its results; empty if there is nothing to tell."""
    if stage != "bags":
        return ""
    with suppress(OSError, ValueError, KeyError):
        read = [json.loads(Path(x.output[0], "summary.json").read_text()) for x in jobs]
        documents, kept, words = (
            sum(x[key] for x in read) for key in ("documents", "kept_documents", "words")
        )
        dropped = f", {documents - kept:,} dropped by bags.unique_words" * (kept < documents)
        return f"{documents:,} documents{dropped}; {words:,} words"
    return ""


def name(job: LogRecord) -> str:
    """Return a readable name of a job: the rule and its wildcards."""
    values = {key: str(x) for key, x in (job.wildcards or {}).items() if x}
    if values.get("repetition") == "1":
        del values["repetition"]
    return " ".join([job.rule_name, *values.values()])


def messages(log: Sequence[str], *levels: str) -> list[str]:
    """Return what a job wrote at some levels, each on one line."""
    return [said for level, said in MESSAGE.findall(_text(log)) if level in levels]


def reason(log: Sequence[str]) -> str:
    """Return why a job failed: its own message, or the end of its log."""
    text = _text(log)
    if error := ERROR.search(text):
        text = error[1]
    elif MESSAGE.search(text) or not text:
        text = KILLED
    return "\n".join(text.strip().splitlines()[-12:])


def _text(log: Sequence[str]) -> str:
    with suppress(IndexError, OSError):
        return Path(log[0]).read_text(encoding="utf-8", errors="replace")
    return ""
