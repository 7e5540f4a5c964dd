"""Writes a made-up wiki as Wikimedia publishes wikis: text in XML, and the table page_props.

Beside the complete date there is a newer one that is not complete yet.
"""

import bz2
import gzip
import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from tests.kit.wikimedia.pages import MadePage, namespaces, page_props
from tests.kit.wikimedia.sql import dump

DATE, UNFINISHED = "2026-10-01", "2026-11-01"
UNFINISHED_JOBS = {
    "pagepropstable": {"status": "in-progress", "files": {}},
}
PAGES_PER_STREAM = 100
WHEN = "2026-09-30T12:00:00Z"
# Of another schema than the text, as a published file may be: readers must not insist on it.
SCHEMA = "http://www.mediawiki.org/xml/export-0.11"


def wiki_name(language: str) -> str:
    """Name of a Wikipedia's database: `da` is `dawiki`."""
    return f"{language.replace('-', '_')}wiki"


def write_content(out: Path, language: str, made: Sequence[MadePage], parts: int) -> None:
    """Content File Exports: all namespaces, parts by page id, SHA256SUMS, _SUCCESS."""
    wiki = wiki_name(language)
    dates = out / "other" / "mediawiki_content_current" / wiki
    folder = _new(dates / DATE / "xml" / "bzip2")
    sums = []
    for number, part in enumerate(_split(made, parts)):
        path = folder / f"{wiki}-{DATE}-p{part[0].id}p{part[-1].id}.xml.bz2"
        _write_xml(path, language, part, streams=number % 2 == 0)
        sums.append(f"{_digest(path, 'sha256')}  {path.name}\n")
    (folder / "SHA256SUMS").write_text("".join(sorted(sums)))
    (folder / "_SUCCESS").touch()
    unfinished = _new(dates / UNFINISHED / "xml" / "bzip2")
    (unfinished / f"{wiki}-{UNFINISHED}-p1p2.xml.bz2").write_bytes(b"not finished")


def write_page_props(out: Path, language: str, made: Sequence[MadePage], row_a_line: bool) -> None:
    """The table page_props in its own tree."""
    wiki, date = wiki_name(language), DATE.replace("-", "")
    folder = _new(out / wiki / date)
    path = folder / f"{wiki}-{date}-page_props.sql.gz"
    with path.open("wb") as plain, gzip.GzipFile("", "wb", fileobj=plain, mtime=0) as file:
        file.writelines(dump(wiki, page_props(made), row_a_line))
    _report_job(folder, wiki, date, "pagepropstable", [path])
    date = UNFINISHED.replace("-", "")
    _write_status(_new(out / wiki / date), UNFINISHED_JOBS)


def _new(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _split(made: Sequence[MadePage], parts: int) -> Iterator[Sequence[MadePage]]:
    size = -(-len(made) // parts)
    return (made[first : first + size] for first in range(0, len(made), size))


def _digest(path: Path, kind: str) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, kind).hexdigest()


def _write_xml(path: Path, language: str, made: Sequence[MadePage], streams: bool) -> None:
    """One export document, in many bzip2 streams or in one."""
    pieces = _documents(language, made)
    with path.open("wb") as file:
        if streams:
            file.writelines(bz2.compress(piece) for piece in pieces)
        else:
            compressor = bz2.BZ2Compressor()
            file.writelines(compressor.compress(piece) for piece in pieces)
            file.write(compressor.flush())


def _documents(language: str, made: Sequence[MadePage]) -> Iterator[bytes]:
    yield _siteinfo(language).encode()
    for first in range(0, len(made), PAGES_PER_STREAM):
        yield "".join(map(_page, made[first : first + PAGES_PER_STREAM])).encode()
    yield b"</mediawiki>\n"


def _siteinfo(language: str) -> str:
    wiki = wiki_name(language)
    entries = "".join(
        f'      <namespace key="{number}" case="first-letter">{escape(name)}</namespace>\n'
        if name
        else f'      <namespace key="{number}" case="first-letter" />\n'
        for number, name in namespaces(language).items()
    )
    return (
        f'<mediawiki xmlns="{SCHEMA}/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" '
        f'xsi:schemaLocation="{SCHEMA}/ {SCHEMA}.xsd" version="0.11" xml:lang="{language}">\n'
        f"  <siteinfo>\n    <sitename>Wikipedia</sitename>\n    <dbname>{wiki}</dbname>\n"
        f"    <base>https://{language}.wikipedia.org/wiki/Main_Page</base>\n"
        "    <generator>made up</generator>\n    <case>first-letter</case>\n"
        f"    <namespaces>\n{entries}    </namespaces>\n  </siteinfo>\n"
    )


def _page(page: MadePage) -> str:
    data = page.text.encode()
    digest = hashlib.sha1(data, usedforsecurity=False).hexdigest()[:31]
    about = f'bytes="{len(data)}" sha1="{digest}"'
    text = f'<text {about} xml:space="preserve">{escape(page.text)}</text>'
    if not data:
        text = f"<text {about} />"
    redirect = (
        "" if page.redirect is None else f"    <redirect title={quoteattr(page.redirect)} />\n"
    )
    kind = "text/x-wiki" if page.model == "wikitext" else "text/javascript"
    return (
        f"  <page>\n    <title>{escape(page.title)}</title>\n    <ns>{page.namespace}</ns>\n"
        f"    <id>{page.id}</id>\n{redirect}    <revision>\n      <id>{page.id + 5000}</id>\n"
        f"      <timestamp>{WHEN}</timestamp>\n      <contributor>\n"
        "        <username>Somebody</username>\n        <id>177</id>\n      </contributor>\n"
        "      <comment>a remark &amp; no more</comment>\n"
        f"      <origin>{page.id + 5000}</origin>\n"
        f"      <model>{page.model}</model>\n      <format>{kind}</format>\n      {text}\n"
        f"      <sha1>{digest}</sha1>\n    </revision>\n  </page>\n"
    )


def _report_job(folder: Path, wiki: str, date: str, job: str, paths: Iterable[Path]) -> None:
    """Say that a job is done and what it wrote."""
    files = {
        path.name: {
            "size": path.stat().st_size,
            "url": f"/{wiki}/{date}/{path.name}",
            "md5": _digest(path, "md5"),
            "sha1": _digest(path, "sha1"),
        }
        for path in paths
    }
    _write_status(
        folder, {job: {"status": "done", "updated": "2026-10-05 01:26:57", "files": files}}
    )


def _write_status(folder: Path, jobs: dict) -> None:
    """Put jobs into dumpstatus.json, and the checksums of all into sha1sums.txt."""
    path = folder / "dumpstatus.json"
    known = json.loads(path.read_text())["jobs"] if path.exists() else {}
    jobs = {**known, **jobs}
    path.write_text(json.dumps({"version": "0.8", "jobs": jobs}))
    files = [(name, e["sha1"]) for j in jobs.values() for name, e in j.get("files", {}).items()]
    sums = folder / f"{folder.parent.name}-{folder.name}-sha1sums.txt"
    sums.write_text("".join(f"{checksum}  {name}\n" for name, checksum in sorted(files)))
