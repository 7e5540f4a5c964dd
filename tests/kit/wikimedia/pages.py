"""The pages of a made-up wiki: the articles of a corpus, and between them all that is none."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from random import Random

from tests.kit.wikimedia.sql import Row
from tests.kit.wikimedia.wikitext import marked

CANONICAL = {
    -2: "Media",
    -1: "Special",
    0: "",
    1: "Talk",
    2: "User",
    3: "User talk",
    4: "Wikipedia",
    5: "Wikipedia talk",
    6: "File",
    7: "File talk",
    8: "MediaWiki",
    9: "MediaWiki talk",
    10: "Template",
    11: "Template talk",
    12: "Help",
    13: "Help talk",
    14: "Category",
    15: "Category talk",
    100: "Portal",
    828: "Module",
}
LOCAL = {  # talk, file, template, category
    "da": ("Diskussion", "Fil", "Skabelon", "Kategori"),
    "de": ("Diskussion", "Datei", "Vorlage", "Kategorie"),
    "es": ("Discusión", "Archivo", "Plantilla", "Categoría"),
    "fr": ("Discussion", "Fichier", "Modèle", "Catégorie"),
    "it": ("Discussione", "File", "Template", "Categoria"),
    "vi": ("Thảo luận", "Tập tin", "Bản mẫu", "Thể loại"),
}
TALK, FILE, MEDIAWIKI, TEMPLATE, CATEGORY, PORTAL = 1, 6, 8, 10, 14, 100
EVERY = 10  # articles between two pages that are none
FIRST_OTHER_CONCEPT = 100_000_000  # Q-ids of pages that are no articles
NO_TITLE = str.maketrans({**dict.fromkeys("#<>[]|{}\n\t", "-"), "_": " "})


@dataclass(frozen=True)
class MadePage:
    """One page.

    Attributes:
        id: page id, rising.
        namespace: number.
        title: with the namespace's name.
        text: wikitext.
        plain: what a reader sees of it.
        model: content model.
        redirect: title of the page that it leads to, None if it is no redirect.
        concept: Q-id, None if it has none.
        is_disambiguation: as page_props says.
    """

    id: int
    namespace: int
    title: str
    text: str
    plain: str = ""
    model: str = "wikitext"
    redirect: str | None = None
    concept: str | None = None
    is_disambiguation: bool = False


def namespaces(language: str) -> dict[int, str]:
    """Return the names of namespaces as the wiki of a language has them."""
    names = dict(CANONICAL)
    if language in LOCAL:
        names.update(zip((TALK, FILE, TEMPLATE, CATEGORY), LOCAL[language], strict=True))
    return names


def pages(
    language: str, records: Iterable[tuple[str, str, str]], seed: int = 0
) -> Iterator[MadePage]:
    """Give all pages of a wiki in order of page ids.

    After every tenth article come, in turn, pages that are none: a talk page, a redirect, a
    disambiguation page with a Q-id, an article without a Q-id, a template, a category, a script, a
    portal, an empty page. Last comes a second page with the Q-id of the first article.

    Args:
        language: of the wiki.
        records: (Q-id, title, text) of each article.
        seed: of ids and mark-up.
    """
    random, steps = Random(f"{seed} {language}"), Random(f"{seed} {language} ids")
    names = namespaces(language)
    page_id, taken, first = 0, set(), None
    for number, (concept, title, text) in enumerate(records):
        page_id += steps.randint(1, 4)
        title = _free(title, taken)
        article = MadePage(
            page_id, 0, title, marked(title, text, random, names), text, concept=concept
        )
        first = first or article
        yield article
        if number % EVERY == EVERY - 1:
            page_id += 1
            yield _other(number // EVERY, page_id, title, names, random)
    if first:
        text = marked("Copy", first.plain, random, names)
        title = _free("Copy", taken)
        yield MadePage(page_id + 1, 0, title, text, first.plain, concept=first.concept)


def _free(title: str, taken: set[str]) -> str:
    """A title that a page can have and none has yet."""
    title = " ".join(title.translate(NO_TITLE).split())[:200].lstrip(":") or "Untitled"
    title = title[0].upper() + title[1:]
    while title in taken:
        title += " (other)"
    taken.add(title)
    return title


def _other(
    number: int, page_id: int, title: str, names: Mapping[int, str], random: Random
) -> MadePage:
    """A page that is no article, of a kind decided by `number`."""
    plain = "Hiddenpage with words that are nowhere else, hiddenpagetoo."
    text = marked(title, plain, random, names)
    item = f"Q{FIRST_OTHER_CONCEPT + number}"
    match number % 9:
        case 0:
            return MadePage(page_id, TALK, f"{names[TALK]}:{title}", text, plain)
        case 1:
            target = f"#REDIRECT [[{title}]]"
            return MadePage(page_id, 0, f"{title} {page_id} moved", target, redirect=title)
        case 2:
            text = f"'''{title}''' is:\n* [[{title}]]\n{{{{disambiguation}}}}\n"
            return MadePage(
                page_id,
                *(0, f"{title} {page_id} (disambiguation)", text, title),
                concept=item,
                is_disambiguation=True,
            )
        case 3:
            return MadePage(page_id, 0, f"{title} {page_id} without item", text, plain)
        case 4:
            name = f"{names[TEMPLATE]}:Hidden {page_id}"
            return MadePage(page_id, TEMPLATE, name, text, plain, concept=item)
        case 5:
            name = f"{names[CATEGORY]}:Hidden {page_id}"
            return MadePage(page_id, CATEGORY, name, text, plain, concept=item)
        case 6:
            script = "/* <nowiki> */ if (a < b && b > c) { hidden(); }"
            name = f"MediaWiki:Hidden {page_id}.js"
            return MadePage(page_id, MEDIAWIKI, name, script, model="javascript")
        case 7:
            return MadePage(page_id, PORTAL, f"Portal:Hidden {page_id}", text, plain, concept=item)
    return MadePage(page_id, 0, f"{title} {page_id} empty", "", concept=item)


def page_props(made: Iterable[MadePage]) -> Iterator[Row]:
    """Give the rows of page_props: Q-ids, disambiguation, and others that a reader may stumble on.

    The last row is of a page that no dump has: the table is from another day than the text.
    """
    last = 0
    for page in made:
        last = page.id
        if page.id % 7 == 0:
            yield page.id, b"defaultsort", b"O'Hidden, \\(5,'wikibase_item','Q5',NULL),(6", "NULL"
        if page.is_disambiguation:
            yield page.id, b"disambiguation", b"", "NULL"
        if page.id % 5 == 0:
            yield page.id, b"graph_specs", b"\x1f\x8b\x00\xff\xfe'\n\"\x1a not UTF-8", "NULL"
        if page.id % 3 == 0:
            yield page.id, b"wikibase-badge-Q17437796", b"1", "1"
        if page.concept:
            yield page.id, b"wikibase_item", page.concept.encode(), "NULL"
        if page.id % 2 == 0:
            yield page.id, b"wikibase-shortdesc", "æøå, a “description” (1990)".encode(), "NULL"
    yield last + 1, b"wikibase_item", b"Q%d" % (2 * FIRST_OTHER_CONCEPT), "NULL"
