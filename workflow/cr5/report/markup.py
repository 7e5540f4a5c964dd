"""Text and numbers to table cells in Markdown, LaTeX and HTML, whatever the script."""

import re
from html import escape

import pandas as pd

MISSING = "–"


class Bold(str):
    """A cell's text that is printed in bold."""


# GitHub reads HTML, mathematics and emphasis inside cells; a bar would end the cell.
_MARKDOWN_SPECIAL = re.compile(r"([\\`*_\[\]<>|~$&])")

_LATEX_SPECIAL = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "{": r"\{",
        "}": r"\}",
        "$": r"\$",
        "&": r"\&",
        "#": r"\#",
        "_": r"\_",
        "%": r"\%",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        "[": "{[}",  # after a line break, a bare bracket would be its optional argument
        "]": "{]}",
        "→": r"$\rightarrow$",
        "–": "--",
    }
)


def markdown(cell: str) -> str:
    """Escape a cell for GitHub's Markdown tables."""
    text = _MARKDOWN_SPECIAL.sub(r"\\\1", one_line(cell))
    return f"**{text}**" if isinstance(cell, Bold) else text


def latex(cell: str) -> str:
    """Escape a cell for LaTeX; letters of any script stay as they are (UTF-8)."""
    text = one_line(cell).translate(_LATEX_SPECIAL)
    return rf"\textbf{{{text}}}" if isinstance(cell, Bold) else text


def html(cell: str) -> str:
    """Escape a cell for HTML."""
    text = escape(one_line(cell))
    return f"<b>{text}</b>" if isinstance(cell, Bold) else text


def count_cell(count: float) -> str:
    """Print a count, rounded, with thousands separated."""
    return MISSING if pd.isna(count) else f"{count:,.0f}"


def score_cell(value: float, published: float) -> str:
    """Print a fraction as percent, with the published one in parentheses if there is any."""
    shown = MISSING if pd.isna(value) else f"{100 * value:.1f}"
    return shown if pd.isna(published) else f"{shown} ({100 * published:.1f})"


def one_line(text: str) -> str:
    """Put single spaces for white space of any kind and drop other control characters."""
    return " ".join("".join(c for c in text if c.isprintable() or c.isspace()).split())
