"""The main table on a terminal: a run's systems, for its first task and measure."""

import csv
from pathlib import Path

from cr5.report.names import UNDECLARED, Systems, similarity_name

COLUMN = 8  # least width of a figure
MOST = 20  # rows
CUT = "..."


def glance(path: str | Path, width: int = 80, systems: Systems = UNDECLARED) -> list[str]:
    """Lay out means in percent, a row per setting and system, with a star for the best.

    Args:
        path: a run's `systems.csv`.
        width: width of the terminal, in columns.
        systems: how they are named.

    Returns:
        Lines; none if the table is empty.
    """
    with Path(path).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    if not rows:
        return []
    task, similarity = rows[0]["task"], rows[0]["similarity"]
    rows = [x for x in rows if (x["task"], x["similarity"]) == (task, similarity)]
    metrics = [*dict.fromkeys(x["metric"] for x in rows)]
    cells = {(x["setting"], x["system"], x["metric"]): _cell(x) for x in rows}
    named = [*dict.fromkeys((x["setting"], x["system"]) for x in rows)]
    settings = 2 + max(len(x) for x in ("setting", *(x for x, _ in named)))
    titles = 1 + max(len(systems.title(x)) for _, x in named)
    metrics = _fitting(metrics, width - 1 - settings - titles)
    room = width - 1 - sum(map(_width, metrics))
    settings = min(settings, max(room // 2, room - titles))
    heads = {metric: metric for metric in metrics}
    lines = [_line("setting", "system", heads, settings, room)]
    for setting, system in named[:MOST]:
        figures = {x: cells.get((setting, system, x), "") for x in metrics}
        lines.append(_line(setting, systems.title(system), figures, settings, room))
    if len(named) > MOST:
        lines.append(f"and {len(named) - MOST} rows more")
    marked = "; *: the best, or not significantly worse" if "*" in "".join(lines) else ""
    return [f"{task}, {similarity_name(similarity)}, means in percent{marked}", *lines]


def _width(metric: str) -> int:
    return max(COLUMN, 1 + len(metric))


def _fitting(metrics: list[str], room: int) -> list[str]:
    """Drop the second and the last metric in turn, until the first and a middle one are left."""
    while len(metrics) > 2 and sum(map(_width, metrics)) > room:
        metrics = [metrics[0], *metrics[2:]] if len(metrics) % 2 == 0 else metrics[:-1]
    return metrics


def _cell(row: dict[str, str]) -> str:
    if not row["value"]:
        return ""
    return f"{100 * float(row['value']):.1f}{'*' if row.get('best') == 'True' else ' '}"


def _line(setting: str, system: str, figures: dict[str, str], settings: int, room: int) -> str:
    names = f"{_cut(setting, settings - 2):<{settings}}{_cut(system, room - settings - 1)}"
    return (
        names.ljust(room) + "".join(x.rjust(_width(metric)) for metric, x in figures.items())
    ).rstrip()


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - len(CUT)] + CUT
