"""Dumps of the table page_props, as MariaDB's two generations of clients write them."""

from collections.abc import Iterable, Iterator

Row = tuple[int, bytes, bytes, str]  # page id, property, value, sort key as SQL

HEAD = """-- MariaDB dump 10.19  Distrib 10.5.29-MariaDB, for debian-linux-gnu (x86_64)
--
-- Host: example    Database: {wiki}
-- ------------------------------------------------------
-- Server version\t10.11.13-MariaDB-log

/*!40101 SET NAMES utf8mb4 */;

--
-- Table structure for table `page_props`
--

DROP TABLE IF EXISTS `page_props`;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `page_props` (
  `pp_page` int(10) unsigned NOT NULL DEFAULT 0,
  `pp_propname` varbinary(60) NOT NULL DEFAULT '',
  `pp_value` blob NOT NULL,
  `pp_sortkey` float DEFAULT NULL,
  PRIMARY KEY (`pp_page`,`pp_propname`)
) ENGINE=InnoDB DEFAULT CHARSET=binary;

--
-- Dumping data for table `page_props`
--

/*!40000 ALTER TABLE `page_props` DISABLE KEYS */;
"""
TAIL = """/*!40000 ALTER TABLE `page_props` ENABLE KEYS */;

-- Dump completed on 2026-01-01 13:22:16
"""
SANDBOX = "/*M!999999\\- enable the sandbox mode */ \n"
ESCAPES = {
    0: b"\\0",
    10: b"\\n",
    13: b"\\r",
    26: b"\\Z",
    34: b'\\"',
    39: b"\\'",
    92: b"\\\\",
}
PER_STATEMENT = 5_000  # rows


def quoted(value: bytes) -> bytes:
    """Return a string as SQL."""
    return b"'" + b"".join(ESCAPES.get(byte, bytes([byte])) for byte in value) + b"'"


def dump(wiki: str, rows: Iterable[Row], row_a_line: bool) -> Iterator[bytes]:
    """Give the dump in pieces.

    Args:
        wiki: name of the database.
        rows: of the table.
        row_a_line: one row a line, as newer clients do, or all on one.
    """
    yield ((SANDBOX if not row_a_line else "") + HEAD.format(wiki=wiki)).encode()
    statement: list[bytes] = []
    for row in rows:
        statement.append(_tuple(row))
        if len(statement) == PER_STATEMENT:
            yield _insert(statement, row_a_line)
            statement = []
    if statement:
        yield _insert(statement, row_a_line)
    yield TAIL.encode()


def _tuple(row: Row) -> bytes:
    page, name, value, sort_key = row
    return b"(%d,%s,%s,%s)" % (page, quoted(name), quoted(value), sort_key.encode())


def _insert(statement: list[bytes], row_a_line: bool) -> bytes:
    line = b"\n" if row_a_line else b" "
    comma = b",\n" if row_a_line else b","
    return b"INSERT INTO `page_props` VALUES" + line + comma.join(statement) + b";\n"
