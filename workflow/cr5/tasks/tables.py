"""Tables that a task makes of files of its own that belong to pairs of languages, and kept."""

from collections.abc import Mapping
from pathlib import Path

import pandas as pd

from cr5.base.files import atomic_folder
from cr5.base.tables import read_parquet


def save(folder: str | Path, tables: Mapping[str, pd.DataFrame]) -> None:
    """Write {name}.parquet for each table; the folder appears whole."""
    with atomic_folder(folder) as temporary:
        for name, table in tables.items():
            table.to_parquet(temporary / f"{name}.parquet", index=False)


def load(folder: str | Path) -> dict[str, pd.DataFrame]:
    """Read what `save` wrote.

    Raises:
        UserError: a file is damaged.
    """
    return {path.stem: read_parquet(path) for path in sorted(Path(folder).glob("*.parquet"))}
