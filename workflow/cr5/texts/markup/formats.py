"""Which reader reads which file, by the ending of its name."""

from collections.abc import Callable

from cr5.base.not_text import refusing_markup
from cr5.texts.markup import catalogues, hypertext, markdown, restructured
from cr5.texts.markup.page import Page, PageRules

PLAIN_TEXT = (".txt", ".text")


def pages(ending: str, content: str, where: str, rules: PageRules) -> list[Page]:
    """Return the page of a file, by the ending of its name; of a catalogue perhaps several."""
    return READERS[ending](content, where, rules)


def _plain(content: str, where: str, rules: PageRules) -> list[Page]:
    numbered = enumerate(content.split("\n"), start=1)
    lines_with_places = ((f"{where}, line {number}", line) for number, line in numbered)
    lines = [line for _, line in refusing_markup(lines_with_places)]
    return [Page("", "\n".join(lines))]


READERS: dict[str, Callable[[str, str, PageRules], list[Page]]] = {
    **dict.fromkeys((".md", ".markdown", ".mdx", ".qmd", ".rmd"), markdown.pages),
    **dict.fromkeys((".rst", ".rest"), restructured.pages),
    **dict.fromkeys((".html", ".htm", ".xhtml"), hypertext.pages),
    **dict.fromkeys(PLAIN_TEXT, _plain),
    ".po": catalogues.pages,
}
