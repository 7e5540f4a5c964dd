"""A made-up Wikimedia: articles of several languages about the same, laid out as on the server.

The text of a wiki is in XML, beside it is the table page_props. Beside the complete date there is a
newer one that is not complete yet. Between the articles stands all that is none; around their words
is mark-up of the kinds that articles have. A cleaner that undoes it finds the same words again.
"""

import bz2
import gzip
import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from xml.sax.saxutils import escape, quoteattr

from tests.kit.texts import said, texts

DATE, UNFINISHED = "2026-10-01", "2026-11-01"
PAGES_PER_STREAM = 100
SCHEMA = "http://www.mediawiki.org/xml/export-0.11"
PAGE = """  <page>
    <title>{title}</title>
    <ns>{page.namespace}</ns>
    <id>{page.id}</id>
{redirect}    <revision>
      <id>{revision}</id>
      <timestamp>2026-09-30T12:00:00Z</timestamp>
      <contributor><username>Somebody</username><id>177</id></contributor>
      <comment>a remark &amp; no more</comment>
      <model>{page.model}</model>
      <text bytes="1" xml:space="preserve">{text}</text>
    </revision>
  </page>
"""
SQL = """-- MariaDB dump 10.19  Distrib 10.5.29-MariaDB, for debian-linux-gnu (x86_64)
CREATE TABLE `page_props` (
  `pp_page` int(10) unsigned NOT NULL DEFAULT 0,
  `pp_propname` varbinary(60) NOT NULL DEFAULT '',
  `pp_value` blob NOT NULL,
  `pp_sortkey` float DEFAULT NULL
);
INSERT INTO `page_props` VALUES%s;
-- Dump completed on 2026-01-01 13:22:16
"""

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

PLAIN_WORD = re.compile(r"[^\W\d_]{3,}")
RATE = 18  # one word in so many gets mark-up
INFOBOX = """{{Infobox settlement
| name = %s
| population = {{formatnum:1234567}}
| image = Coat of arms.svg
| leader = [[Somebody|An invisible person]]
}}
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
[[%s:Hidden category]]
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

Article = tuple[str, str, str]  # Q-id, title, text


@dataclass(frozen=True)
class MadePage:
    """One page; its title has the namespace's name, `redirect` is the title that it leads to."""

    id: int
    namespace: int
    title: str
    text: str
    model: str = "wikitext"
    redirect: str | None = None
    concept: str | None = None
    is_disambiguation: bool = False


def make(
    folder: Path,
    languages: Iterable[str],
    n: int,
    length: int = 90,
    parts: Sequence[int] = (3,),
) -> None:
    """Write a mirror, and what it was made from to FOLDER/aligned, as JSON lines.

    Args:
        folder: to write to.
        languages: codes; they take turns in the syntax of page_props.
        n: concepts.
        length: words of an article.
        parts: of the text of each wiki; the last number is that of all further ones.
    """
    (folder / "aligned").mkdir(parents=True)
    for number, (language, found) in enumerate(_articles(languages, n, length).items()):
        lines = (json.dumps(dict(zip(("concept", "title", "text"), x, strict=True))) for x in found)
        (folder / "aligned" / f"{language}.jsonl").write_text("\n".join(lines))
        made = list(_pages(language, found))
        _write_content(folder, language, made, parts[min(number, len(parts) - 1)])
        _write_page_props(folder, language, made, ",\n" if number % 2 else ",")


def _articles(languages: Iterable[str], n: int, length: int) -> dict[str, list[Article]]:
    """Articles about n concepts, of so many words, some of which a language lacks."""
    drawn = texts(languages, n, length, 0.3, seed=41, missing=0.1)
    return {
        language: [
            (f"Q{k + 1}", f"{said(x[:2], language)} {k}", _sentences(said(x, language)))
            for k, x in found.items()
        ]
        for language, found in drawn.items()
    }


def _sentences(text: str) -> str:
    found = text.split()
    return "\n".join(" ".join(found[i : i + 12]) + "." for i in range(0, len(found), 12))


