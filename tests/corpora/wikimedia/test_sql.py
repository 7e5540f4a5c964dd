r"""The table page_props in the layouts that MariaDB's and MySQL's tools have written."""

import io

import pytest

from cr5.base.errors import UserError
from cr5.corpora.wikimedia import concepts as sql
from tests.kit.streams import InPieces

HEAD = rb"""/*M!999999\- enable the sandbox mode */
-- MariaDB dump 10.19  Distrib 10.5.29-MariaDB, for debian-linux-gnu (x86_64)
DROP TABLE IF EXISTS `page_props`;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `page_props` (
  `pp_page` int(10) unsigned NOT NULL,
  `pp_propname` varbinary(60) NOT NULL,
  `pp_value` blob NOT NULL,
  `pp_sortkey` float DEFAULT NULL,
  PRIMARY KEY (`pp_page`,`pp_propname`)
) ENGINE=InnoDB DEFAULT CHARSET=binary;
"""
TAIL = b"/*!40111 SET SQL_NOTES=@OLD_SQL_NOTES */;\n\n-- Dump completed on 2026-01-01 13:22:16\n"
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
LAYOUTS = {
    "one line": b"INSERT INTO `page_props` VALUES " + b",".join(ROWS) + b";\n",
    "a line per row": b"INSERT INTO `page_props` VALUES\n" + b",\n".join(ROWS) + b";\n",
    "several statements": b"".join(
        b"INSERT INTO `page_props` (`pp_page`, `pp_propname`) VALUES %s;\n" % row for row in ROWS
    ),
    "_binary": b"INSERT INTO `page_props` VALUES "
    + b",".join(row.replace(b",'", b",_binary '", 2) for row in ROWS)
    + b";\n",
    "spaces": b"INSERT INTO page_props VALUES ("
    + b", (".join(row[1:].replace(b",", b", ", 2) for row in ROWS)
    + b";\n",
}


def parsed(content, piece):
    props = sql.page_props(InPieces(content, piece), "page_props.sql")
    return (
        dict(zip(props.page_ids.tolist(), props.qids.tolist(), strict=True)),
        props.disambiguation.tolist(),
    )


EXPECTED = ({12: 6199, 28: 922337203, 30: 30, 4294967295: 5}, [30, 33])


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_gives_the_same_rows_wherever_pieces_of_it_end(layout):
    for piece in (*range(1, 99), 1 << 20):
        assert parsed(HEAD + LAYOUTS[layout] + TAIL, piece) == EXPECTED, piece


def test_a_big_file_that_is_no_table_is_not_read_to_its_end():
    stream = io.BytesIO(bytes(30 << 20))
    with pytest.raises(UserError, match="no SQL table in it"):
        sql.page_props(stream, "x")
    assert stream.tell() < 9 << 20
