"""Tables that a task makes from its own files for language pairs: saved and loaded."""

from collections.abc import Mapping
from pathlib import Path

import pandas as pd

from cr5.base.artefacts import Artefact, making

KIND = "tables of a task"
TABLE = ".parquet"


def save(
    folder: str | Path,
    tables: Mapping[str, pd.DataFrame],
    **subject: str,
) -> None:
    """Write {name}.parquet for each table; the folder appears whole.

    Args:
        folder: of the tables.
        tables: by name.
        subject: their task.
    """
    with making(folder, KIND, **subject) as temporary:
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
    found = Artefact(folder, KIND, **subject)
    names = sorted(name.removesuffix(TABLE) for name in found.files if name.endswith(TABLE))
    return {name: pd.read_parquet(found.file(name + TABLE)) for name in names}
