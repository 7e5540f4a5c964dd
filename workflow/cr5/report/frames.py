"""Rows of the frames of a run: how they are chosen and ordered."""

import numpy as np
import pandas as pd

from cr5.scores.ranks import DIRECTION

FIT = ["setting", "task", "system"]


def rows_with(frame: pd.DataFrame, **values: object) -> pd.DataFrame:
    """Keep the rows that have these values, by column."""
    for column, value in values.items():
        has_value = frame[column] == value
        frame = frame[has_value]
    return frame


def by_first_measure(frame: pd.DataFrame) -> pd.DataFrame:
    """Keep the rows of each system by its first measure."""
    fits = frame.groupby(FIT, sort=False)
    first_measure = fits["similarity"].transform("first")
    is_first = frame["similarity"] == first_measure
    return frame[is_first]


def with_pairs(frame: pd.DataFrame) -> pd.DataFrame:
    """Add `first` and `second`: the languages of each direction in alphabetical order."""
    directions = frame[DIRECTION].to_numpy()
    pairs = np.sort(directions, axis=1)
    return frame.assign(first=pairs[:, 0], second=pairs[:, 1])


def by_direction(frame: pd.DataFrame) -> pd.DataFrame:
    """Order rows by pairs of languages, the two directions of each next to each other."""
    pairs = with_pairs(frame)
    ordered = pairs.sort_values(["first", "second", "query_language"], kind="stable")
    return ordered.drop(columns=["first", "second"])
