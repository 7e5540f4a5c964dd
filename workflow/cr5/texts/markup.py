"""Text of pages without their markup: Markdown, reStructuredText, HTML, plain text, PO catalogues.

What is no text goes: front matter, comments, addresses of links, tags, scripts, styles, navigation,
shortcodes of site generators; blocks of code go or stay.
"""

import ast
import hashlib
import html
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Literal

from cr5.base.errors import UserError
from cr5.base.languages import base_language, folded_code
from cr5.base.not_text import refusing_markup
from cr5.texts import front_matter

if TYPE_CHECKING:
    import lxml.html

ENTITY = re.compile(r"&(?:#\d+|#[xX][\da-fA-F]+|\w+);")
# of Markdown
FENCE = re.compile(r"[\s>]*(?:(?:[-*+]|\d+[.)])\s+)?(`{3,}|~{3,})")
COMMENT = re.compile(r"<!--.*?-->", re.S)
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
# of reStructuredText
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
# of HTML
SILENT = "//script|//style|//noscript|//template|//head|//nav|//svg|//*[@role='navigation']"
SILENT += "|//comment()|//processing-instruction()|//rt|//rp"  # the last two: how to read a word
MAIN = "//main|//*[@role='main']"
WITHIN_MAIN = "ancestor::main|ancestor::*[@role='main']"
WITHIN_LINES = "a abbr b bdi bdo cite code del dfn em font i ins kbd mark q rb ruby s samp small"
WITHIN_LINES += " span strong sub sup tt u var wbr"
INLINE = frozenset(WITHIN_LINES.split())
# of catalogues
ENTRY = re.compile(r'(msgctxt|msgid|msgid_plural|msgstr)(?:\[\d+\])?\s+(".*")\s*')
END_OF_ELEMENT = re.compile(r"</([a-zA-Z][\w:.-]*)\s*>")
TAG = re.compile(r"</?([a-zA-Z][\w:.-]*)(?:\s[^<>]*?)?(/?)>")
BYTES = re.compile(r"\\\\|((?:\\[0-7]{3})+)")  # as `msgcat --escape` writes what is not ASCII
MARKER = re.compile(
    r"^X-Accelerator-Marker:\s*(\S)", re.M
)  # stands before the letter of a shortcut
STATED_LANGUAGE = re.compile(r"^Language:\s*([\w-]+)", re.M)
DIGITS = 12  # of a message's hash
PLAIN_TEXT = (".txt", ".text")

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


def pages(ending: str, content: str, where: str, rules: PageRules) -> list[Page]:
    """Return the page of a file, by the ending of its name; of a catalogue perhaps several."""
    return READERS[ending](content, where, rules)


def _markdown(content: str, where: str, rules: PageRules) -> list[Page]:
    title, content = front_matter.split(content, where)
    text = _joined(_fenced(content), rules, _markdown_prose)
    heading = HEADING.search(text)
    if heading and not title:
        return [Page(heading[1] or heading[2], text)]
    return [_titled(title, text)]


def _titled(title: str, text: str) -> Page:
    """Return a page whose title, if its front matter has one, is shown as a heading."""
    if title:
        text = f"{title}\n\n{text}"
    return Page(title, text)


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


def _joined(segments: Iterator[Segment], rules: PageRules, prose: Callable[[str], str]) -> str:
    """Return text of lines, its prose without markup, its code as it is, or left out."""
    parts = []
    for is_code, group in groupby(segments, itemgetter(0)):
        text = "\n".join(line for _, line in group)
        if not is_code:
            parts.append(prose(text))
        elif rules.code == "keep":
            parts.append(text)
    return "\n".join(parts).strip()


def _markdown_prose(text: str) -> str:
    for pattern in (COMMENT, PROGRAM, IMPORT, SHORTCODE):
        text = pattern.sub(" ", text)
    text = DEFINITION.sub("", text)
    text = LINK.sub(r"\1", text)
    text = LINK.sub(r"\1", text)  # again: an image may be a link
    text = CODE_OR_TAG.sub(_code, text)
    return _unescaped(text)


def _unescaped(text: str) -> str:
    """Write entities as characters; what has no semicolon is none, as in `?a=1&copy=2`."""
    return ENTITY.sub(lambda match: html.unescape(match[0]), text)


def _code(match: re.Match[str]) -> str:
    """Return the code that a match has, a blank for a tag."""
    return match["code"] or " "


def _restructured(content: str, where: str, rules: PageRules) -> list[Page]:
    title, content = front_matter.split(content, where)
    content = FIELDS.sub("", content, count=1)
    text = _joined(_without_directives(content), rules, _restructured_prose)
    underlined = UNDERLINED.search(text)
    if underlined and not title:
        return [Page(underlined[1].strip(), text)]
    return [_titled(title, text)]


def _restructured_prose(text: str) -> str:
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


def _html(content: str, where: str, rules: PageRules) -> list[Page]:
    title, content = front_matter.split(content, where)
    if not COMMENT.sub("", content).strip():  # which lxml refuses
        return [_titled(title, "")]
    root = _html_root(content, where)
    if title:
        return [_titled(title, _text_of_html(root, rules))]
    title = root.findtext(".//title") or root.findtext(".//h1") or ""
    return [Page(" ".join(title.split()), _text_of_html(root, rules))]


def _text_of_html(root: "lxml.html.HtmlElement", rules: PageRules) -> str:
    silent = SILENT
    if rules.code == "drop":
        silent += "|//pre"
    for element in root.xpath(silent):
        if element.getparent() is not None:
            element.drop_tree()
    _break_lines(root)
    main_elements = [element for element in root.xpath(MAIN) if not element.xpath(WITHIN_MAIN)]
    lines = []
    for element in main_elements or [root]:
        lines += str(element.text_content()).split("\n")
    stripped_lines = [line.strip() for line in lines]
    return "\n".join(line for line in stripped_lines if line)


