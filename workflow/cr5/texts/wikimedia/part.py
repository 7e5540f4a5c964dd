"""From a part of a dump to documents: read, select, strip markup."""

import logging
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from cr5.base.text_files import open_stream
from cr5.counts import documents
from cr5.texts.reading import Record
from cr5.texts.wikimedia.concepts import DISAMBIGUATION, Concepts
from cr5.texts.wikimedia.pages import WIKITEXT, Page, siteinfo, xml_pages
from cr5.texts.wikimedia.wikitext.clean import clean
from cr5.texts.wikimedia.wikitext.namespaces import Namespaces

log = logging.getLogger(__name__)

PROGRESS = 25_000  # pages
# What becomes of a page: it is no article, has no Q-id (it is new, or the dumps are from different
# days), is a disambiguation page, or is a document.
OUTCOMES = (
    *("other_namespace", "redirect", "other_model"),
    *("no_concept", "disambiguation", "documents"),
)


def text_part(path: str | Path, language: str, concepts: str | Path, out: str | Path) -> Counter:
    """Turn the articles of one published file into documents; one job.

    Args:
        path: of the file.
        language: ISO 639-1, for namespace names.
        concepts: concepts/{language}.
        out: folder of the documents; unlike a language, a part may have none.

    Returns:
        How many pages met each of the `OUTCOMES`.

    Raises:
        UserError: as raised by the readers.
    """
    counts, table = Counter(dict.fromkeys(OUTCOMES, 0)), Concepts(concepts, language)
    with open_stream(path) as stream:
        namespaces = Namespaces.from_siteinfo(siteinfo(stream, str(path)), language)
    with open_stream(path) as stream:
        found = _documents(xml_pages(stream, str(path)), table, namespaces, counts)
        told = {"repeated": "first", "may_be_empty": True, "notes": lambda: dict(counts)}
        documents.write(out, found, language, **told)
    log.info("%s: %s", path, dict(counts))
    return counts


def total(paths: Iterable[str | Path]) -> dict[str, int]:
    """Add up what is noted of several parts."""
    added: Counter = Counter()
    for path in paths:
        added.update(documents.notes_of(path))
    return dict(added)


def _documents(
    pages: Iterable[Page], table: Concepts, namespaces: Namespaces, counts: Counter
) -> Iterator[Record]:
    for number, page in enumerate(pages, start=1):
        qid = table.find(page.id)
        outcome = _outcome(page, qid)
        counts[outcome] += 1
        if outcome == "documents":
            yield f"Q{qid}", page.title, clean(page.text, namespaces)
        if number % PROGRESS == 0:
            log.info("%d pages, %d documents", number, counts["documents"])


def _outcome(page: Page, qid: int | None) -> str:
    if page.namespace != 0:
        return "other_namespace"
    if page.is_redirect:
        return "redirect"
    if page.model != WIKITEXT:
        return "other_model"
    if qid is None:
        return "no_concept"
    return "disambiguation" if qid == DISAMBIGUATION else "documents"
