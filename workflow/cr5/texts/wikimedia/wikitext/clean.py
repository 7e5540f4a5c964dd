"""From wikitext to plain text, in time linear in its length for any input.

The text goes through a fixed chain of passes. Each is one sweep: a split, a search for fixed
strings, or a regular expression whose quantifiers are possessive or end at the next character of
markup. Nothing is recursive. Malformed markup is kept as text, without its brackets.

A word is kept if a reader of the article sees it in the text: link labels, image captions, list
items, table cells, the inline templates of `templates`. Other templates, references,
formulas, code, categories and addresses are dropped.
"""

import html
import re
from html.entities import html5

from cr5.texts.wikimedia.wikitext import links, tags, templates
from cr5.texts.wikimedia.wikitext.switches import without_switches
from cr5.texts.wikimedia.wikitext.tags import resolve

ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
BEGINNINGS = frozenset("=*#:;-")  # of lines: headings, list items, rules
ENTITIES = html5 | {"nbsp;": " "}
VARIANTS = re.compile(r"-\{([^{}]*+)\}-")
BLANK_LINES = re.compile(r"\n(?:[^\S\n]*+\n)++")

EDGE = re.compile(r"\n[^\S\n]*+:*+[^\S\n]*+\{\|[^\n]*+|\n[^\S\n]*+\|[-}][^\n]*+")
ROW = re.compile(r"\n[^\S\n]*+([|!])\+?([^\n]*+)")
HEADERS = re.compile(r"!!|\|\|")
RUN = re.compile(r"(''++)")
LETTER = re.compile(r"(?:\A| )\S\Z")


def clean(text: str, namespaces: links.Namespaces) -> str:
    """Turn the wikitext of a page into plain text, paragraphs separated by an empty line."""
    text = tags.without_opaque("\n" + text)
    text = resolve(text, "{{", "}}", templates.render)
    text = links.resolved(text, namespaces)
    text = links.captions(text)
    text = cells(text)
    text = links.without_urls(text)
    text = tags.without_html(text)
    text = lines(text)
    text = without_switches(text)
    text = VARIANTS.sub(_variant, text)
    text = ENTITY.sub(_entity, text)
    text = tags.restore(text)
    text = text.replace(tags.BREAK, "\n")
    text = BLANK_LINES.sub("\n\n", text)
    return text.strip()


def cells(text: str) -> str:
    """Put every cell on its own line; drop the attributes of tables, rows and cells.

    Links and templates must already be rendered, as their bars would look like those of cells.
    """
    if "{" not in text or "{|" not in text:
        return text
    rows = EDGE.sub("\n", text)
    return ROW.sub(_cells, rows)


def _cells(match: re.Match) -> str:
    mark, content = match.groups()
    if "|" not in content and "!!" not in content:
        return "\n" + content
    cells_of_line = content.split("||") if mark == "|" else HEADERS.split(content)
    behind_attributes = [cell.split("|", 1)[-1] for cell in cells_of_line]
    return "\n" + "\n".join(behind_attributes)


def lines(text: str) -> str:
    """Drop from lines what makes them headings, list items or rules, italic or bold."""
    done = []
    for line in text.split("\n"):
        if "''" in line:
            line = _without_quotes(line)
        if line[:1] in BEGINNINGS:
            line = _without_beginning(line)
        done.append(line)
    return "\n".join(done)


def _without_beginning(line: str) -> str:
    if line[0] == "=":
        line = line.lstrip("=").rstrip(" \t=").lstrip()
    if line.startswith("----"):
        return line.lstrip("-").lstrip()
    without_marks = line.lstrip("*#:;")
    if without_marks == line:
        return line
    return without_marks.lstrip()


def _without_quotes(line: str) -> str:
    """Drop runs of apostrophes that mean italics or bold; keep real apostrophes.

    As in MediaWiki (`Parser::doQuotes`): four, or more than five, include one; in a line with an
    odd number of both bold and italics, one of the bold ones does. French and Italian need this:
    l'''homme'' is l'homme.
    """
    if "'''" not in line:
        return line.replace("''", "")
    parts = RUN.split(line)
    bold: list[int] = []  # the numbers of parts
    n_italic = 0
    n_both = 0
    for place in range(1, len(parts), 2):
        length = len(parts[place])
        has_apostrophe = length == 4 or length > 5
        parts[place] = "'" if has_apostrophe else ""
        if length in (3, 4):
            bold.append(place)
        elif length == 2:
            n_italic += 1
        else:
            n_both += 1
    is_bold_open = (len(bold) + n_both) % 2 == 1
    is_italic_open = (n_italic + n_both) % 2 == 1
    if bold and is_bold_open and is_italic_open:
        parts[_half_apostrophe(parts, bold)] = "'"
    return "".join(parts)


def _half_apostrophe(parts: list[str], bold: list[int]) -> int:
    """Return the bold run to read as apostrophe and italics: after a letter, else after a word."""
    for place in bold:
        text_before = parts[place - 1]
        if LETTER.search(text_before):
            return place
    for place in bold:
        text_before = parts[place - 1]
        if text_before[-1:].strip():
            return place
    return bold[0]


def _variant(match: re.Match) -> str:
    """Show one of the two in -{zh-hans:A; zh-hant:B}-, nothing for -{H|...}- and -{T|...}-."""
    flags, _, content = match[1].rpartition("|")
    if "H" in flags or "T" in flags:
        return ""
    first = content.partition(";")[0]
    return first.rpartition(":")[2]


def _entity(match: re.Match) -> str:
    """Convert to a character; `html.unescape` alone would read &notit; as &not."""
    entity = match[0]
    if entity[1] == "#":
        return html.unescape(entity)
    return ENTITIES.get(entity[1:], entity)
