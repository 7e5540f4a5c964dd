"""Text of HTML: of the main part of a page, if it has one."""

from typing import TYPE_CHECKING

from cr5.base.errors import UserError
from cr5.texts.markup import front_matter
from cr5.texts.markup.page import COMMENT, Page, PageRules, titled

if TYPE_CHECKING:
    import lxml.html

SILENT = "//script|//style|//noscript|//template|//head|//nav|//svg|//*[@role='navigation']"
SILENT += "|//comment()|//processing-instruction()|//rt|//rp"  # the last two: how to read a word
MAIN = "//main|//*[@role='main']"
WITHIN_MAIN = "ancestor::main|ancestor::*[@role='main']"
WITHIN_LINES = "a abbr b bdi bdo cite code del dfn em font i ins kbd mark q rb ruby s samp small"
WITHIN_LINES += " span strong sub sup tt u var wbr"
INLINE = frozenset(WITHIN_LINES.split())


def pages(content: str, where: str, rules: PageRules) -> list[Page]:
    """Return the page of a file of HTML; UserError with the place."""
    title, content = front_matter.split(content, where)
    if not COMMENT.sub("", content).strip():  # which lxml refuses
        return [titled(title, "")]
    root = _root(content, where)
    if title:
        return [titled(title, _text(root, rules))]
    title = root.findtext(".//title") or root.findtext(".//h1") or ""
    return [Page(" ".join(title.split()), _text(root, rules))]


def _text(root: "lxml.html.HtmlElement", rules: PageRules) -> str:
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


def _root(content: str, where: str) -> "lxml.html.HtmlElement":
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
