"""A table: what is printed of it and its tidy data, written as CSV, Markdown and LaTeX."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import nan
from pathlib import Path
from typing import Any

import pandas as pd
from markupsafe import Markup, escape
from tabulate import LATEX_ESCAPE_RULES

from cr5.report.names import Systems, similarity_name

NOTHING = "–"
MOST = 20  # rows on a terminal
DAGGER = "†"  # behind a system whose fit found nothing
BEGIN, END = "\ue000", "\ue001"  # private characters around what is bold
# GitHub interprets HTML, math and emphasis inside cells; a bar would end the cell.
SPECIAL = re.compile(r"([\\`*_\[\]<>|~$&])")


@dataclass(frozen=True)
class Table:
    """What is printed, and the same data, tidy and unrounded.

    Blocks are a heading, perhaps empty, and a frame of text, with `left` columns aligned so.
    """

    blocks: Sequence[tuple[str, pd.DataFrame]]
    data: pd.DataFrame
    notes: Sequence[str] = ()
    left: int = 1

    def write(self, stem: Path, title: str, notes: Sequence[str]) -> None:
        """Write `stem`.csv, and `stem`.md and `stem`.tex with notes."""
        latex = "latex_longtable", r"\section*{{{}}}", r"\paragraph{{{}}}"
        texts = {
            "csv": self.data.to_csv(index=False, lineterminator="\n"),
            "md": self._text("pipe", "# {}", "## {}", title, notes),
            "tex": self._text(*latex, title, notes),
        }
        for ending, text in texts.items():
            Path(f"{stem}.{ending}").write_text(text, encoding="utf-8", newline="\n")

    def _text(self, form: str, top: str, heading: str, title: str, notes: Sequence[str]) -> str:
        escaped = _markdown if form == "pipe" else _latex
        parts = [top.format(escaped(title))]
        for name, frame in self.blocks:
            if form == "pipe":  # of LaTeX, cells are escaped when they are drawn
                frame = frame.map(_markdown).rename(columns=_markdown)
            parts += [heading.format(escaped(name))] if name else []
            parts += [_drawn(frame, form, self.left)]
        marks = ("**", "**") if form == "pipe" else (r"\textbf{", "}")
        text = "\n\n".join([*parts, *map(escaped, notes)]) + "\n"
        return text.replace(BEGIN, marks[0]).replace(END, marks[1])


def glance(path: str | Path, width: int, systems: Systems) -> list[str]:
    """Lay out a run's `systems.csv` for a terminal of a width: its first task and measure.

    The last metrics are left out where it is narrow.
    """
    means = pd.read_csv(path, keep_default_na=False, na_values=[""])
    first = means.merge(means[["task", "similarity"]][:1])
    best = first["best"].astype(str) == "True"
    found_nothing = first["found_nothing"].notna()
    first = first.assign(
        cell=["*" * x + percent(y) for x, y in zip(best, first["value"], strict=True)],
        system=first["system"].map(systems.title) + found_nothing.map({True: DAGGER, False: ""}),
    )
    rows = layout(first, ["setting", "system"], "metric")
    for columns in range(len(rows.columns), 2, -1):
        lines = _drawn(rows.iloc[:MOST, :columns], "plain", 2).splitlines()
        if max(map(len, lines)) <= width:
            break
    more = [f"and {len(rows) - MOST} rows more"] if len(rows) > MOST else []
    marked = "; *: the best, or not significantly worse" if best.any() else ""
    task, similarity = first.iloc[0][["task", "similarity"]]
    said = f"{task}, {similarity_name(similarity)}, means in percent{marked}"
    notes = [f"{DAGGER} {x}" for x in first["found_nothing"].dropna().unique()]
    return [said, *lines, *more, *notes]


def _drawn(frame: pd.DataFrame, form: str, left: int) -> str:
    align = {"stralign": "right", "colalign": ["left"] * left}
    return frame.to_markdown(index=False, tablefmt=form, disable_numparse=True, **align)


def bold(text: Any) -> Any:
    """Mark a text, or each of a column, to be set in bold."""
    return BEGIN + text + END


def html(text: str) -> Markup:
    """Escape a text for HTML."""
    return Markup(escape(text).replace(BEGIN, Markup("<b>")).replace(END, Markup("</b>")))


def count(number: float, digits: int = 0) -> str:
    """Print a count, rounded, with thousands separators."""
    return NOTHING if pd.isna(number) else f"{number:,.{digits}f}"


def percent(
    value: float, low: float = nan, high: float = nan, published: float = nan, best: Any = None
) -> str:
    """Print a fraction as percent, bold if best, with its interval and the published one."""
    text = NOTHING if pd.isna(value) else f"{100 * value:.1f}"
    text = bold(text) if not pd.isna(best) and best else text
    text += "" if pd.isna(low) else f" [{100 * low:.1f}, {100 * high:.1f}]"
    return text + ("" if pd.isna(published) else f" ({100 * published:.1f})")


def layout(
    frame: pd.DataFrame, rows: Sequence[str], column: str, more: Sequence[str] = ()
) -> pd.DataFrame:
    """Pivot `cell`: a row per distinct `rows`, a column per value of `column`, as they appear.

    Behind these stand more counts, the largest of a row.
    """
    wide = frame.pivot_table("cell", list(rows), column, aggfunc="first", sort=False)
    wide = wide.reindex(columns=frame[column].unique()).rename(columns=str).fillna(NOTHING)
    for name in more:
        wide[heading(name)] = frame.groupby(list(rows), sort=False)[name].max().map(count)
    return wide.reset_index(names=[*map(heading, rows)]).astype(str)


def plain(frame: pd.DataFrame) -> pd.DataFrame:
    """Print a frame as it is: whole numbers with separators, a column of others with a decimal."""

    def column(values: pd.Series) -> pd.Series:
        if not pd.api.types.is_numeric_dtype(values):
            return values.astype(object).fillna(NOTHING)
        digits = 0 if (values.dropna() % 1 == 0).all() else 1
        return values.map(lambda x: count(x, digits))

    return frame.convert_dtypes().apply(column).rename(columns=heading)


def heading(name: str) -> str:
    """Name a column in words."""
    return name.removeprefix("n_").replace("_", " ").capitalize()


def _markdown(text: str) -> str:
    return SPECIAL.sub(r"\\\1", text)


def _latex(text: str) -> str:
    return text.translate(str.maketrans(LATEX_ESCAPE_RULES))
