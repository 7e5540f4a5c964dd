"""The pages of a made-up wiki: the articles of a corpus, and between them all that is none."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from random import Random

from tests.kit.wikimedia.wikitext import marked

CANONICAL = {-2: "Media", -1: "Special", 0: "", 1: "Talk", 2: "User", 4: "Wikipedia", 6: "File"}
CANONICAL |= {8: "MediaWiki", 10: "Template", 12: "Help", 14: "Category", 100: "Portal"}
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
        model: content model.
        redirect: title of the page that it leads to, None if it is no redirect.
        concept: Q-id, None if it has none.
        is_disambiguation: as page_props says.
    """

    id: int
    namespace: int
    title: str
    text: str
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
        first = first or (concept, text)
        yield MadePage(page_id, 0, title, marked(title, text, random, names), concept=concept)
        if number % EVERY == EVERY - 1:
            page_id += 1
            yield _other(number // EVERY, page_id, title, names, random)
    if first:
        text = marked("Copy", first[1], random, names)
        yield MadePage(page_id + 1, 0, _free("Copy", taken), text, concept=first[0])


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
    text = marked(
        title, "Hiddenpage with words that are nowhere else, hiddenpagetoo.", random, names
    )
    item, name = f"Q{FIRST_OTHER_CONCEPT + number}", f"{title} {page_id}"
    disambiguation = f"'''{title}''' is:\n* [[{title}]]\n{{{{disambiguation}}}}\n"
    script = "/* <nowiki> */ if (a < b && b > c) { hidden(); }"
    others = (
        MadePage(page_id, TALK, f"{names[TALK]}:{title}", text),
        MadePage(page_id, 0, f"{name} moved", f"#REDIRECT [[{title}]]", redirect=title),
        MadePage(page_id, 0, name, disambiguation, concept=item, is_disambiguation=True),
        MadePage(page_id, 0, f"{name} without item", text),
        MadePage(page_id, TEMPLATE, f"{names[TEMPLATE]}:{name}", text, concept=item),
        MadePage(page_id, CATEGORY, f"{names[CATEGORY]}:{name}", text, concept=item),
        MadePage(page_id, MEDIAWIKI, f"MediaWiki:{name}.js", script, model="javascript"),
        MadePage(page_id, PORTAL, f"Portal:{name}", text, concept=item),
        MadePage(page_id, 0, f"{name} empty", "", concept=item),
    )
    return others[number % len(others)]


def page_props(made: Iterable[MadePage]) -> Iterator[str]:
    """Give the rows of page_props: Q-ids, disambiguation, and one that a reader may stumble on.

    The last row is of a page that no dump has: the table is from another day than the text.
    """
    last = 0
    for page in made:
        last = page.id
        if page.id % 7 == 0:
            yield rf"({page.id},'defaultsort','O\'Hÿ (5,\'wikibase_item\',\'Q5\',NULL),(6',NULL)"
        if page.is_disambiguation:
            yield f"({page.id},'disambiguation','',NULL)"
        if page.concept:
            yield f"({page.id},'wikibase_item','{page.concept}',NULL)"
    yield f"({last + 1},'wikibase_item','Q{2 * FIRST_OTHER_CONCEPT}',NULL)"
