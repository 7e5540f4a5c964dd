"""Scores of all systems, tests between them, and what was left out and why."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from cr5.base.artefacts import NO_JOB, Artefact, Job
from cr5.base.errors import UserError
from cr5.scores import ranks, summary
from cr5.scores.comparisons import compare
from cr5.scores.ranks import DIRECTION

KIND = "scores"
LEFT_OUT = ["setting", "series", "kind", "system", "task", "repetition", "reason"]
WRITTEN = {"query_language": "query", "target_language": "target"}  # in files of tables

Fit = tuple[str, str, str]  # setting, system, task


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
    """Score ranks, by the folders of each fit's repetitions, with one fit in memory at a time.

    By name: scores and curves up to some k, see `summary.SCORES`; significance, see
    `comparisons.compare`; left_out, a row per repetition without figures because of the data; told,
    what is to be said of the files of each task.
    """
    values = []
    reasons = []
    told: dict[tuple[str, str], None] = {}  # each sentence of a task once
    for (setting, system, task), repetitions in folders.items():
        frames = []
        for folder in repetitions:
            subject = {"setting": setting, "system": system, "task": task}
            reason = ranks.left_out(folder, **subject)
            if reason:
                reasons.append(reason)
                continue
            keys, searches = ranks.read(folder, **subject)
            frames.append(summary.by_query(keys, searches, metrics[task]))
            told |= dict.fromkeys((task, sentence) for sentence in ranks.told(folder))
        if frames:
            values.append(pd.concat(frames, ignore_index=True))
    left_out = pd.DataFrame(reasons, columns=LEFT_OUT)
    if not values:
        because = "\n  - ".join(left_out["reason"].unique())
        raise UserError(f"nothing to report: everything was left out:\n  - {because}")
    return {
        **_tables(_groups(values), metrics, curve, seed),
        "left_out": left_out,
        "told": pd.DataFrame(list(told), columns=["task", "said"]),
    }


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
        for _, of_system in group.rows.groupby("system", sort=False):
            curves.append(summary.curves(of_system, curve, group.label))
        significance.append(compare(group.rows, names, seed, group.label))
    tables = {"scores": scores, "curves": curves, "significance": significance}
    # of a system alone there are no tests, and a frame without rows has no types
    return {
        name: pd.concat(frames, ignore_index=True).infer_objects()
        for name, frames in tables.items()
    }


def _groups(values: Sequence[pd.DataFrame]) -> list[Group]:
    """Join the values of fits that are reported as one.

    A series is shown as one curve or block, unless two of its settings have the same system, task
    and direction: then all of them have their own names.
    """
    place = ["series", "system", "task", *DIRECTION]
    places = pd.concat([frame[["setting", *place]].drop_duplicates() for frame in values])
    apart = set(places.loc[places.duplicated(place), "series"])
    groups: dict[tuple[str, str], list[pd.DataFrame]] = {}
    for frame in values:
        setting, series, task = frame.iloc[0][["setting", "series", "task"]]
        label = setting if series in apart else series
        groups.setdefault((label, task), []).append(frame)
    return [
        Group(label, task, pd.concat(frames, ignore_index=True))
        for (label, task), frames in groups.items()
    ]


def as_written(frame: pd.DataFrame) -> pd.DataFrame:
    """Name columns as files of tables do: the two languages are `query` and `target` there."""
    return frame.rename(columns=WRITTEN)


def as_named(frame: pd.DataFrame) -> pd.DataFrame:
    """Name columns as the code does, of a frame that was written."""
    return frame.rename(columns={written: column for column, written in WRITTEN.items()})


def write(frames: Mapping[str, pd.DataFrame], folder: str | Path, job: Job = NO_JOB) -> None:
    """Write each frame as CSV."""
    with job.making(folder, KIND) as part:
        for name, frame in frames.items():
            path = part / f"{name}.csv"
            table = as_written(frame)
            table.to_csv(path, index=False, float_format="%.6g", lineterminator="\n")


def read(folder: str | Path, name: str) -> pd.DataFrame:
    """Read a frame; only empty cells are missing values: `nan` is the language code of Min Nan."""
    path = Artefact(folder, KIND).file(f"{name}.csv")
    return as_named(pd.read_csv(path, keep_default_na=False, na_values=[""]))
