"""Means over directions of all systems, and tests between them, in one table each."""

from collections.abc import Iterable, Mapping, Sequence

import pandas as pd

from cr5.base.errors import UserError
from cr5.scores.comparisons import COMPARED, DIRECTION, by_first_measure, compare, means

PLACE = ["system", "task", *DIRECTION]
NAMES = ["setting", "series", "kind", "task"]
SIGNIFICANCE = ["setting", "series", "task", *COMPARED[:-4]]
SIGNIFICANCE += ["p", "p_holm", "p_paired", "p_unpaired", "n"]


def labelled(frame: pd.DataFrame, place: list[str], rest: list[str]) -> pd.DataFrame:
    """Add the column `label`: the name of a row's setting in tables and figures.

    It is the setting's series, as a series is shown as one curve or block. If two settings of a
    series have the same place, all settings of that series have their own names.

    Args:
        frame: with `setting`, `series`, `place` and `rest`.
        place: columns in which two settings of one curve differ, such as system and languages.
        rest: columns that distinguish the rows of a setting and place.

    Raises:
        UserError: two rows have the same setting, place and rest.
    """
    keys = ["setting", *place, *rest]
    twice = frame[frame.duplicated(keys)]
    if len(twice):
        where = ", ".join(f"{key} {twice.iloc[0][key]}" for key in keys)
        raise UserError(f"more than one row of scores for {where}; keep one of them")
    held = frame[["series", "setting", *place]].drop_duplicates()
    shared = held.loc[held.duplicated(["series", *place]), "series"]
    return frame.assign(label=frame["series"].mask(frame["series"].isin(shared), frame["setting"]))


def compare_all(
    values: Sequence[pd.DataFrame], metrics: Mapping[str, Sequence[str]], seed: int
) -> dict[str, pd.DataFrame]:
    """Compare the systems of each setting and task.

    Settings of one series count as one, unless they share a direction; `setting` is then their
    label in tables (see `labelled`): where directions are pooled, and in all means.

    Args:
        values: see `collected.Collected`.
        metrics: metrics by task.
        seed: seed of the tests.

    Returns:
        means: see `comparisons.means`, with `NAMES`.
        significance: see `comparisons.compare`, with `SIGNIFICANCE`.
    """
    found = [_compared(*each, seed) for each in _tables(values, metrics)]
    return {
        "means": pd.concat([each for each, _ in found], ignore_index=True),
        "significance": pd.concat([each for _, each in found], ignore_index=True),
    }


def _tables(values: Sequence[pd.DataFrame], metrics: Mapping) -> Iterable[tuple]:
    """Yield each unit of reporting: its label, values and metrics."""
    keys = ["setting", "series", *PLACE]
    held = pd.concat([each[keys].drop_duplicates() for each in values]).drop_duplicates()
    labels = labelled(held, PLACE, []).set_index("setting")["label"].to_dict()
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
