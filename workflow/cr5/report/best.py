"""Which systems are the best of their column, set in bold in tables of scores."""

from collections.abc import Sequence

import pandas as pd

from cr5.scores.significance import ALPHA

COLUMN = ["setting", "task", "query", "target", "similarity", "metric"]


def mark(
    scores: pd.DataFrame, significance: pd.DataFrame | None, column: Sequence[str] = COLUMN
) -> pd.DataFrame:
    """Add the column `best`: true, false, or missing if a system was compared with no other.

    The best are the system with the highest value of a column and those that do not differ
    significantly from it.

    Args:
        scores: with `column`, system and value; a row per system and column.
        significance: with `column`, system, other and p_holm; None if nothing was tested.
        column: the keys that identify one column.
    """
    nothing = scores.assign(best=pd.array([pd.NA] * len(scores), "boolean"))
    if significance is None or significance.empty:
        return nothing
    turned = significance.rename(columns={"system": "other", "other": "system"})
    tests = pd.concat([significance, turned])
    highest = scores.groupby(list(column))["value"].transform("max")
    first = scores.loc[scores["value"] == highest, [*column, "system"]]
    level = tests[tests["p_holm"] >= ALPHA].merge(
        first.rename(columns={"system": "other"}), on=[*column, "other"]
    )
    keys = [*column, "system"]
    compared = _among(scores, tests, keys)
    best = _among(scores, pd.concat([first, level]), keys)
    return nothing.assign(best=best.astype("boolean").where(compared))


def _among(rows: pd.DataFrame, some: pd.DataFrame, keys: list[str]) -> pd.Series:
    found = pd.MultiIndex.from_frame(rows[keys]).isin(pd.MultiIndex.from_frame(some[keys]))
    return pd.Series(found, rows.index)


def note(marked: pd.DataFrame, column: str, family: str) -> list[str]:
    """Say what bold means, if there is any.

    Args:
        marked: the output of `mark`.
        column: in words, what the best systems are the best of.
        family: in words, the comparisons that the correction covers.
    """
    if marked["best"].isna().all():
        return []
    return [
        f"Bold: of the systems of a setting, the best in {column}, and those that do not differ "
        "from it significantly (randomisation test over queries, level .05, Holm's correction over "
        f"{family}); all tests are in the results, in significance.csv."
    ]
