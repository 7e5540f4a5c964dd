"""Made-up pages: as an independent parser reads them, mwparserfromhell; and as they were marked."""

import re
from collections import Counter
from pathlib import Path
from random import Random

import mwparserfromhell as parser
import pytest
from mwparserfromhell import nodes

from cr5.counts.tokens import tokenise
from cr5.texts.wikimedia.wikitext.clean import clean
from cr5.texts.wikimedia.wikitext.links import namespaces_of
from tests.kit.wikimedia import NAMESPACES, marked

FILES, CATEGORIES = (
    ("Fil", "Fichier", "Tập tin"),
    ("Kategori", "Catégorie", "Categoria", "Thể loại"),
)
OF_DUMPS = dict.fromkeys(FILES, 6) | dict.fromkeys(CATEGORIES, 14)
PAGES = sorted((Path(__file__).parent / "pages").glob("*.txt"))
IMAGES = {"File", "Fil", "Fichier", "Tập tin"}
NO_TEXT = {"Category", "Kategori", "Catégorie", "Categoria", "Thể loại", "da", "en", "fr"}
OPTION = re.compile(r"(thumb|mini|vignette|nhỏ|right|left|højre|droite|phải|upright|\d+px|\w+=)")
WORDLESS = {"ref", "math"}
# Templates of which an argument is read in the sentence: which one; None is all of them.
SAID = {"nowrap": 1, "lang": 2, "lingua": 2, "citation": 1, "unité": None}


def visible(code):
    """The text that a reader of the page sees, with spaces wherever a word may end."""
    return "".join(map(_of_node, code.nodes))


def _of_node(node):
    match node:
        case nodes.Text():
            return str(node)
        case nodes.HTMLEntity():
            return node.normalize()
        case nodes.Heading():
            return f"\n{visible(node.title)}\n"
        case nodes.ExternalLink():
            return visible(node.title) if node.title else ""
        case nodes.Wikilink():
            return _of_link(node)
        case nodes.Template():
            return _of_template(node)
        case nodes.Tag():
            return _of_tag(node)
    return ""


def _of_link(link):
    prefix, colon, _ = str(link.title).partition(":")
    if colon and prefix in NO_TEXT:
        return ""
    if colon and prefix in IMAGES:
        # A caption has bars in its links alone, which the parser has read already.
        parts = [[]]
        for node in link.text.nodes:
            first, *rest = str(node).split("|") if isinstance(node, nodes.Text) else [node]
            parts[-1].append(first)
            parts += [[x] for x in rest]
        return f"\n{_caption(parts)}\n"
    return visible(link.text or link.title)


def _caption(parts):
    whole = ["".join(x if isinstance(x, str) else _of_node(x) for x in part) for part in parts]
    return [x for x in whole if not OPTION.match(x)][-1]


def _of_template(template):
    name = str(template.name).strip().lower()
    if name.startswith("formatnum:"):
        return name.partition(":")[2]
    if name == ",":
        return ", "
    if name not in SAID:
        return ""
    chosen = template.params if SAID[name] is None else [template.get(SAID[name])]
    return " ".join(visible(x.value) for x in chosen)


def _of_tag(tag):
    name = str(tag.tag)
    if name in WORDLESS:
        return ""
    if name == "gallery":
        captions = [line.partition("|")[2] for line in str(tag.contents).split("\n")]
        return "\n".join(visible(parser.parse(caption)) for caption in captions)
    if name == "nowiki":
        return str(tag.contents)
    inside = visible(tag.contents) if tag.contents else ""
    return inside if name in ("b", "i", "sub", "sup", "span", "small", "u") else f"\n{inside}\n"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_has_the_words_that_a_reader_sees(page):
    text = page.read_text(encoding="utf-8")
    language = page.stem
    expected = tokenise(visible(parser.parse(text)), language)
    assert len(expected) >= 75
    assert tokenise(clean(text, namespaces_of(OF_DUMPS)), language) == expected


NASTY = """= not a heading =
* not a list, ''not italics'' and '''not bold'''
: [[not a link|a bar]] {{not a template}} {| not a table |}
<ref>not a reference</ref> <!-- not a remark --> &amp; &#65; __NOTOC__ ~~~~
see http://example.org/path or ISBN 123 and it's l'arte, R&D; 5 < 6 > 4"""
MEANS_SOMETHING = re.compile(r"[^\w\s]|_|(?<=ISB)N")


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("text", [NASTY, "one two three four five six seven eight nine\n" * 6])
def test_markup_undone_gives_the_same_words(text, seed):
    escaped = MEANS_SOMETHING.sub(lambda match: f"&#{ord(match[0])};", text)
    cleaned = clean(marked("A title", escaped, Random(seed)), namespaces_of(NAMESPACES))
    assert Counter(tokenise(cleaned, "es")) == Counter(tokenise(text, "es"))
