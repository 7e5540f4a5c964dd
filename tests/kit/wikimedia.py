"""A made-up Wikimedia: articles of several languages about the same, laid out as on the server.

The text of a wiki is in XML, beside it is the table page_props. Beside the complete date there is a
newer one that is not complete yet. Between the articles stands all that is none; around their words
is mark-up of the kinds that articles have. A cleaner that undoes it finds the same words again.
"""

import bz2
import gzip
import hashlib
import json
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from xml.sax.saxutils import escape, quoteattr

from tests.kit.layouts import said, texts

DATE = "2026-10-01"
UNFINISHED = "2026-11-01"
PAGES_PER_STREAM = 100
SCHEMA = "http://www.mediawiki.org/xml/export-0.11"
PAGE = """<page><title>{title}</title><ns>{namespace}</ns><id>{id}</id>{redirect}
<revision><model>{model}</model><text>{text}</text></revision></page>
"""

NAMESPACES = {"Drawing": 6, "Kind": 14}  # of files and categories, as the dump alone calls them
EVERY = 10  # articles between two pages that are none
NO_ARTICLE = 100_000_000  # the first Q-id of pages that are none

PLAIN_WORD = re.compile(r"[^\W\d_]{3,}")
RATE = 18  # one word in so many gets mark-up
INFOBOX = """{{Infobox settlement
| name = %s
| population = {{formatnum:1234567}}
| image = Coat of arms.svg
| leader = [[Somebody|An invisible person]]
}}
[[Drawing:Picture of it.jpg|thumb|right|220px]]
"""
TABLE = """
{| class="wikitable sortable" style="text-align:right"
|+ %s
! scope="col" | %s !! 1
|-
| %s || colspan="2" | %s
|-
| 1,234
|}
"""
REFERENCES = (
    "<ref>{{cite web|url=https://example.org/a?b=c|title=A hidden title|date=2020}}</ref>",
    "<ref name='hidden'>Hidden, ''[[Hidden work]]'', p. 12.</ref>",
    '<ref name="hidden" />',
    "<!-- a hidden remark with [[a link]] and {{a template}} -->",
    "{{citation needed|date=May 2020}}",
)
FOOT = """
{{Reflist}}
{{DEFAULTSORT:%s}}
[[Kind:Hidden category]]
[[Category:Another hidden category|*]]
"""
AROUND_A_WORD = (
    "'''%s'''",
    "''%s''",
    "[[%s]]",
    "[[Hidden target|%s]]",
    "[[Hidden target (x)#Hidden section|''%s'']]",
    "{{lang|fr|%s}}",
    "{{nowrap|%s}}",
    "[https://example.org/hidden?x=y %s]",
    "<small>%s</small>",
    '<span style="color:red">%s</span>',
    "<nowiki>%s</nowiki>",
    "&nbsp;%s",
)


@dataclass(frozen=True)
class Article:
    """What the articles of a concept are made of in one language."""

    concept: str  # its Q-id
    title: str
    text: str  # a paragraph a line


@dataclass(frozen=True)
class MadePage:
    """One page; `redirect` is the title that it leads to."""

    id: int
    title: str
    text: str
    namespace: int = 0
    model: str = "wikitext"
    redirect: str = ""
    concept: str = ""
    is_disambiguation: bool = False


def make(
    folder: Path, languages: Iterable[str], n: int, length: int = 90, parts: Sequence[int] = (3,)
) -> None:
    """Write a mirror of n concepts, and what it was made from to FOLDER/aligned, as JSON lines.

    Articles have about `length` words. The text of each wiki is in so many `parts`; the last number
    is that of all further ones.
    """
    (folder / "aligned").mkdir(parents=True)
    drawn = texts(languages, n, length, 0.3, seed=41, missing=0.1)
    for number, (language, texts_of_language) in enumerate(drawn.items()):
        articles = [_article(k, words, language) for k, words in texts_of_language.items()]
        lines = [json.dumps(asdict(article)) for article in articles]
        (folder / "aligned" / f"{language}.jsonl").write_text("\n".join(lines))
        pages = list(_pages(language, articles))
        wiki = f"{language.replace('-', '_')}wiki"
        _write_content(folder, wiki, pages, parts[min(number, len(parts) - 1)])
        _write_page_props(folder, wiki, pages)


def _article(number: int, words: Sequence[int], language: str) -> Article:
    """Return an article whose paragraphs are sentences of twelve words."""
    starts = range(0, len(words), 12)
    paragraphs = [f"{said(words[start : start + 12], language)}." for start in starts]
    return Article(
        concept=f"Q{number + 1}",
        title=f"{said(words[:2], language)} {number}",
        text="\n".join(paragraphs),
    )


def _write_content(out: Path, wiki: str, pages: Sequence[MadePage], parts: int) -> None:
    """Content File Exports: all namespaces, parts by page id in bzip2 streams, SHA256SUMS."""
    size = math.ceil(len(pages) / parts)
    sums = []
    dates = out / "other" / "mediawiki_content_current" / wiki
    folder = _new(dates / DATE / "xml" / "bzip2")
    for first in range(0, len(pages), size):
        part = pages[first : first + size]
        path = folder / f"{wiki}-{DATE}-p{part[0].id}p{part[-1].id}.xml.bz2"
        streams = [bz2.compress(piece.encode()) for piece in _document(wiki, part)]
        content = b"".join(streams)
        path.write_bytes(content)
        checksum = hashlib.sha256(content).hexdigest()
        sums.append(f"{checksum}  {path.name}\n")
    (folder / "SHA256SUMS").write_text("".join(sorted(sums)))
    _new(dates / UNFINISHED / "xml" / "bzip2")


