"""Means over directions of all systems, and the tests between them, in one table each."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from cr5.base import csv_files, origin
from cr5.base.errors import UserError
from cr5.base.files import atomic_file
from cr5.base.origin import Origin
from cr5.report.frames import labelled
from cr5.scores import ranks
from cr5.scores.comparisons import (
    COMPARED,
    DIRECTION,
    by_first_measure,
    by_query,
    compare,
    means,
)

PLACE = ["system", "task", *DIRECTION]
NAMES = ["setting", "series", "kind", "task"]
SIGNIFICANCE = ["setting", "series", "task", *COMPARED[:-3]]
SIGNIFICANCE += ["p", "p_holm", "p_unpaired", "n"]


@dataclass(frozen=True)
class Compared:
    """What systems differ by.

    Attributes:
        means: see `comparisons.means`, with `NAMES`.
        significance: see `comparisons.compare`, with `SIGNIFICANCE`.

    Settings of one series count as one, unless they share a direction; `setting` is then what they
    are called in tables (see `frames.labelled`): where directions are pooled, and in all means.
    """

    means: pd.DataFrame
    significance: pd.DataFrame
    origin: Origin


def gather(
    folders: Sequence[str | Path], metrics: Mapping[str, Sequence[str]], seed: int
) -> Compared:
    """Compare the systems of each setting and task.

    Args:
        folders: of ranks; what was left out counts for nothing.
        metrics: per task.
        seed: of the tests.

    Returns:
        `Compared`.

    Raises:
        UserError: everything was left out, or results of different runs would be mixed.
    """
    source = origin.of_all(folders, [dict(metrics), seed])
    values = [_values(folder, metrics) for folder in folders if not ranks.left_out(folder)]
    if not values:
        raise UserError("there is nothing to compare, for all was left out: see left_out.csv")
    found = [_compared(*each, seed) for each in _tables(values, metrics)]
    return Compared(
        pd.concat([each for each, _ in found], ignore_index=True),
        pd.concat([each for _, each in found], ignore_index=True),
        source,
    )


def write(compared: Compared, folder: str | Path) -> None:
    """Write means.csv, significance.csv, and beside each as JSON where it comes from."""
    for name in ("means", "significance"):
        with atomic_file(Path(folder) / f"{name}.csv") as temporary:
            frame = getattr(compared, name)
            frame.to_csv(temporary, index=False, float_format="%.6g", lineterminator="\n")
        csv_files.describe(Path(folder) / f"{name}.csv", compared.origin)


def _values(folder: str | Path, metrics: Mapping[str, Sequence[str]]) -> pd.DataFrame:
    found = ranks.read(folder)
    return by_query(found, metrics[found.keys["task"]])


def _tables(values: Sequence[pd.DataFrame], metrics: Mapping) -> Iterable[tuple]:
    """What is reported as one: its label, values and metrics."""
    keys = ["setting", "series", *PLACE]
    held = pd.concat([each[keys].drop_duplicates() for each in values]).drop_duplicates()
    labels = labelled(held, PLACE, [], "ranks").set_index("setting")["label"].to_dict()
    groups: dict[tuple[str, str], list[pd.DataFrame]] = {}
    for each in values:
        setting, task = each.iloc[0][["setting", "task"]]
        groups.setdefault((labels[setting], task), []).append(each)
    for (label, task), found in groups.items():
        yield label, pd.concat(found, ignore_index=True), list(metrics[task])


def _compared(
    label: str, values: pd.DataFrame, metrics: list[str], seed: int
) -> tuple[pd.DataFrame, pd.DataFrame]:
    about = values.iloc[0][["series", "kind", "task"]].to_dict()
    mean = means(values, metrics).assign(setting=label, **about)
    tests = compare(values, metrics, seed)
    if len(by_first := by_first_measure(values)):
        more = compare(by_first, metrics, seed)
        tests = pd.concat([tests, more], ignore_index=True) if len(tests) else more
    of = values.drop_duplicates(DIRECTION).set_index(DIRECTION)["setting"].to_dict()
    settings = [of.get(place, label) for place in zip(tests["query"], tests["target"], strict=True)]
    tests = tests.assign(setting=settings, series=about["series"], task=about["task"])
    return mean[[*NAMES, *mean.columns[: -len(NAMES)]]], tests[SIGNIFICANCE]
