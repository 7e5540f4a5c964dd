"""One table, four formats: CSV for machines; Markdown, LaTeX and HTML for readers.

A JSON file of the same name has its origin.
"""

import logging
from dataclasses import dataclass, field, replace
from pathlib import Path

import pandas as pd
from tabulate import tabulate

from cr5.base import csv_files
from cr5.base.files import atomic_file
from cr5.base.origin import Origin
from cr5.report.markup import html, latex, markdown

log = logging.getLogger(__name__)

_LATEX_PREAMBLE = r"""% Needs \usepackage{array,booktabs,longtable}.
% Use LuaLaTeX or XeLaTeX and a font that has the scripts below.
"""

_HTML_HEAD = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>
body {{ font: 14px/1.45 system-ui, sans-serif; margin: 1em; }}
h1 {{ font-size: 1.4em; overflow-wrap: anywhere; }}
h2 {{ font-size: 1.1em; margin: 1.6em 0 0.4em; }}
p {{ max-width: 90ch; margin: 0.4em 0; overflow-wrap: anywhere; }}
div {{ overflow-x: auto; }}
table {{ border-collapse: collapse; font-variant-numeric: tabular-nums; }}
th, td {{ padding: 0.2em 0.6em; border-bottom: 1px solid #8885; vertical-align: top; }}
.l, .p {{ text-align: left; }}
.r {{ text-align: right; white-space: nowrap; }}
details {{ margin: 0.4em 0; }}
summary {{ cursor: pointer; }}
</style>
</head>
<body>
<h1>{title}</h1>
"""


@dataclass(frozen=True)
class Table:
    """What is written as CSV (`data`) and what is printed (the rest).

    Attributes:
        title: one line, without a full stop.
        header: names of the printed columns.
        align: one letter per column: `l` left, `r` right, `p` left with line breaks.
        blocks: pairs of a heading (may be empty) and rows of text cells.
        data: the same content, tidy and unrounded.
        notes: sentences printed with the title.
        warnings: notes that are also logged to the terminal.
        folded: how many of the last blocks are collapsed to their headings in HTML.
    """

    title: str
    header: list[str]
    align: str
    blocks: list[tuple[str, list[list[str]]]]
    data: pd.DataFrame
    notes: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    folded: int = 0


def write_table(table: Table, stem: str | Path, source: Origin) -> None:
    """Write `stem`.csv, `stem`.md, `stem`.tex and `stem`.html (UTF-8), and `stem`.json.

    The table's warnings are logged.

    Args:
        table: the table to write.
        stem: path without suffix.
        source: its origin: the last note for readers, in full in the JSON file.
    """
    for warning in table.warnings:
        log.warning("%s: %s", table.title, warning)
    table = replace(table, notes=[*table.notes, f"Made from {source}."])
    texts = {
        ".csv": table.data.to_csv(index=False, lineterminator="\n"),
        ".md": to_markdown(table),
        ".tex": to_latex(table),
        ".html": to_html(table),
    }
    for ending, text in texts.items():
        with atomic_file(f"{stem}{ending}") as path:
            path.write_text(text, encoding="utf-8", newline="\n")
    csv_files.describe(f"{stem}.csv", source)


def to_markdown(table: Table) -> str:
    """Render as GitHub's Markdown: title, notes, one table per block."""
    parts = [f"# {markdown(table.title)}", *map(markdown, table.notes)]
    for heading, rows in table.blocks:
        if heading:
            parts.append(f"## {markdown(heading)}")
        parts.append(
            tabulate(
                [[markdown(cell) for cell in row] for row in rows],
                headers=[markdown(name) for name in table.header],
                tablefmt="pipe",
                disable_numparse=True,
                colalign=["right" if a == "r" else "left" for a in table.align],
            )
        )
    return "\n\n".join(parts) + "\n"


def to_latex(table: Table) -> str:
    """Render as one `longtable` with the rules of `booktabs`."""
    header = _latex_row(table.header)
    caption = ". ".join([latex(table.title), " ".join(map(latex, table.notes))]).strip()
    lines = [
        r"\begingroup\footnotesize\setlength{\tabcolsep}{3pt}",
        rf"\begin{{longtable}}{{{_latex_columns(table.align)}}}",
        rf"\caption{{{caption}}}\\",
        *[r"\toprule", header, r"\midrule", r"\endfirsthead"],
        *[r"\toprule", header, r"\midrule", r"\endhead"],
        *[r"\bottomrule", r"\endlastfoot"],
    ]
    for number, (heading, rows) in enumerate(table.blocks):
        if number:
            lines.append(r"\midrule")
        if heading:
            # no page break between a heading and its first row
            cell = rf"{{{len(table.header)}}}{{p{{0.95\linewidth}}}}{{{latex(heading)}}}"
            lines.append(rf"\multicolumn{cell} \\*")
        lines += [_latex_row(row) for row in rows]
    return _LATEX_PREAMBLE + "\n".join([*lines, r"\end{longtable}", r"\endgroup", ""])


def to_html(table: Table) -> str:
    """Render as a page of its own: title, notes, one table per block."""
    parts = [f"<p>{html(note)}</p>" for note in table.notes]
    shown = len(table.blocks) - table.folded
    for number, (heading, rows) in enumerate(table.blocks):
        block = _html_block(table, rows)
        if number >= shown:
            block = ["<details>", f"<summary>{html(heading)}</summary>", *block, "</details>"]
        elif heading:
            block = [f"<h2>{html(heading)}</h2>", *block]
        parts += block
    head = _HTML_HEAD.format(title=html(table.title))
    return head + "\n".join([*parts, "</body>", "</html>", ""])


def _html_block(table: Table, rows: list[list[str]]) -> list[str]:
    head = _html_row("th", table.header, table.align)
    return [
        "<div><table>",
        head,
        *(_html_row("td", x, table.align) for x in rows),
        "</table></div>",
    ]


def _html_row(tag: str, cells: list[str], align: str) -> str:
    pairs = zip(cells, align, strict=True)
    row = "".join(f'<{tag} class="{letter}">{html(cell)}</{tag}>' for cell, letter in pairs)
    return f"<tr>{row}</tr>"


def _latex_row(cells: list[str]) -> str:
    return " & ".join(map(latex, cells)) + r" \\"


def _latex_columns(align: str) -> str:
    # paragraph columns share the width left by one or two narrow columns
    width = round(0.8 / max(1, align.count("p")), 3)
    paragraph = rf">{{\raggedright\arraybackslash}}p{{{width}\linewidth}}"
    return "".join(paragraph if letter == "p" else letter for letter in align)
