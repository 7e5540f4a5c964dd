"""Text of Markdown, and of what is written in it: MDX, Quarto, R Markdown."""

import re
from collections.abc import Iterator

from cr5.texts.markup import front_matter
from cr5.texts.markup.page import COMMENT, Page, PageRules, Segment, joined, titled, unescaped

FENCE = re.compile(r"[\s>]*(?:(?:[-*+]|\d+[.)])\s+)?(`{3,}|~{3,})")
PROGRAM = re.compile(r"^ {0,3}<(script|style)\b[^<>]*>.*?</\1\s*>", re.S | re.M | re.I)
IMPORT = re.compile(
    r"""^import\s+(?:[\w*{][^'"]*?\sfrom\s+)?['"][^'"\n]+['"];?[ \t]*$""", re.M
)  # of a component, as MDX has them
# shortcodes and templates of site generators, comments of MDX; ids and classes behind headings
SHORTCODE = re.compile(
    r"\{\{.*?\}\}|\{/\*.*?\*/\}|\{[%*].*?[%*]\}|\{[:#][^{}\n]*\}|\{ ?[#.][^{}\n]*\}", re.S
)
LINK = re.compile(
    r"!?\[((?:[^\[\]]|\[[^\[\]]*\])*)\](?:\([^()]*(?:\([^()]*\)[^()]*)*\)|\[[^\]]*\])"
)
DEFINITION = re.compile(r"^ {0,3}\[(?!\^)[^\]\n]+\]:.*$", re.M)  # of a link's address
CODE_OR_TAG = re.compile(r"(`+)(?P<code>[^`]+?)\1(?!`)|<(?:https?:|mailto:|/?[a-zA-Z])[^<>]*>")
HEADING = re.compile(r"^#\s+(.+?)[\s#]*$|^(\S.*)\n=+[ \t]*$", re.M)


def pages(content: str, where: str, rules: PageRules) -> list[Page]:
    """Return the page of a file of Markdown; UserError with the place."""
    title, content = front_matter.split(content, where)
    text = joined(_fenced(content), rules, _prose)
    heading = HEADING.search(text)
    if heading and not title:
        return [Page(heading[1] or heading[2], text)]
    return [titled(title, text)]


def _fenced(content: str) -> Iterator[Segment]:
    """Yield the lines of Markdown, those of fenced code told, without the fences."""
    fence = ""
    for line in content.split("\n"):
        beginning = FENCE.match(line)
        marks = beginning[1] if beginning else ""
        stands_alone = line.strip(" \t>") == marks
        if marks and not fence:
            fence = marks
        elif marks and stands_alone and marks.startswith(fence):
            fence = ""
        else:
            yield fence != "", line


def _prose(text: str) -> str:
    for pattern in (COMMENT, PROGRAM, IMPORT, SHORTCODE):
        text = pattern.sub(" ", text)
    text = DEFINITION.sub("", text)
    text = LINK.sub(r"\1", text)
    text = LINK.sub(r"\1", text)  # again: an image may be a link
    text = CODE_OR_TAG.sub(_code, text)
    return unescaped(text)


def _code(match: re.Match[str]) -> str:
    """Return the code that a match has, a blank for a tag."""
    return match["code"] or " "
