"""Text of reStructuredText, as Sphinx has it."""

import re
from collections.abc import Iterator

from cr5.texts.markup import front_matter
from cr5.texts.markup.page import Page, PageRules, Segment, joined, titled

FIELDS = re.compile(r"\A(?::[\w -]+:.*\n|\s*\n)+")  # of the document, at its beginning
DIRECTIVE = re.compile(r"(\s*)\.\. (?:\|[^|]*\| )?([\w:+-]+)::(?:\s+(.*))?$")
EXPLICIT = re.compile(r"(\s*)(?:\.\.|__)(?:\s+(?!\[)|$)")  # a target or a comment
FOOTNOTE = re.compile(r"^\s*\.\. \[[^\]]*\]", re.M)
OPTION = re.compile(r"\s+:[\w-]+:")
LITERAL = {"code", "code-block", "sourcecode", "parsed-literal", "prompt", "math", "testcode"}
LITERAL |= {"doctest", "testoutput", "testsetup", "ipython", "productionlist", "highlight"}
WITHOUT_TEXT = {"toctree", "image", "include", "literalinclude", "index", "contents", "raw"}
WITHOUT_TEXT |= {"module", "currentmodule", "automodule", "autoclass", "autofunction", "meta"}
WITHOUT_ARGUMENT = {"figure", "only", "ifconfig", "container", "class", "list-table", "csv-table"}
ROLE = re.compile(r"(?::[\w+.:-]+:)?(?<!`)`([^`<]+?)\s*(?:<[^`>]*>)?`(?!`)_{0,2}")
UNDERLINED = re.compile(r"^(\S.*)\n([=\-~^\"'`#*+.:_])\2{2,}[ \t]*$", re.M)


def pages(content: str, where: str, rules: PageRules) -> list[Page]:
    """Return the page of a file of reStructuredText; UserError with the place."""
    title, content = front_matter.split(content, where)
    content = FIELDS.sub("", content, count=1)
    text = joined(_without_directives(content), rules, _prose)
    underlined = UNDERLINED.search(text)
    if underlined and not title:
        return [Page(underlined[1].strip(), text)]
    return [titled(title, text)]


def _prose(text: str) -> str:
    text = FOOTNOTE.sub("", text)
    return ROLE.sub(r"\1", text)


def _without_directives(content: str) -> Iterator[Segment]:
    """Yield the lines of reStructuredText without its directives, their code told."""
    block: int | None = None  # the indentation above that of a block without prose
    is_code = False  # whether that block is code
    has_options = False
    for line in content.expandtabs().split("\n"):
        indentation = len(line) - len(line.lstrip())
        if block is not None and (indentation > block or not line):
            has_options = has_options and OPTION.match(line) is not None
            if is_code and not has_options:
                yield True, line
            continue
        block = None
        if has_options and OPTION.match(line):
            continue
        has_options = False
        directive = DIRECTIVE.match(line)
        if directive:
            name = directive[2].rpartition(":")[2]
            has_options = True
            is_code = name in LITERAL
            if is_code or name in WITHOUT_TEXT:
                block = indentation
            elif name not in WITHOUT_ARGUMENT:
                argument = directive[3] or ""
                yield False, directive[1] + argument
        elif EXPLICIT.match(line):
            is_code = False
            block = indentation
        else:
            yield False, line
            if line.rstrip().endswith("::"):
                is_code = True
                block = indentation
