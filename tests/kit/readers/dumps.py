"""Readers of Wikimedia's dumps: exports in XML, the table page_props, wikitext."""

import tempfile
from pathlib import Path

import numpy as np

from cr5.base.compressed import open_stream
from cr5.corpora.wikimedia import concepts, pages, part
from cr5.corpora.wikimedia.concepts import page_props
from cr5.corpora.wikimedia.wikitext.clean import clean
from cr5.corpora.wikimedia.wikitext.namespaces import Namespaces
from tests.kit.readers.target import Target, through

XML = """<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" xml:lang="da">
  <siteinfo><namespaces>
    <namespace key="-2" case="first-letter">Medie</namespace>
    <namespace key="0" case="first-letter" />
  </namespaces></siteinfo>
  <page><title>Køge &amp; omegn</title><ns>0</ns><id>7</id>
    <revision><id>70</id><model>wikitext</model>
      <text bytes="14" xml:space="preserve">'''Køge''' &lt;br/&gt; [[a|b]]</text>
    </revision></page>
  <page><title>Kjøge</title><ns>0</ns><id>8</id><redirect title="Køge" />
    <revision><id>80</id><text bytes="0" deleted="deleted" /></revision></page>
</mediawiki>
""".encode()
SQL = b"""-- MariaDB dump 10.19
CREATE TABLE `page_props` (
  `pp_page` int(10) unsigned NOT NULL,
  `pp_propname` varbinary(60) NOT NULL,
  `pp_value` blob NOT NULL,
  `pp_sortkey` float DEFAULT NULL
) ENGINE=InnoDB;
INSERT INTO `page_props` VALUES (7,'wikibase_item','Q64',NULL),(8,'defaultsort','(1,\\'x',NULL),
(9, 'disambiguation', '',NULL), ( 10,_binary 'wikibase_item', _binary 'Q5', NULL);
-- Dump completed on 2026-01-01
"""
WIKITEXT = (
    "'''Køge''' {{lang|da|[[by|x]]}} <ref name=a>no</ref>\n{|\n|-\n| a || b\n|}\n"
    "[[Fil:a.jpg|thumb|[[c]]]] [http://x y] <nowiki>{{</nowiki> <!-- --> &nbsp;-{a}-\n* z\n"
).encode()
NAMESPACES = Namespaces.from_siteinfo({"Fil": 6, "Kategori": 14}, "da")


def _xml(path: Path) -> None:
    with open_stream(path) as stream:
        pages.siteinfo(stream, str(path))
    with open_stream(path) as stream:
        through(pages.xml_pages(stream, str(path)))


def _sql(path: Path) -> None:
    with open_stream(path) as stream:
        found = page_props(stream, str(path))
    concepts.write(path.parent / "concepts", found, "da")
    concepts.Concepts(path.parent / "concepts", "da").find(7)


def _part(path: Path) -> None:
    """A whole job: pages are chosen, cleaned and written."""
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        out = Path(folder)
        props = concepts.PageProps(np.array([7]), np.array([64]), np.array([], np.uint32))
        concepts.write(out / "concepts", props, "da")
        part.text_part(path, "da", out / "concepts", out / "documents")


def _wikitext(path: Path) -> None:
    clean(path.read_bytes().decode(errors="replace"), NAMESPACES)


TOKENS = (b"<page>", b"</page>", b"<!DOCTYPE a [", b'<!ENTITY a "', b"&a;", b"<![CDATA[", b"]]>")

TARGETS = [
    Target("xml", "da.xml", _xml, (XML,), tokens=(*TOKENS, b"<id>", b"<ns>", b"<revision>")),
    Target("page_props", "da.sql", _sql, (SQL,), tokens=(b"'wikibase_item'", b"'Q", b"_binary")),
    Target("part", "da.xml", _part, (XML,), tokens=TOKENS),
    Target(
        "wikitext",
        "page",
        _wikitext,
        (WIKITEXT,),
        tokens=(b"{{", b"}}", b"[[", b"]]", b"{|", b"|}", b"<ref>", b"</ref>", b"'''", b"<!--"),
    ),
]
