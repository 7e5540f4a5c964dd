"""Keys that site generators have above the text of a page: of these the title is text.

---          YAML, to a line --- or ...
+++          TOML, to a line +++
{            an object of JSON, to the end of its last line
"""

import json
import re
import tomllib
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any

from cr5.base.errors import UserError

DELIMITED = re.compile(r"\A(---|\+\+\+)[ \t]*\n(.*?)^(?:\1|\.\.\.)[ \t]*$\n?", re.S | re.M)
TOML = "+++"
KEY = re.compile(r"""^["']?[\w-]+["']?\s*[:=]""", re.M)  # else a rule is meant, not front matter
OBJECT = re.compile(r'\{\s*"[^"\n]*"\s*:')
REST_OF_LINE = re.compile(r"[ \t]*(?:\n|\Z)")
# of YAML
TITLE = re.compile(r"""(["']?)title\1\s*:\s*(.*)""")
BLOCK = re.compile(r"[|>][-+\d]*\s*(?:#.*)?")  # the text follows on lines that are indented
IN_DOUBLE_QUOTES = re.compile(r'("(?:[^"\\]|\\.)*")(?:\s+#.*)?')
IN_SINGLE_QUOTES = re.compile(r"'((?:[^']|'')*)'(?:\s+#.*)?")
REMARK = re.compile(r"(?:^|\s+)#.*")
NESTED = re.compile(r"""-\s|["']?[\w-]+["']?:(?:\s|$)""")  # a list or a mapping, no text
NULL = ("null", "~")


def split(content: str, where: str) -> tuple[str, str]:
    """Return the title that front matter has, empty if none, and the text below it.

    UserError: it is no TOML or JSON; YAML is not read but for its title.
    """
    if OBJECT.match(content):
        return _of_object(content, where)
    front = DELIMITED.match(content)
    if not front or not KEY.search(front[2]):
        return "", content
    text = content[front.end() :]
    if front[1] == TOML:
        return _title_of_toml(front[2], where), text
    return _title_of_yaml(front[2]), text


def _of_object(content: str, where: str) -> tuple[str, str]:
    """Return the title in an object of JSON, and the text below it."""
    try:
        keys, end = json.JSONDecoder().raw_decode(content)
    except (ValueError, RecursionError) as error:
        raise UserError(f"{where}: front matter that is not JSON ({error}); correct it") from error
    rest_of_line = REST_OF_LINE.match(content, end)
    if not rest_of_line:  # as a text may begin with an object
        return "", content
    return _as_text(keys.get("title")), content[rest_of_line.end() :]


def _title_of_toml(front: str, where: str) -> str:
    try:
        keys = tomllib.loads(front)
    except (ValueError, RecursionError) as error:
        message = f"{where}: below {TOML} front matter that is not TOML ({error}); correct it"
        raise UserError(message) from error
    return _as_text(keys.get("title"))


def _as_text(value: Any) -> str:
    """Return a value as text, which a number may be; empty if it is none."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return str(value)


def _title_of_yaml(front: str) -> str:
    lines = front.split("\n")
    for number, line in enumerate(lines, start=1):
        key = TITLE.fullmatch(line)
        if key:
            beginning = key[2].strip()
            return _scalar([beginning] + _indented(lines[number:]))
    return ""


def _indented(lines: Iterable[str]) -> list[str]:
    """Return the first lines, up to one that is not indented, without white space around them."""
    indented = []
    for line in lines:
        if line.strip() and not line[0].isspace():
            break
        indented.append(line.strip())
    return indented


def _scalar(lines: Sequence[str]) -> str:
    """Return the text that a value of YAML is, its lines joined; empty of a list or a mapping."""
    if BLOCK.fullmatch(lines[0]):
        return " ".join(lines[1:]).strip()
    value = " ".join(lines).strip()
    in_quotes = IN_DOUBLE_QUOTES.fullmatch(value)
    if in_quotes:
        with suppress(ValueError):  # YAML has some escapes that JSON has not
            return json.loads(in_quotes[1])
        return in_quotes[1].strip('"')
    in_quotes = IN_SINGLE_QUOTES.fullmatch(value)
    if in_quotes:
        return in_quotes[1].replace("''", "'")
    without_remarks = [REMARK.sub("", line) for line in lines]
    plain = " ".join(without_remarks).strip()
    is_nested = not lines[0] and NESTED.match(plain)
    if is_nested or plain in NULL:
        return ""
    return plain
