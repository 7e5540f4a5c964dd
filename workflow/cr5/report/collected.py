"""Scores of all systems in one table each, and what was left out, with its reason."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from cr5.base import csv_files, origin
from cr5.base.errors import UserError
from cr5.base.files import atomic_file
from cr5.base.origin import Origin
from cr5.report.published import add_published
from cr5.scores import kept

TABLES = ("scores", "repetitions", "curves", "mean_curves")
LEFT_OUT = ["setting", "series", "kind", "system", "task", "repetition", "reason"]


@dataclass(frozen=True)
class Collected:
    """What was scored.

    Attributes:
        tables: scores, repetitions and both kinds of curves of all fits, see `scores.summary`; with
            `published_row`, and scores with `published`.
        left_out: `LEFT_OUT`, a row per repetition for which the data allowed no figures.
        origin: of all of it.
    """

    tables: Mapping[str, pd.DataFrame]
    left_out: pd.DataFrame
    origin: Origin


def collect(folders: Sequence[str | Path], rows: Mapping[tuple[str, str, str], str]) -> Collected:
    """Gather scores.

    Args:
        folders: of scores, each of one setting, system and task.
        rows: by setting, system and task the row of the paper's table that compares.

    Raises:
        UserError: everything was left out, or results of different runs would be mixed.
    """
    about = [kept.about(folder) for folder in folders]
    left_out = pd.DataFrame([x for _, reasons in about for x in reasons], columns=LEFT_OUT)
    tables = {name: _table(folders, name) for name in TABLES}
    if tables["scores"].empty:
        reasons = "\n  - ".join(left_out["reason"].unique())
        raise UserError(f"there is nothing to report, for all was left out:\n  - {reasons}")
    for frame in tables.values():
        fits = zip(frame["setting"], frame["system"], frame["task"], strict=True)
        frame["published_row"] = [rows.get(fit, "") for fit in fits]
    tables["scores"] = add_published(tables["scores"])
    return Collected(tables, left_out, origin.of_all(folders))


def _table(folders: Sequence[str | Path], name: str) -> pd.DataFrame:
    frames = [kept.load(folder, name) for folder in folders]
    frames = [frame for frame in frames if not frame.empty]
    return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame()


def write(collected: Collected, folder: str | Path) -> None:
    """Write each table as CSV, left_out.csv, and beside each as JSON where it comes from."""
    frames = {**collected.tables, "left_out": collected.left_out}
    for name, frame in frames.items():
        with atomic_file(Path(folder) / f"{name}.csv") as temporary:
            frame.to_csv(temporary, index=False, float_format="%.6g", lineterminator="\n")
        csv_files.describe(Path(folder) / f"{name}.csv", collected.origin)
