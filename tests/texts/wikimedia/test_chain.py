"""From a dump's files to documents: page_props, pages of an export, what becomes of them."""

import bz2
import io

import numpy as np
import pandas as pd
import pytest

from cr5.base.errors import UserError
from cr5.texts.wikimedia import concepts
from cr5.texts.wikimedia.concepts import Concepts, page_props
from cr5.texts.wikimedia.pages import Page, export, text_part, total
from tests.kit.wikimedia import PAGE


class InPieces(io.BytesIO):
    """A stream that gives no more than so many bytes at a time."""

    piece = 1

    def read(self, size=-1):
        return super().read(self.piece)


HEAD = rb"""/*M!999999\- enable the sandbox mode */
CREATE TABLE `page_props` (
  `pp_page` int(10) unsigned NOT NULL,
  PRIMARY KEY (`pp_page`,`pp_propname`)
) ENGINE=InnoDB DEFAULT CHARSET=binary;
"""
TAIL = b"/*!40111 SET SQL_NOTES=@OLD_SQL_NOTES */;\n"
ROWS = [
    rb"(12,'defaultsort','Anarchism',NULL)",
    rb"(12,'wikibase_item','Q6199',NULL)",
    rb"(25,'wikibase-shortdesc','It\'s (39,\'wikibase_item\',\'Q1\',NULL),(40,',NULL)",
    rb"(26,'wikibase-shortdesc','a ''(41,''wikibase_item'',''Q2'',NULL)'' of \\',NULL)",
    b"(27,'page_image_free','\xff\xfe (\x80\xc3.jpg',NULL)",
    rb"(28,'wikibase_item','Q922337203',NULL)",
    rb"(30,'disambiguation','',NULL)",
    rb"(30,'wikibase_item','Q30',0.5)",
    rb"(31,'wikibase_item_count','Q31',NULL)",
    rb"(32,'disambiguation_links','',NULL)",
    rb"(33,'disambiguation','',NULL)",
    rb"(4294967295,'wikibase_item','Q5',NULL)",
]
PAIRS = [[12, 6199], [28, 922337203], [30, 0], [33, 0], [4294967295, 5]]
LAYOUTS = {
    "one line": b"INSERT INTO `page_props` VALUES " + b",".join(ROWS) + b";\n",
    "a line per row": b"INSERT INTO `page_props` VALUES\n" + b",\n".join(ROWS) + b";\n",
    "_binary": b"INSERT INTO `page_props` VALUES "
    + b",".join(row.replace(b",'", b",_binary '", 2) for row in ROWS)
    + b";\n",
    "spaces": b"INSERT INTO page_props VALUES ("
    + b", (".join(row[1:].replace(b",", b", ", 2) for row in ROWS)
    + b";\n",
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_gives_the_same_rows_wherever_pieces_of_it_end(layout):
    """Of a disambiguation page it does not matter whether it has a Q-id."""
    for piece in (*range(1, 99, 7), 1 << 20):
        stream = InPieces(HEAD + LAYOUTS[layout] + TAIL)
        stream.piece = piece
        assert page_props(stream, "page_props.sql").tolist() == PAIRS, piece


def test_concepts_of_a_dump_by_page_id(tmp_path):
    concepts.write(tmp_path / "da", np.array(PAIRS, np.uint32), "da")
    with pytest.raises(UserError, match="expected concepts by page of language 'en', found"):
        Concepts(tmp_path / "da", "en")
    table = Concepts(tmp_path / "da", "da")
    assert [[page_id, table.find(page_id)] for page_id, _ in PAIRS] == PAIRS
    assert [table.find(page_id) for page_id in (0, 13, 2**32 - 2)] == [None, None, None]


# Of a module there are two revisions; ids of revisions and of people are not the page's.
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
  <page><title>Modul:Kø</title><ns>828</ns><id>9</id>
    <revision><id>90</id><model>Scribunto</model><text>old</text></revision>
    <revision><id>91</id><origin>90</origin><contributor><username>A</username><id>700</id>
    </contributor><model>Scribunto</model><text>new</text></revision></page>
</mediawiki>
"""
EXPECTED = [
    Page(7, "Køge & omegn", 0, False, "wikitext", "'''Køge''' <br/> [[a|b]]"),
    Page(8, "Kjøge", 0, True, "wikitext", ""),
    Page(9, "Modul:Kø", 828, False, "Scribunto", "new"),
]


def read(content):
    names, pages = export(io.BytesIO(content.encode()), "x.xml")
    return names, list(pages)


@pytest.mark.parametrize("version", ["0.6", "0.11"])
def test_any_version_of_the_export(version):
    assert read(XML.replace("0.11", version)) == ({"Medie": -2}, EXPECTED)
    bare = f"<mediawiki>{XML[XML.index('  <page>') :]}"
    assert read(bare) == ({}, EXPECTED)


def test_what_is_damaged_gives_the_pages_before_it():
    first, second, *_ = XML.split("</page>")
    for damaged in (f"{first}</page><page></wrong>{second}</page>", f"{first}</page>{second}"):
        _, pages = export(io.BytesIO(damaged.encode()), "x.xml")
        assert next(pages) == EXPECTED[0]
        with pytest.raises(UserError, match=r"x\.xml: "):
            list(pages)


DEFAULTS = {"namespace": 0, "redirect": "", "model": "wikitext", "text": "no"}
PAGES = [
    DEFAULTS | {"id": 1, "title": "Berlin", "text": "'''Berlin''' is a [[city]]."},
    DEFAULTS | {"id": 2, "title": "Talk:Berlin", "namespace": 1},
    DEFAULTS | {"id": 3, "title": "Bärlin", "redirect": '<redirect title="B"/>'},
    DEFAULTS | {"id": 4, "title": "Style", "model": "css"},
    DEFAULTS | {"id": 5, "title": "New"},
    DEFAULTS | {"id": 6, "title": "Berlin (meanings)"},
    DEFAULTS | {"id": 7, "title": "List of cities", "text": "* Bonn\n* Paris"},
    DEFAULTS | {"id": 8, "title": "Berlin (city)"},  # the first counts
]


@pytest.fixture
def part(tmp_path):
    """Run text_part on pages; everything lies in one folder."""
    pages = [[1, 64], [2, 2], [3, 3], [4, 4], [6, 0], [7, 77], [8, 64]]
    concepts.write(tmp_path / "concepts", np.array(pages, np.uint32), "en")

    def run(pages, end="</mediawiki>", name="part"):
        xml = "<mediawiki>" + "".join(PAGE.format(**page) for page in pages) + end
        (tmp_path / "dump").write_bytes(bz2.compress(xml.encode()))
        return text_part(tmp_path / "dump", "en", tmp_path / "concepts", tmp_path / name)

    return run


def test_articles_with_a_concept_are_documents(part, tmp_path):
    counts = part(PAGES)
    assert list(counts.values()) == [1, 1, 1, 1, 1, 3]
    documents = pd.read_parquet(tmp_path / "part" / "documents.parquet")
    assert documents.to_numpy().tolist() == [
        ["Q64", "Berlin", "Berlin is a city."],
        ["Q77", "List of cities", "Bonn\nParis"],
    ]
    part(PAGES[1:2], name="b")  # a part may have no document
    added = total([tmp_path / "part", tmp_path / "b"])
    assert (added["other_namespace"], added["documents"]) == (2, 3)


def test_of_a_truncated_file_nothing_is_left(part, tmp_path):
    with pytest.raises(UserError, match="dump: truncated"):
        part(PAGES[:2], end="<page>")
    assert not (tmp_path / "part").exists()
