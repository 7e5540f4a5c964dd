"""Scores of all systems, tests between them, and what was left out and why."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd

from cr5.base.artefacts import NO_JOB, Artefact, Job
from cr5.base.errors import UserError
from cr5.scores import ranks, summary
from cr5.scores.comparisons import compare
from cr5.scores.summary import DIRECTION

Fit = tuple[str, str, str]  # setting, system, task
KIND = "scores"
LEFT_OUT = ["setting", "series", "kind", "system", "task", "repetition", "reason"]


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
    values, reasons = [], []
    told: dict[tuple[str, str], None] = {}
    for fit, of_fit in folders.items():
        of, frames = dict(zip(("setting", "system", "task"), fit, strict=True)), []
        for folder in of_fit:
            if reason := ranks.left_out(folder, **of):
                reasons.append(reason)
            else:
                frames.append(summary.by_query(*ranks.read(folder, **of), metrics[of["task"]]))
                told |= {(of["task"], said): None for said in ranks.told(folder)}
        values += [pd.concat(frames, ignore_index=True)] if frames else []
    left_out = pd.DataFrame(reasons, columns=LEFT_OUT)
    if not values:
        because = "\n  - ".join(left_out["reason"].unique())
        raise UserError(f"nothing to report: everything was left out:\n  - {because}")
    found: dict[str, list[pd.DataFrame]] = {"scores": [], "curves": [], "significance": []}
    for label, task, of in _together(values):
        found["scores"].append(summary.scores(of, metrics[task], label))
        systems = of.groupby("system", sort=False)
        found["curves"] += [summary.curves(one, curve, label) for _, one in systems]
        found["significance"].append(compare(of, metrics[task], seed, label))
    # of a system alone there are no tests, and a frame without rows has no types
    tables = {x: pd.concat(y, ignore_index=True).infer_objects() for x, y in found.items()}
    return {**tables, "left_out": left_out, "told": pd.DataFrame([*told], columns=["task", "said"])}


def _together(values: Sequence[pd.DataFrame]) -> list[tuple[str, str, pd.DataFrame]]:
    """Join what is reported as one: a label, a task and the values of all its systems.

    A series is shown as one curve or block, unless two of its settings have the same system, task
    and direction: then all of them have their own names.
    """
    place = ["series", "system", "task", *DIRECTION]
    held = pd.concat([each[["setting", *place]].drop_duplicates() for each in values])
    shared = set(held.loc[held.duplicated(place), "series"])
    groups: dict[tuple[str, str], list[pd.DataFrame]] = {}
    for each in values:
        setting, series, task = each.iloc[0][["setting", "series", "task"]]
        groups.setdefault((setting if series in shared else series, task), []).append(each)
    return [(*key, pd.concat(frames, ignore_index=True)) for key, frames in groups.items()]


def write(frames: Mapping[str, pd.DataFrame], folder: str | Path, job: Job = NO_JOB) -> None:
    """Write each frame as CSV."""
    with job.making(folder, KIND) as part:
        for name, frame in frames.items():
            path = part / f"{name}.csv"
            frame.to_csv(path, index=False, float_format="%.6g", lineterminator="\n")


def read(folder: str | Path, name: str) -> pd.DataFrame:
    """Read a frame; only empty cells are missing values: `nan` is the language code of Min Nan."""
    path = Artefact(folder, KIND).file(f"{name}.csv")
    return pd.read_csv(path, keep_default_na=False, na_values=[""])
