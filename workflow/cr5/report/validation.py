"""All validation results as one table, from the reports of fits."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from cr5.models import store

KEYS = ["setting", "series", "kind", "system", "repetition"]
CHOSEN = [*KEYS, "dimension"]
COLUMNS = [*KEYS, "fit", "option", "value", "criterion", "query", "target", "score", "chosen"]


def grids(folders: Sequence[str | Path], keys: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """Gather the grids of all fits.

    Args:
        folders: of models.
        keys: `KEYS` of each.

    Returns:
        `COLUMNS`: a row per fit of a grid (numbered from 1 in the order tried), option and
        directed pair, and one without a pair for the mean over pairs, which decides the choice.
        Systems and settings that chose nothing have no row.
    """
    rows = [
        {**{name: key[name] for name in KEYS}, **row}
        for folder, key in zip(folders, keys, strict=True)
        for row in _rows(store.about(folder).get("fit", {}))
    ]
    frame = pd.DataFrame(rows, columns=COLUMNS, dtype=object)  # keeps integers
    return frame.astype({"score": float})


def dimensions(folders: Sequence[str | Path], keys: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """Gather the number of dimensions of all fits, chosen or given; Cr5's is its rank.

    Args:
        folders: of models.
        keys: `KEYS` of each.

    Returns:
        `CHOSEN`; a fit that reports no dimension has no row.
    """
    reports = [store.about(folder).get("fit", {}) for folder in folders]
    rows = [
        {**{name: key[name] for name in KEYS}, "dimension": number}
        for report, key in zip(reports, keys, strict=True)
        if (number := report.get("dimension", report.get("rank"))) is not None
    ]
    return pd.DataFrame(rows, columns=CHOSEN, dtype=object)


def _rows(report: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    criterion = report.get("criterion", "")
    pairs = [
        (query, target, scores)
        for query, of_query in report.get("validation_pairs", {}).items()
        for target, scores in of_query.items()
    ]
    for number, entry in enumerate(report.get("validation", [])):
        scores = [("", "", entry[criterion]), *((q, t, each[number]) for q, t, each in pairs)]
        for option in (name for name in entry if name != criterion):
            about = {"fit": number + 1, "option": option, "value": _plain(entry[option])}
            about |= {"criterion": criterion, "chosen": number == report["kept"]}
            for query, target, score in scores:
                yield {**about, "query": query, "target": target, "score": score}


def _plain(value: Any) -> int | float | str:
    """Return numbers and text unchanged, all else as JSON."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return value if is_number or isinstance(value, str) else json.dumps(value)