def _document(wiki: str, pages: Sequence[MadePage]) -> Iterator[str]:
    """Yield an export, in the pieces that are compressed each by itself."""
    namespaces = ""
    for name, key in NAMESPACES.items():
        namespaces += f'<namespace key="{key}">{name}</namespace>'
    yield (
        f'<mediawiki xmlns="{SCHEMA}/" version="0.11">\n<siteinfo><dbname>{wiki}</dbname>'
        f"<namespaces>{namespaces}</namespaces></siteinfo>\n"
    )
    for first in range(0, len(pages), PAGES_PER_STREAM):
        yield "".join(map(_page, pages[first : first + PAGES_PER_STREAM]))
    yield "</mediawiki>\n"


def _page(page: MadePage) -> str:
    redirect = ""
    if page.redirect:
        redirect = f"<redirect title={quoteattr(page.redirect)} />"
    escaped = {"title": escape(page.title), "text": escape(page.text), "redirect": redirect}
    return PAGE.format(**vars(page) | escaped)


def _write_page_props(out: Path, wiki: str, pages: Sequence[MadePage]) -> None:
    """Write the table page_props in its own tree."""
    date = DATE.replace("-", "")
    name = f"{wiki}-{date}-page_props.sql.gz"
    rows = f"INSERT INTO `page_props` VALUES {','.join(_page_props(pages))};\n-- Dump completed\n"
    content = gzip.compress(rows.encode(), mtime=0)
    (_new(out / wiki / date) / name).write_bytes(content)
    sha1 = hashlib.sha1(content, usedforsecurity=False).hexdigest()
    files = {name: {"size": len(content), "sha1": sha1}}
    _write_status(out / wiki / date, "done", files)
    _write_status(out / wiki / UNFINISHED.replace("-", ""), "in-progress", {})


def _write_status(folder: Path, status: str, files: dict[str, dict]) -> None:
    job = {"status": status, "files": files}
    content = {"version": "0.8", "jobs": {"pagepropstable": job}}
    (_new(folder) / "dumpstatus.json").write_text(json.dumps(content))


def _new(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _page_props(pages: Sequence[MadePage]) -> Iterator[str]:
    """Yield Q-ids and disambiguation; the last row is of a later day's page, which no dump has."""
    for page in pages:
        if page.is_disambiguation:
            yield f"({page.id},'disambiguation','',NULL)"
        if page.concept:
            yield f"({page.id},'wikibase_item','{page.concept}',NULL)"
    yield f"({pages[-1].id + 1},'wikibase_item','Q{2 * NO_ARTICLE}',NULL)"


def _pages(language: str, articles: Sequence[Article]) -> Iterator[MadePage]:
    """Yield all pages of a wiki in order of page ids; the second one with a Q-id comes last."""
    random = Random(f"0 {language}")
    steps = Random(f"0 {language} ids")
    page_id = 0
    for number, article in enumerate(articles):
        page_id += steps.randint(1, 4)
        title = article.title[0].upper() + article.title[1:]
        text = marked(title, article.text, random)
        yield MadePage(page_id, title, text, concept=article.concept)
        if number % EVERY == EVERY - 1:
            page_id += 1
            yield _no_article(number // EVERY, page_id, title, random)
    text = marked("Copy", articles[0].text, random)
    yield MadePage(page_id + 1, "Copy", text, concept=articles[0].concept)


def _no_article(number: int, page_id: int, title: str, random: Random) -> MadePage:
    """Return a page that is no article, of a kind decided by `number`."""
    text = marked(title, "Hiddenpage with words that are nowhere else, hiddenpagetoo.", random)
    item = f"Q{NO_ARTICLE + number}"
    name = f"{title} {page_id}"
    script = "/* <nowiki> */ if (a < b && b > c) { hidden(); }"
    kinds = (
        MadePage(page_id, f"Kind:{name}", text, NAMESPACES["Kind"], concept=item),
        MadePage(page_id, f"{name} moved", f"#REDIRECT [[{title}]]", redirect=title),
        MadePage(page_id, f"{name} of many", text, concept=item, is_disambiguation=True),
        MadePage(page_id, f"{name} without item", text),
        MadePage(page_id, f"{name}.js", script, model="javascript", concept=item),
        MadePage(page_id, f"{name} empty", "", concept=item),
    )
    return kinds[number % len(kinds)]


def marked(title: str, text: str, random: Random) -> str:
    """Return a text of a paragraph a line with mark-up; nothing of its own may be any."""
    lines = text.split("\n")
    number_of_table = random.randrange(len(lines))
    paragraphs = []
    for number, line in enumerate(lines):
        if number == number_of_table:
            paragraphs.append(_table(line))
        else:
            paragraphs.append(_line(line, random))
    return INFOBOX % title + "\n\n".join(paragraphs) + FOOT % title


def _table(line: str) -> str:
    """Return a table with the words of a line in its caption, header and cells."""
    words = line.split(" ")
    size = math.ceil(len(words) / 4)
    starts = (0, size, 2 * size, 3 * size)
    return TABLE % tuple(" ".join(words[start : start + size]) for start in starts)


def _line(line: str, random: Random) -> str:
    words = line.split(" ")
    for _ in range(len(words) // RATE + 1):
        position = random.randrange(len(words))
        if PLAIN_WORD.fullmatch(words[position]):
            words[position] = random.choice(AROUND_A_WORD) % words[position]
    if random.random() < 0.3:
        words[-1] += random.choice(REFERENCES)
    line = " ".join(words)
    if 0 < len(line) < 60:
        return f"== {line} =="
    is_of_list = random.random() < 0.1
    return f"* {line}" if is_of_list else line
