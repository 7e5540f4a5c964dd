"""A made-up Wikimedia: articles of several languages about the same, laid out as on the server.

The text of a wiki is in XML, beside it is the table page_props. Beside the complete date there is a
newer one that is not complete yet.
"""

import bz2
import gzip
import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from tests.kit.texts import said, texts
from tests.kit.wikimedia.pages import MadePage, namespaces, page_props, pages

Article = tuple[str, str, str]  # Q-id, title, text

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


def articles(languages: Iterable[str], n: int, length: int) -> dict[str, list[Article]]:
    """Write articles about n concepts, of so many words, some of which a language lacks."""
    drawn = texts(languages, n, length, 0.3, seed=41, missing=0.1)
    return {
        language: [
            (f"Q{k + 1}", f"{said(x[:2], language)} {k}", _sentences(said(x, language)))
            for k, x in found.items()
        ]
        for language, found in drawn.items()
    }


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
    for number, (language, found) in enumerate(articles(languages, n, length).items()):
        lines = (json.dumps(dict(zip(("concept", "title", "text"), x, strict=True))) for x in found)
        (folder / "aligned" / f"{language}.jsonl").write_text("\n".join(lines))
        made = list(pages(language, found))
        _write_content(folder, language, made, parts[min(number, len(parts) - 1)])
        _write_page_props(folder, language, made, ",\n" if number % 2 else ",")


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
    rows = SQL % (comma[1:] + comma.join(page_props(made)))
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
