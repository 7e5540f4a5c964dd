"""What a file has to say, and what the readers of all formats share."""

import html
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Literal

ENTITY = re.compile(r"&(?:#\d+|#[xX][\da-fA-F]+|\w+);")
COMMENT = re.compile(r"<!--.*?-->", re.S)

Segment = tuple[bool, str]
"""Whether a line is code, and the line."""


@dataclass(frozen=True)
class Page:
    """What a file, or a message of a catalogue, has to say."""

    title: str  # empty if it has none
    text: str
    part: str = ""  # names the message in its file


@dataclass(frozen=True)
class PageRules:
    """How pages are read.

    Attributes:
        language: of the text.
        code: whether blocks of code are part of the text.
        source_language: of `msgid` in catalogues.
        messages: whether those of a catalogue are one text, or each is one.
    """

    language: str
    code: Literal["keep", "drop"] = "keep"
    source_language: str = "en"
    messages: Literal["together", "apart"] = "together"


def titled(title: str, text: str) -> Page:
    """Return a page whose title, if its front matter has one, is shown as a heading."""
    if title:
        text = f"{title}\n\n{text}"
    return Page(title, text)


def joined(segments: Iterator[Segment], rules: PageRules, prose: Callable[[str], str]) -> str:
    """Return text of lines, its prose without markup, its code as it is, or left out."""
    parts = []
    for is_code, group in groupby(segments, itemgetter(0)):
        text = "\n".join(line for _, line in group)
        if not is_code:
            parts.append(prose(text))
        elif rules.code == "keep":
            parts.append(text)
    return "\n".join(parts).strip()


def unescaped(text: str) -> str:
    """Write entities as characters; what has no semicolon is none, as in `?a=1&copy=2`."""
    return ENTITY.sub(lambda match: html.unescape(match[0]), text)
