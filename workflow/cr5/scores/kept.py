"""The artefact scores/{setting}/{system}/{task}: tables of figures, and what was left out."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from cr5.base import artefacts, origin
from cr5.base.labels import SCORES
from cr5.base.origin import Origin
from cr5.base.tables import read_parquet


def save(
    folder: str | Path,
    tables: Mapping[str, pd.DataFrame],
    left_out: Sequence[Mapping[str, Any]],
    source: Origin,
    subject: Mapping[str, str] | None = None,
) -> None:
    """Write {name}.parquet for each table, and about.json; the folder appears whole.

    Args:
        folder: of the scores.
        tables: by name, see `scores.summary`.
        left_out: repetitions for which there are none, see `ranks.left_out`.
        source: where they come from.
        subject: setting, system and task.
    """
    with artefacts.written(SCORES, folder, subject or {}) as temporary:
        for name, table in tables.items():
            table.to_parquet(temporary / f"{name}.parquet", index=False)
        origin.write(temporary, source, left_out=list(left_out))


def load(folder: str | Path, name: str) -> pd.DataFrame:
    """Read one table.

    Raises:
        UserError: it is missing or damaged.
    """
    return read_parquet(artefacts.opened(SCORES, folder).file(f"{name}.parquet"))


def about(folder: str | Path) -> tuple[Origin, list[dict[str, Any]]]:
    """Read where scores come from, and what was left out.

    Raises:
        UserError: the folder is damaged.
    """
    source, more = origin.read(artefacts.opened(SCORES, folder).file(origin.ABOUT))
    return source, more["left_out"]