def _html_root(content: str, where: str) -> "lxml.html.HtmlElement":
    import lxml.etree
    import lxml.html

    parser = lxml.html.HTMLParser(encoding="utf-8", no_network=True, huge_tree=True)
    try:
        return lxml.html.document_fromstring(content.encode(), parser=parser)
    except (lxml.etree.LxmlError, ValueError) as error:
        raise UserError(f"{where}: no HTML ({error}); remove the file, or write it anew") from error


def _break_lines(root: "lxml.html.HtmlElement") -> None:
    """Put line ends around the content of elements between which no word goes on."""
    import lxml.etree

    for element in root.iter(lxml.etree.Element):
        if element.tag not in INLINE:
            text = element.text or ""
            tail = element.tail or ""
            element.text = f"\n{text}"
            element.tail = f"\n{tail}"


def _plain(content: str, where: str, rules: PageRules) -> list[Page]:
    numbered = enumerate(content.split("\n"), start=1)
    lines_with_places = ((f"{where}, line {number}", line) for number, line in numbered)
    lines = [line for _, line in refusing_markup(lines_with_places)]
    return [Page("", "\n".join(lines))]


def _catalogue(content: str, where: str, rules: PageRules) -> list[Page]:
    is_source = folded_code(rules.source_language) == folded_code(rules.language)
    messages = []
    marker = ""
    for message in _messages(content, where):
        original = message.get("msgid")
        if original:
            shown = original if is_source else message["msgstr"]
            text = _without_elements(_without_marker(shown, marker))
            part = _name_of_message(message.get("msgctxt"), original)
            messages.append(Page(" ".join(original.split()), text, part))
            continue
        header = message.get("msgstr", "")
        stated_marker = MARKER.search(header)
        if stated_marker:
            marker = stated_marker[1]
        if not is_source:
            _check_language(header, where, rules.language)
    if rules.messages == "apart":
        return messages
    texts = [message.text for message in messages if message.text]
    return [Page("", "\n\n".join(texts))]


def _without_elements(message: str) -> str:
    """Return a message without the tags of elements that end in it: `<file>` alone is a word."""
    ended = set(END_OF_ELEMENT.findall(message))

    def replaced(tag: re.Match[str]) -> str:
        is_element = tag[2] == "/" or tag[1] in ended
        return " " if is_element else tag[0]

    return _unescaped(TAG.sub(replaced, message))


def _without_marker(message: str, marker: str) -> str:
    """Return a message without what marks the letter of a shortcut; a doubled marker is itself.

    The `&` of an entity, such as `&amp;`, is no marker.
    """
    if not marker:
        return message
    marked = rf"(?!{ENTITY.pattern}){re.escape(marker)}(\S)"
    return re.sub(marked, r"\1", message)


def _name_of_message(context: str | None, original: str) -> str:
    """Return what names a message in its file, the same in catalogues of all languages."""
    identity = repr((context, original))
    digits = hashlib.sha256(identity.encode()).hexdigest()
    return digits[:DIGITS]


def _check_language(header: str, where: str, language: str) -> None:
    stated = STATED_LANGUAGE.search(header)
    if not stated:
        return
    code = stated[1]
    if base_language(code) != base_language(language):
        raise UserError(
            f"{where}: its header says `Language: {code}`, expected {language!r}; correct the "
            "path, or the header"
        )


def _messages(content: str, where: str) -> Iterator[dict[str, str]]:
    """Yield the messages of a catalogue, by keyword, without those that are fuzzy or obsolete."""
    message: dict[str, str] = {}
    keyword = ""
    is_fuzzy = False
    for number, line in enumerate([*content.split("\n"), ""], start=1):
        line = line.strip()
        entry = ENTRY.fullmatch(line)
        begins = entry is not None and entry[1] in ("msgctxt", "msgid")
        if "msgstr" in message and (begins or not line.startswith(("msgstr", '"'))):
            if not is_fuzzy:
                yield message
            message = {}
            is_fuzzy = False
        if not line or line.startswith("#"):
            is_fuzzy = is_fuzzy or (line.startswith("#,") and "fuzzy" in line)
            continue
        if entry:
            keyword = entry[1]
            line = entry[2]
            if keyword in message:  # several numbers
                message[keyword] += " "
        text = _unquoted(line, f"{where}, line {number}")
        message[keyword] = message.get(keyword, "") + text


def _unquoted(line: str, place: str) -> str:
    text = None
    if line.startswith('"'):
        with suppress(ValueError, SyntaxError):  # UnicodeError is a ValueError
            text = ast.literal_eval(BYTES.sub(_characters, line))
    if not isinstance(text, str):
        raise UserError(f"{place}: no line of a catalogue of gettext: {line:.60}; correct it")
    return text


def _characters(match: re.Match[str]) -> str:
    """Return escaped bytes, in UTF-8, as escaped characters; an escaped backslash as it is."""
    if not match[1]:
        return match[0]
    octets = bytes(int(number, 8) for number in match[1].split("\\")[1:])
    return "".join(f"\\U{ord(character):08x}" for character in octets.decode())


READERS: dict[str, Callable[[str, str, PageRules], list[Page]]] = {
    **dict.fromkeys((".md", ".markdown", ".mdx", ".qmd", ".rmd"), _markdown),
    **dict.fromkeys((".rst", ".rest"), _restructured),
    **dict.fromkeys((".html", ".htm", ".xhtml"), _html),
    **dict.fromkeys(PLAIN_TEXT, _plain),
    ".po": _catalogue,
}
