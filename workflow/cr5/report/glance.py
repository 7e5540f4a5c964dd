"""The main table on a terminal: a run's systems, for its first task and measure."""

import csv
from pathlib import Path

from tabulate import tabulate

from cr5.report.names import Systems, similarity_name

MOST = 20  # rows


def glance(path: str | Path, width: int, systems: Systems) -> list[str]:
    """Lay out means in percent, a row per setting and system, with a star for the best.

    Args:
        path: a run's `systems.csv`.
        width: of the terminal, in columns; some metrics are left out where it is narrow.
        systems: how they are named.

    Returns:
        Lines; none if the table is empty.
    """
    with Path(path).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    if not rows:
        return []
    task, similarity = rows[0]["task"], rows[0]["similarity"]
    found: dict[tuple[str, str], dict[str, str]] = {}
    for row in rows:
        if (row["task"], row["similarity"]) == (task, similarity):
            star = "*" if row["best"] == "True" else ""
            cell = f"{star}{100 * float(row['value']):.1f}" if row["value"] else ""
            found.setdefault((row["setting"], row["system"]), {})[row["metric"]] = cell
    metrics = list(dict.fromkeys(x for cells in found.values() for x in cells))
    lines = _lines(found, metrics, systems)
    while max(map(len, lines)) > width and len(metrics) > 2:  # the first and a middle one stay
        metrics = [metrics[0], *metrics[2:]] if len(metrics) % 2 == 0 else metrics[:-1]
        lines = _lines(found, metrics, systems)
    more = [f"and {len(found) - MOST} rows more"] if len(found) > MOST else []
    marked = "; *: the best, or not significantly worse" if "*" in "".join(lines) else ""
    said = f"{task}, {similarity_name(similarity)}, means in percent{marked}"
    return [said, *lines, *more]


def _lines(found: dict, metrics: list[str], systems: Systems) -> list[str]:
    rows = [
        [setting, systems.title(system), *(cells.get(x, "") for x in metrics)]
        for (setting, system), cells in list(found.items())[:MOST]
    ]
    align = ["left", "left", *["right"] * len(metrics)]
    heads = ["setting", "system", *metrics]
    return tabulate(rows, heads, "plain", disable_numparse=True, colalign=align).splitlines()
