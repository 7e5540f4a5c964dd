"""The stages of a run: the rules of each, and what is told of them."""

import csv
import json
import time
from collections.abc import Iterator, Mapping, Sequence
from logging import LogRecord
from pathlib import Path

STAGES = {
    "corpus": "source fetch pins download concepts part documents notes dictionaries aligned "
    "channel",
    "bags": "bags",
    "splits": "draw setting seen",
    "tasks": "task_data task_tables",
    "alignments": "align",
    "vectors": "vectors given_vectors",
    "fits": "fit",
    "ranks": "rank",
    "scores": "scores runs",
    "report": "report quick explore",
}
NO_WORK = ("all", "default", "total")  # only collect others' files


def of(rule: str) -> str:
    """Return the stage of a rule; an unknown rule is its own stage, one without work has none."""
    own = "" if rule in NO_WORK else rule
    return next((stage for stage, rules in STAGES.items() if rule in rules.split()), own)


def by_stage(rules: Mapping[str, int]) -> dict[str, int]:
    """Return the numbers of jobs by stage, in order."""
    found = dict.fromkeys([*STAGES, *map(of, rules)], 0)
    for rule, number in rules.items():
        found[of(rule)] += number
    return {stage: number for stage, number in found.items() if stage and number}


def table(planned: Mapping[str, int], every: Mapping[str, int]) -> Iterator[str]:
    """Yield the lines of a plan: of each stage, the jobs to run and those that are done."""
    yield f"{'stage':<12}{'to run':>8}{'there':>8}"
    rows = {x: (planned.get(x, 0), every.get(x, 0)) for x in {**every, **planned}}
    rows["all"] = tuple(map(sum, zip(*rows.values(), strict=True)))
    for stage, (number, there) in rows.items():
        yield f"{stage:<12}{number:>8}{max(0, there - number):>8}"


def line(stage: str, jobs: Sequence[LogRecord]) -> str:
    """Return the line of a finished stage: its jobs, how long they took, what they found."""
    took = duration(time.time() - min(job.created for job in jobs))
    try:
        found = _found(stage, [Path(path) for job in jobs for path in job.output])
    except (OSError, ValueError, KeyError, TypeError, StopIteration):  # unreadable files
        found = ""
    return f"{stage:<11}{count(len(jobs), 'job'):>9}{took:>15}   {found}".rstrip()


def _found(stage: str, outputs: Sequence[Path]) -> str:
    if stage == "corpus":
        return ", ".join(sorted({x.stem for x in outputs if x.parent.name == "documents"}))
    if stage == "bags":
        read = [json.loads((x / "summary.json").read_text()) for x in outputs]
        documents, kept, words = (
            sum(x[key] for x in read) for key in ("documents", "kept_documents", "words")
        )
        if documents == kept:
            return f"{documents:,} documents; {words:,} words"
        lost = {x["language"]: 1 - x["kept_documents"] / max(1, x["documents"]) for x in read}
        worst = max(lost, key=lost.get)
        dropped = f"{documents - kept:,} of {documents:,} documents dropped by bags.unique_words"
        return f"{dropped} ({worst}: {lost[worst]:.0%}); {words:,} words"
    if stage == "scores":
        means = next(x for x in outputs if x.name == "means.csv")
        rows = [x for x in csv.DictReader(means.read_text().splitlines()) if x["value"]]
        keys = ("setting", "task", "similarity", "metric")
        same = [x for x in rows if all(x[key] == rows[0][key] for key in keys)]
        best = max(same, key=lambda x: float(x["value"]))
        figure = f"{best['metric']} {100 * float(best['value']):.1f}"
        return "best of {setting}, {task}, {similarity}: {system}, ".format(**best) + figure
    return ""


def count(number: int, what: str) -> str:
    """Return a number of things."""
    return f"{number} {what}{'s' * (number != 1)}"


def duration(seconds: float) -> str:
    """Return seconds in words."""
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {seconds} s" if minutes else f"{seconds} s"
