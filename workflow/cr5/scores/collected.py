"""Scores of all systems, tests between them, and what was left out and why."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from cr5.base.artefacts import NO_JOB, Artefact, Job
from cr5.base.errors import UserError
from cr5.scores import ranks, summary
from cr5.scores.comparisons import compare
from cr5.scores.ranks import DIRECTION, KEYS

KIND = "scores"
LEFT_OUT = ["setting", "series", "kind", "system", "task", "repetition", "reason"]
TOLD = ["task", "said"]
SERIES_KEYS = ["series", "system", "task"] + DIRECTION
WRITTEN = {"query_language": "query", "target_language": "target"}  # in files of tables
NAMED = {"query": "query_language", "target": "target_language"}  # in the code
NAMES = KEYS + ["label", "other"]  # that users choose

Fit = tuple[str, str, str]  # setting, system, task


@dataclass(frozen=True)
class FitValues:
    """What the repetitions of a fit found, in a task."""

    by_query: list[pd.DataFrame]  # of `summary.by_query`, a frame per repetition that has ranks
    left_out: list[dict[str, Any]]  # a row of `LEFT_OUT` per repetition that has none
    told: list[str]  # what is to be said of the task's files


@dataclass(frozen=True)
class Group:
    """What is reported as one, by a label: the values of all systems in a task."""

    label: str
    task: str
    rows: pd.DataFrame  # of `summary.by_query`


def collect(
    folders: Mapping[Fit, Sequence[str | Path]],
    metrics: Mapping[str, Sequence[str]],
    curve: int,
    seed: int,
) -> dict[str, pd.DataFrame]:
    """Score ranks, by the folders of each fit's repetitions, one at a time in memory.

    By name: scores and curves up to some k, see `summary.SCORES`; significance, see
    `comparisons.compare`; left_out, a row per repetition without figures because of the data; told,
    what is to be said of the files of each task.
    """
    values = []
    reasons = []
    sentences = []
    for fit, repetitions in folders.items():
        _, _, task = fit
        fit_values = _read_fit(fit, repetitions, metrics[task])
        reasons += fit_values.left_out
        sentences += [(task, sentence) for sentence in fit_values.told]
        if fit_values.by_query:
            values.append(pd.concat(fit_values.by_query, ignore_index=True))
    left_out = pd.DataFrame(reasons, columns=LEFT_OUT)
    if not values:
        because = "\n  - ".join(left_out["reason"].unique())
        raise UserError(f"nothing to report: everything was left out:\n  - {because}")
    tables = _tables(_groups(values), metrics, curve, seed)
    tables["left_out"] = left_out
    told = pd.DataFrame(sentences, columns=TOLD)
    tables["told"] = told.drop_duplicates(ignore_index=True)
    return tables


def _read_fit(fit: Fit, folders: Sequence[str | Path], metrics: Sequence[str]) -> FitValues:
    """Read the ranks of each repetition, and score their queries by metrics."""
    setting, system, task = fit
    subject = {"setting": setting, "system": system, "task": task}
    frames = []
    reasons = []
    sentences = []
    for folder in folders:
        reason = ranks.left_out(folder, **subject)
        if reason:
            reasons.append(reason)
            continue
        keys, searches = ranks.read(folder, **subject)
        frames.append(summary.by_query(keys, searches, metrics))
        sentences += ranks.read_told(folder)
    return FitValues(frames, reasons, sentences)


def _tables(
    groups: Iterable[Group], metrics: Mapping[str, Sequence[str]], curve: int, seed: int
) -> dict[str, pd.DataFrame]:
    """Return scores, curves and significance of all groups."""
    scores = []
    curves = []
    significance = []
    for group in groups:
        names = metrics[group.task]
        scores.append(summary.scores(group.rows, names, group.label))
        for _, system_rows in group.rows.groupby("system", sort=False):
            curves.append(summary.curves(system_rows, curve, group.label))
        significance.append(compare(group.rows, names, seed, group.label))
    return {
        "scores": _joined(scores),
        "curves": _joined(curves),
        "significance": _joined(significance),
    }


def _joined(frames: Sequence[pd.DataFrame]) -> pd.DataFrame:
    joined = pd.concat(frames, ignore_index=True)
    # of a system alone there are no tests, and a frame without rows has no types
    return joined.infer_objects()


def _groups(values: Sequence[pd.DataFrame]) -> list[Group]:
    """Join the values of fits that are reported as one.

    A series is shown as one curve or block, unless two of its settings have the same system, task
    and direction: then all of them have their own names.
    """
    series_apart = _series_apart(values)
    frames_of: dict[tuple[str, str], list[pd.DataFrame]] = {}  # by label and task
    for frame in values:
        first = frame.iloc[0]
        label = first["series"]
        if label in series_apart:
            label = first["setting"]
        frames_of.setdefault((label, first["task"]), []).append(frame)
    groups = []
    for (label, task), frames in frames_of.items():
        rows = pd.concat(frames, ignore_index=True)
        groups.append(Group(label, task, rows))
    return groups


def _series_apart(values: Sequence[pd.DataFrame]) -> set[str]:
    """Return the series of which two settings have the same system, task and direction."""
    frames = []
    for frame in values:
        keys = frame[["setting"] + SERIES_KEYS]
        frames.append(keys.drop_duplicates())
    settings = pd.concat(frames)
    is_repeated = settings.duplicated(SERIES_KEYS)
    return set(settings.loc[is_repeated, "series"])


def as_written(frame: pd.DataFrame) -> pd.DataFrame:
    """Name columns as files of tables do: the two languages are `query` and `target` there."""
    return frame.rename(columns=WRITTEN)


def as_named(frame: pd.DataFrame) -> pd.DataFrame:
    """Name columns as the code does, of a frame that was written."""
    return frame.rename(columns=NAMED)


def write(frames: Mapping[str, pd.DataFrame], folder: str | Path, job: Job = NO_JOB) -> None:
    """Write each frame as CSV."""
    with job.making(folder, KIND) as temporary:
        for name, frame in frames.items():
            path = temporary / f"{name}.csv"
            table = as_written(frame)
            table.to_csv(path, index=False, float_format="%.6g", lineterminator="\n")


def read(folder: str | Path, name: str) -> pd.DataFrame:
    """Read a frame that `write` has written."""
    artefact = Artefact(folder, KIND)
    path = artefact.file(f"{name}.csv")
    table = read_csv(path)
    return as_named(table)


def read_csv(path: str | Path) -> pd.DataFrame:
    """Read a table of names and figures; only empty cells are missing values.

    `nan` is the language code of Min Nan. Names stay texts: one setting may be called 007, and
    another one 7.
    """
    types = dict.fromkeys(NAMES, str)
    missing = [""]
    table = pd.read_csv(path, dtype=types, keep_default_na=False, na_values=missing)
    return table
