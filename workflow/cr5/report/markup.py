"""Text and numbers to table cells in Markdown, LaTeX and HTML, whatever the script."""

import re
from collections.abc import Callable
from html import escape

import pandas as pd

MISSING = "–"


class Bold(str):
    """A cell's text in bold, and what follows it in plain type."""

    rest: str

    def __new__(cls, text: str, rest: str = "") -> "Bold":
        """Create it from both plain texts."""
        cell = super().__new__(cls, text)
        cell.rest = rest
        return cell


# GitHub interprets HTML, math and emphasis inside cells; a bar would end the cell.
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
        "[": "{[}",  # after a line break, a bare bracket would start its optional argument
        "]": "{]}",
        "→": r"$\rightarrow$",
        "–": "--",
    }
)


def markdown(cell: str) -> str:
    """Escape a cell for GitHub's Markdown tables."""
    text = _MARKDOWN_SPECIAL.sub(r"\\\1", one_line(cell))
    return _bold(cell, f"**{text}**", markdown) if isinstance(cell, Bold) else text


def latex(cell: str) -> str:
    """Escape a cell for LaTeX; letters of any script are kept (UTF-8)."""
    text = one_line(cell).translate(_LATEX_SPECIAL)
    return _bold(cell, rf"\textbf{{{text}}}", latex) if isinstance(cell, Bold) else text


def html(cell: str) -> str:
    """Escape a cell for HTML."""
    text = escape(one_line(cell))
    return _bold(cell, f"<b>{text}</b>", html) if isinstance(cell, Bold) else text


def _bold(cell: Bold, text: str, escaped: Callable[[str], str]) -> str:
    return f"{text} {escaped(cell.rest)}" if cell.rest else text


def count_cell(count: float) -> str:
    """Print a count, rounded, with thousands separators."""
    return MISSING if pd.isna(count) else f"{count:,.0f}"


def score_cell(value: float, published: float, best: bool | None = None) -> str:
    """Print a fraction as percent, with the published one in parentheses if there is any.

    Args:
        value: nan if there is none.
        published: nan if there is none.
        best: whether to print ours in bold; missing counts as no.
    """
    shown = MISSING if pd.isna(value) else f"{100 * value:.1f}"
    rest = "" if pd.isna(published) else f"({100 * published:.1f})"
    return with_rest(shown, rest, best)


def interval_cell(value: float, low: float, high: float, best: bool | None = None) -> str:
    """Print a fraction as percent with its interval in brackets; `best` as in `score_cell`."""
    rest = "" if pd.isna(low) else f"[{100 * low:.1f}, {100 * high:.1f}]"
    return with_rest(MISSING if pd.isna(value) else f"{100 * value:.1f}", rest, best)


def with_rest(text: str, rest: str, best: bool | None) -> str:
    """Join both, the first in bold if it is the best."""
    if not pd.isna(best) and best:
        return Bold(text, rest)
    return f"{text} {rest}".rstrip()


def one_line(text: str) -> str:
    """Replace any whitespace by single spaces and drop other control characters."""
    return " ".join("".join(c for c in text if c.isprintable() or c.isspace()).split())
