"""A table: what is printed of it and its tidy data, written as CSV, Markdown and LaTeX."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from math import nan
from pathlib import Path

import pandas as pd
from markupsafe import Markup, escape
from tabulate import LATEX_ESCAPE_RULES

from cr5.report.names import Systems, similarity_name
from cr5.scores.collected import as_written, read_csv

NOTHING = "–"
MOST = 20  # rows on a terminal
DAGGER = "†"  # behind a system whose fit found nothing
# GitHub interprets HTML, math and emphasis inside cells; a bar would end the cell.
SPECIAL = re.compile(r"([\\`*_\[\]<>|~$&])")
# Around what is bold while a table is laid out, which escapes cells and pads them by their length.
BEGIN = "\ue000"
END = "\ue001"


@dataclass(frozen=True)
class Cell:
    """Text of which the beginning is bold."""

    bold: str
    plain: str = ""


Text = str | Cell


def _markdown(text: str) -> str:
    return SPECIAL.sub(r"\\\1", text)


def _latex(text: str) -> str:
    return text.translate(str.maketrans(LATEX_ESCAPE_RULES))


@dataclass(frozen=True)
class Form:
    """How tables are written: the format of tabulate, and what it leaves to us."""

    format: str
    title: str
    heading: str
    begin_bold: str
    end_bold: str
    escape: Callable[[str], str]
    escape_cell: Callable[[str], str]


MARKDOWN = Form(
    format="pipe",
    title="# {}",
    heading="## {}",
    begin_bold="**",
    end_bold="**",
    escape=_markdown,
    escape_cell=_markdown,
)
LATEX = Form(
    format="latex_longtable",
    title=r"\section*{{{}}}",
    heading=r"\paragraph{{{}}}",
    begin_bold=r"\textbf{",
    end_bold="}",
    escape=_latex,
    escape_cell=str,  # tabulate escapes cells
)


@dataclass(frozen=True)
class Table:
    """What is printed, and the same data, tidy and unrounded.

    Blocks are a heading, perhaps empty, and a frame of texts; `n_left` columns are aligned left.
    """

    blocks: Sequence[tuple[str, pd.DataFrame]]
    tidy: pd.DataFrame
    notes: Sequence[str] = ()
    n_left: int = 1

    def write(self, stem: Path, title: str, notes: Sequence[str]) -> None:
        """Write `stem`.csv, and `stem`.md and `stem`.tex with notes."""
        tidy = as_written(self.tidy)
        texts = {
            "csv": tidy.to_csv(index=False, lineterminator="\n"),
            "md": self._text(MARKDOWN, title, notes),
            "tex": self._text(LATEX, title, notes),
        }
        for ending, text in texts.items():
            Path(f"{stem}.{ending}").write_text(text, encoding="utf-8", newline="\n")

    def _text(self, form: Form, title: str, notes: Sequence[str]) -> str:
        """Return the title, the blocks and the notes in a form."""
        escaped_title = form.escape(title)
        parts = [form.title.format(escaped_title)]
        for heading, frame in self.blocks:
            if heading:
                escaped_heading = form.escape(heading)
                parts.append(form.heading.format(escaped_heading))
            texts = frame.map(_with_marks)
            texts = texts.map(form.escape_cell)
            texts = texts.rename(columns=form.escape_cell)
            laid_out = _laid_out(texts, form.format, self.n_left)
            parts.append(laid_out)
        parts += [form.escape(note) for note in notes]
        text = "\n\n".join(parts) + "\n"
        text = text.replace(BEGIN, form.begin_bold)
        return text.replace(END, form.end_bold)


def _with_marks(text: Text) -> str:
    if isinstance(text, Cell):
        return f"{BEGIN}{text.bold}{END}{text.plain}"
    return text


def _laid_out(frame: pd.DataFrame, form: str, n_left: int) -> str:
    return frame.to_markdown(
        index=False,
        tablefmt=form,
        disable_numparse=True,
        stralign="right",
        colalign=["left"] * n_left,
    )


def glance(path: str | Path, width: int, systems: Systems) -> list[str]:
    """Lay out a run's `systems.csv` for a terminal of a width: its first task and measure.

    The last metrics are left out where it is narrow.
    """
    means = read_csv(path)
    keys = means[["task", "similarity"]]
    first = keys[:1]
    shown = means.merge(first)
    best = shown["best"].astype(str)
    is_best = best == "True"
    rows = _rows_at_a_glance(shown, is_best, systems)
    lines = _fitting_lines(rows[:MOST], width)
    n_more = len(rows) - MOST
    if n_more > 0:
        lines.append(f"and {n_more} rows more")
    task, similarity = first.iloc[0]
    title = f"{task}, {similarity_name(similarity)}, means in percent"
    if is_best.any():
        title += "; *: the best, or not significantly worse"
    warnings = shown["found_nothing"].dropna()
    notes = [f"{DAGGER} {warning}" for warning in warnings.unique()]
    return [title] + lines + notes


def _rows_at_a_glance(shown: pd.DataFrame, is_best: pd.Series, systems: Systems) -> pd.DataFrame:
    """Lay out means: a row per setting and system, with stars at the best."""
    stars = is_best.map({True: "*", False: ""})
    percents = shown["value"].map(percent)
    titles = shown["system"].map(systems.title)
    has_found_nothing = shown["found_nothing"].notna()
    daggers = has_found_nothing.map({True: DAGGER, False: ""})
    cells = shown.assign(
        cell=stars + percents,
        system=titles + daggers,
    )
    return layout(cells, ["setting", "system"], "metric")


def _fitting_lines(rows: pd.DataFrame, width: int) -> list[str]:
    """Lay out as many of the columns as fit a width: setting, system and at least one metric."""
    for n_columns in range(len(rows.columns), 2, -1):
        first_columns = rows.iloc[:, :n_columns]
        text = _laid_out(first_columns, "plain", 2)
        lines = text.splitlines()
        longest = max(len(line) for line in lines)
        if longest <= width:
            break
    return lines


def html(text: Text) -> Markup:
    """Escape a text for HTML."""
    if isinstance(text, Cell):
        bold = Markup("<b>{}</b>").format(text.bold)
        return bold + escape(text.plain)
    return escape(text)


def count(number: float, digits: int = 0) -> str:
    """Print a count, rounded, with thousands separators."""
    if pd.isna(number):
        return NOTHING
    return f"{number:,.{digits}f}"


def percent(value: float) -> str:
    """Print a fraction as percent."""
    if pd.isna(value):
        return NOTHING
    return f"{100 * value:.1f}"


def figures(frame: pd.DataFrame) -> list[Text]:
    """Print the figure of each row of scores, with as much of it as there are columns."""
    return [figure(**row) for row in frame.to_dict("records")]


def figure(
    value: float,
    ci_low: float = nan,
    ci_high: float = nan,
    published: float = nan,
    best: object = None,
) -> Text:
    """Print a fraction as percent, bold if best, with its interval and the published one."""
    printed = percent(value)
    in_brackets = ""
    if not pd.isna(ci_low):
        in_brackets += f" [{percent(ci_low)}, {percent(ci_high)}]"
    if not pd.isna(published):
        in_brackets += f" ({percent(published)})"
    if not pd.isna(best) and best:
        return Cell(printed, in_brackets)
    return printed + in_brackets


def layout(
    frame: pd.DataFrame, rows: Sequence[str], column: str, counts: Sequence[str] = ()
) -> pd.DataFrame:
    """Pivot `cell`: a row per distinct `rows`, a column per value of `column`, as they appear.

    Behind these stand counts, the largest of a row.
    """
    keys = list(rows)
    wide = frame.pivot_table("cell", keys, column, aggfunc="first", sort=False)
    in_order = frame[column].unique()
    wide = wide.reindex(columns=in_order)
    wide = wide.rename(columns=str).fillna(NOTHING)
    rows_of_frame = frame.groupby(keys, sort=False)
    for name in counts:
        largest = rows_of_frame[name].max()
        wide[heading(name)] = largest.map(count)
    headings = [heading(name) for name in keys]
    wide = wide.reset_index(names=headings)
    return wide.astype(dict.fromkeys(headings, str))


def plain(frame: pd.DataFrame) -> pd.DataFrame:
    """Print a frame as it is: whole numbers with separators, a column of others with a decimal."""
    columns = as_written(frame).convert_dtypes()
    printed = columns.apply(_plain_column)
    return printed.rename(columns=heading)


def _plain_column(values: pd.Series) -> pd.Series:
    if not pd.api.types.is_numeric_dtype(values):
        return values.astype(object).fillna(NOTHING)
    is_whole = values.dropna() % 1 == 0
    digits = 0 if is_whole.all() else 1
    printed = partial(count, digits=digits)
    return values.map(printed)


def heading(name: str) -> str:
    """Name a column in words."""
    return name.removeprefix("n_").replace("_", " ").capitalize()
