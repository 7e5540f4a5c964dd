"""Checks of the frames that tables and figures start from."""

from collections.abc import Iterable

import pandas as pd

from cr5.base.errors import UserError


def check_columns(frame: pd.DataFrame, columns: Iterable[str], name: str) -> None:
    """Raise `UserError` unless `frame` has rows and all of `columns`."""
    missing = [column for column in columns if column not in frame.columns]
    if missing:
        raise UserError(
            f"{name}: expected the column(s) {', '.join(missing)}, found "
            f"{', '.join(map(str, frame.columns)) or 'none'}. Make the file again."
        )
    if frame.empty:
        raise UserError(f"{name}: no rows. Check that at least one language pair was evaluated.")


def check_fractions(frame: pd.DataFrame, columns: Iterable[str], name: str) -> None:
    """Raise `UserError` if a value lies outside [0, 1]; missing values may stand."""
    for column in columns:
        values = frame[column].dropna()
        wrong = values[(values < 0) | (values > 1)]
        if len(wrong):
            raise UserError(
                f"{name}, row {wrong.index[0]}, column {column}: expected a fraction from 0 to 1, "
                f"found {wrong.iloc[0]}. Give fractions, not percent."
            )


def check_unique(frame: pd.DataFrame, keys: list[str], name: str) -> None:
    """Raise `UserError` if two rows agree in all of `keys`."""
    twice = frame[frame.duplicated(keys)]
    if len(twice):
        where = ", ".join(f"{key} {twice.iloc[0][key]}" for key in keys)
        raise UserError(f"{name}: more than one row for {where}. Keep one of them.")
