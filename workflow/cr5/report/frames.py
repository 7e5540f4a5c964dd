"""Row selection and labels for the frames behind tables and figures."""

import pandas as pd

from cr5.base.errors import UserError


def check_unique(frame: pd.DataFrame, keys: list[str], name: str) -> None:
    """Raise `UserError` if two rows have the same `keys`."""
    twice = frame[frame.duplicated(keys)]
    if len(twice):
        where = ", ".join(f"{key} {twice.iloc[0][key]}" for key in keys)
        raise UserError(f"{name}: more than one row for {where}. Keep one of them.")


def select(frame: pd.DataFrame, column: str, value: str, name: str) -> pd.DataFrame:
    """Return the rows with `value`; raise `UserError` if there are none."""
    found = frame[frame[column] == value]
    if found.empty:
        known = ", ".join(sorted(map(str, frame[column].unique())))
        raise UserError(
            f"{name}: no row with {column} {value}, only {known}. "
            f"Ask for one of these, or evaluate with {column} {value}."
        )
    return found


def labelled(frame: pd.DataFrame, place: list[str], rest: list[str], name: str) -> pd.DataFrame:
    """Add the column `label`: the name of a row's setting in tables and figures.

    It is the setting's series, as a series is shown as one curve or block. If two settings of a
    series have the same place, all settings of that series have their own names.

    Args:
        frame: with `setting`, `series`, `place` and `rest`.
        place: columns in which two settings of one curve differ, such as system and languages.
        rest: columns that distinguish the rows of a setting and place.
        name: the frame's name, for messages.

    Raises:
        UserError: two rows have the same setting, place and rest, or the same label, place and
            rest.
    """
    check_unique(frame, ["setting", *place, *rest], name)
    held = frame[["series", "setting", *place]].drop_duplicates()
    shared = held.loc[held.duplicated(["series", *place]), "series"]
    label = frame["series"].mask(frame["series"].isin(shared), frame["setting"])
    frame = frame.assign(label=label)
    check_unique(frame, ["label", *place, *rest], name)
    return frame
