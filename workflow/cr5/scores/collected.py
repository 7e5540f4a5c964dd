"""Scores of all systems, one table per kind, and what was left out and why."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from cr5.base import csv_files
from cr5.base.artefacts import check_consistent
from cr5.base.errors import UserError
from cr5.base.files import atomic_file
from cr5.base.origin import Origin
from cr5.scores import ranks, summary
from cr5.scores.comparisons import by_query

Fit = tuple[str, str, str]  # setting, system, task
TABLES = ("scores", "repetitions", "curves", "mean_curves")
LEFT_OUT = ["setting", "series", "kind", "system", "task", "repetition", "reason"]


@dataclass(frozen=True)
class Collected:
    """What was scored.

    Attributes:
        tables: scores, repetitions and both kinds of curves of all fits, see `scores.summary`.
        left_out: `LEFT_OUT`, a row per repetition without figures because of the data.
        values: values of each query, see `scores.comparisons.by_query`; a frame per repetition.
    """

    tables: Mapping[str, pd.DataFrame]
    left_out: pd.DataFrame
    values: Sequence[pd.DataFrame]

    @property
    def frames(self) -> dict[str, pd.DataFrame]:
        """Return all frames to write, by name."""
        return {**self.tables, "left_out": self.left_out}


def collect(
    folders: Mapping[Fit, Sequence[str | Path]],
    metrics: Mapping[str, Sequence[str]],
    curve: int,
) -> Collected:
    """Score ranks, with those of one fit in memory at a time.

    Args:
        folders: folders of ranks, one per repetition of a fit.
        metrics: names by task.
        curve: the largest k of a curve of Success@k.

    Raises:
        UserError: everything was left out, or repetitions do not belong together.
    """
    parts: dict[str, list[pd.DataFrame]] = {name: [] for name in TABLES}
    reasons, every = [], []
    for fit, of_fit in folders.items():
        found, why = _read(fit, of_fit)
        reasons += why
        of_task = metrics[fit[2]]
        values = [by_query(each, of_task) for each in found]
        parts["scores"].append(summary.scores(values, of_task))
        parts["repetitions"].append(summary.by_repetition(values, of_task))
        parts["curves"].append(summary.curves(found, curve))
        parts["mean_curves"].append(summary.mean_curves(found, curve))
        every += values
    left_out = pd.DataFrame(reasons, columns=LEFT_OUT)
    if not every:
        because = "\n  - ".join(left_out["reason"].unique())
        raise UserError(f"nothing to report: everything was left out:\n  - {because}")
    return Collected({name: _joined(frames) for name, frames in parts.items()}, left_out, every)


def _read(fit: Fit, folders: Sequence[str | Path]) -> tuple[list[ranks.Ranks], list[dict]]:
    """Return the ranks of the repetitions that have any, and why the others have none."""
    of = dict(zip(("setting", "system", "task"), fit, strict=True))
    check_consistent(folders, but=["draw"])
    found, reasons = [], []
    for folder in folders:
        if reason := ranks.left_out(folder, **of):
            reasons.append(reason)
        else:
            found.append(ranks.read(folder, **of))
    return found, reasons


def _joined(frames: Sequence[pd.DataFrame]) -> pd.DataFrame:
    return pd.concat([each for each in frames if not each.empty], ignore_index=True)


def write(frames: Mapping[str, pd.DataFrame], folder: str | Path, source: Origin) -> None:
    """Write each frame as CSV, with its origin in a JSON file beside it."""
    for name, frame in frames.items():
        path = Path(folder) / f"{name}.csv"
        with atomic_file(path) as temporary:
            frame.to_csv(temporary, index=False, float_format="%.6g", lineterminator="\n")
        csv_files.describe(path, source)
