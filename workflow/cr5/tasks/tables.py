"""Tables that a task makes from its own files for language pairs: saved and loaded."""

from collections.abc import Mapping
from pathlib import Path

import pandas as pd

from cr5.base import artefacts
from cr5.base.labels import TABLES
from cr5.base.tables import read_parquet

TABLE = ".parquet"


def save(
    folder: str | Path,
    tables: Mapping[str, pd.DataFrame],
    subject: Mapping[str, str] | None = None,
    depends_on: Mapping[str, str] | None = None,
) -> None:
    """Write {name}.parquet for each table; the folder appears whole.

    Args:
        folder: of the tables.
        tables: by name.
        subject: their task.
        depends_on: what they depend on, see `base/labels.py`.
    """
    with artefacts.written(TABLES, folder, subject or {}, depends_on or {}) as temporary:
        for name, table in tables.items():
            table.to_parquet(temporary / f"{name}.parquet", index=False)


def load(folder: str | Path, **subject: str) -> dict[str, pd.DataFrame]:
    """Read what `save` wrote.

    Args:
        folder: of the tables.
        subject: what they must be of, such as `task="words"`.

    Raises:
        UserError: they are of something else, or a file is missing or damaged.
    """
    found = artefacts.opened(TABLES, folder, **subject)
    names = sorted(name.removesuffix(TABLE) for name in found.files if name.endswith(TABLE))
    return {name: read_parquet(found.file(name + TABLE)) for name in names}
