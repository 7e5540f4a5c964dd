"""Tables: the text of captions, headers and cells, without attributes."""

import re

EDGE = re.compile(r"\n[^\S\n]*+:*+[^\S\n]*+\{\|[^\n]*+|\n[^\S\n]*+\|[-}][^\n]*+")
ROW = re.compile(r"\n[^\S\n]*+([|!])\+?([^\n]*+)")
HEADERS = re.compile(r"!!|\|\|")


def cells(text: str) -> str:
    """Put every cell on its own line; drop the attributes of tables, rows and cells.

    Links and templates must already be rendered, as their bars would look like those of cells.

    Args:
        text: begins with a line break.
    """
    if "{|" not in text:
        return text
    return ROW.sub(_row, EDGE.sub("\n", text))


def _row(match: re.Match) -> str:
    mark, content = match.groups()
    if "|" not in content and "!!" not in content:
        return "\n" + content
    parts = content.split("||") if mark == "|" else HEADERS.split(content)
    return "\n" + "\n".join(map(_content, parts))


def _content(cell: str) -> str:
    attributes, bar, content = cell.partition("|")
    return content if bar else attributes