def _write_content(out: Path, language: str, made: Sequence[MadePage], parts: int) -> None:
    """Content File Exports: all namespaces, parts by page id, SHA256SUMS."""
    wiki, size, sums = _wiki(language), -(-len(made) // parts), []
    dates = out / "other" / "mediawiki_content_current" / wiki
    folder = _new(dates / DATE / "xml" / "bzip2")
    for number, first in enumerate(range(0, len(made), size)):
        part = made[first : first + size]
        path = folder / f"{wiki}-{DATE}-p{part[0].id}p{part[-1].id}.xml.bz2"
        # one export document, in many bzip2 streams or in one
        documents = [x.encode() for x in _documents(language, part)]
        pieces = [b"".join(documents)] if number % 2 else documents
        path.write_bytes(b"".join(map(bz2.compress, pieces)))
        sums.append(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n")
    (folder / "SHA256SUMS").write_text("".join(sorted(sums)))
    _new(dates / UNFINISHED / "xml" / "bzip2")


def _documents(language: str, made: Sequence[MadePage]) -> Iterator[str]:
    entries = (
        f'<namespace key="{x}">{escape(y)}</namespace>' for x, y in namespaces(language).items()
    )
    yield (
        f'<mediawiki xmlns="{SCHEMA}/" version="0.11" xml:lang="{language}">\n<siteinfo>'
        f"<dbname>{_wiki(language)}</dbname><namespaces>{''.join(entries)}</namespaces></siteinfo>\n"
    )
    for first in range(0, len(made), PAGES_PER_STREAM):
        yield "".join(map(_page, made[first : first + PAGES_PER_STREAM]))
    yield "</mediawiki>\n"


def _page(page: MadePage) -> str:
    is_one = page.redirect is not None
    redirect = f"    <redirect title={quoteattr(page.redirect)} />\n" if is_one else ""
    text = {"title": escape(page.title), "text": escape(page.text), "redirect": redirect}
    return PAGE.format(page=page, revision=page.id + 5000, **text)


def _write_page_props(out: Path, language: str, made: Sequence[MadePage], comma: str) -> None:
    """The table page_props in its own tree; newer clients write a row a line."""
    wiki, date = _wiki(language), DATE.replace("-", "")
    name = f"{wiki}-{date}-page_props.sql.gz"
    rows = SQL % (comma[1:] + comma.join(_page_props(made)))
    content = gzip.compress(rows.encode("latin-1"), mtime=0)
    (_new(out / wiki / date) / name).write_bytes(content)
    sha1 = hashlib.sha1(content, usedforsecurity=False).hexdigest()
    for day, job in (
        (date, {"status": "done", "files": {name: {"size": len(content), "sha1": sha1}}}),
        (UNFINISHED.replace("-", ""), {"status": "in-progress", "files": {}}),
    ):
        status = {"version": "0.8", "jobs": {"pagepropstable": job}}
        (_new(out / wiki / day) / "dumpstatus.json").write_text(json.dumps(status))


def _wiki(language: str) -> str:
    return f"{language.replace('-', '_')}wiki"


def _new(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def namespaces(language: str) -> dict[int, str]:
    """Return the names of namespaces as the wiki of a language has them."""
    names = dict(CANONICAL)
    if language in LOCAL:
        names.update(zip((TALK, FILE, TEMPLATE, CATEGORY), LOCAL[language], strict=True))
    return names


def _pages(language: str, records: Iterable[Article]) -> Iterator[MadePage]:
    """All pages of a wiki in order of page ids; the second one with a Q-id comes last."""
    random, steps = Random(f"0 {language}"), Random(f"0 {language} ids")
    names, records = namespaces(language), list(records)
    page_id = 0
    for number, (concept, title, text) in enumerate(records):
        page_id += steps.randint(1, 4)
        title = title[0].upper() + title[1:]
        yield MadePage(page_id, 0, title, marked(title, text, random, names), concept=concept)
        if number % EVERY == EVERY - 1:
            page_id += 1
            yield _other(number // EVERY, page_id, title, names, random)
    concept, _, text = records[0]
    yield MadePage(page_id + 1, 0, "Copy", marked("Copy", text, random, names), concept=concept)


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


def _page_props(made: Iterable[MadePage]) -> Iterator[str]:
    """The rows of page_props: Q-ids, disambiguation, and one that a reader may stumble on.

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


def marked(title: str, text: str, random: Random, names: Mapping[int, str]) -> str:
    """Return a text of a paragraph a line with mark-up; nothing of its own may be any."""
    plain = text.split("\n")
    table = random.randrange(len(plain))  # the line that becomes one
    lines = [
        _table(line) if number == table else _line(line, random)
        for number, line in enumerate(plain)
    ]
    picture = f"[[{names[FILE]}:Picture of it.jpg|thumb|right|220px]]\n"
    return INFOBOX % title + picture + "\n\n".join(lines) + FOOT % (title, names[CATEGORY])


def _table(line: str) -> str:
    """A table with the words of a line in its caption, header and cells."""
    words = line.split(" ")
    size = -(-len(words) // 4)
    return TABLE % tuple(" ".join(words[k * size : (k + 1) * size]) for k in range(4))


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
    return ("* " if random.random() < 0.1 else "") + line
