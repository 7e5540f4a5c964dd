r"""The concept of each page of a wiki: page ids and Q-ids, from the SQL table page_props.

The dumps are made by tools of MariaDB and MySQL, whose versions differ in layout: all rows on one
line or each on its own, with or without spaces, `_binary` before binary values. Rows are found by
their content. That is exact: quotes within a value are written \' or '', so
(1,'wikibase_item','Q64' never occurs inside another row's value.
"""

import json
import logging
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import chain
from pathlib import Path
from typing import BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from cr5.base.artefacts import Artefact, making
from cr5.base.compressed import TruncatedError, open_stream, renewal
from cr5.base.errors import UserError

log = logging.getLogger(__name__)

READ = 1 << 20  # bytes
LONGEST_HEAD = 1 << 20  # bytes before the first row; they have about 2000
LONGEST_ROW = 256  # bytes of a wanted row; they have about 50
TABLE = re.compile(rb"(?:CREATE TABLE|INSERT INTO)(?: IF NOT EXISTS)? `?(\w+)[`\s(]")
COLUMN = re.compile(rb"\n\s*`(\w+)`")
COLUMNS = [b"pp_page", b"pp_propname", b"pp_value"]
# Possessive quantifiers (++): no backtracking, 1.7 times as fast here.
ROW = re.compile(
    rb"\(\s?+(\d++),[\s_a-z]*+"
    rb"'(?:wikibase_item',[\s_a-z]*+'Q([1-9]\d*+)'|disambiguation')"
)
LARGEST = np.iinfo(np.uint32).max  # page ids have 8 digits, Q-ids 9
TRAILER = b"-- Dump completed"
NO_QID = 0  # no item of Wikidata has this number
SCHEMA = pa.schema(
    [("page_id", pa.int64()), ("concept", pa.string()), ("is_disambiguation", pa.bool_())]
)
KIND, FILE, COUNTS = "concepts by page", "concepts.parquet", "counts.json"
ROWS = 1 << 18  # in a row group: rows held as text at a time


@dataclass(frozen=True)
class PageProps:
    """Properties of the pages of a wiki, in file order.

    Attributes:
        page_ids: (n,) uint32; pages with a Q-id.
        qids: (n,) uint32; the numbers of their Q-ids.
        disambiguation: (m,) uint32; ids of disambiguation pages, with or without a Q-id.
    """

    page_ids: np.ndarray
    qids: np.ndarray
    disambiguation: np.ndarray


@dataclass(frozen=True)
class ConceptCounts:
    """Counts of the contents of a table page_props.

    Attributes:
        pages: with a Q-id, in all namespaces.
        disambiguation: of these, disambiguation pages.
        disambiguation_without_concept: disambiguation pages that have no Q-id.
        repeated: rows beyond the first for one Q-id. Wikidata allows one page of a wiki per item;
            page_props lags behind when pages are moved and merged.
    """

    pages: int
    disambiguation: int
    disambiguation_without_concept: int
    repeated: int


def concepts(sql: str | Path, out: str | Path, language: str | None = None) -> ConceptCounts:
    """Turn page_props into concepts/{language}; one job.

    Rows that share a Q-id are all kept. Most are redirects and other pages that no run reads; among
    the articles read, the one with the lowest page id gets the concept (`cr5.counts.merging`).

    Args:
        sql: the dump of the table, compressed or not.
        out: folder of a table of page_id, concept (Q and digits), is_disambiguation; by page id.
        language: of the wiki.

    Raises:
        UserError: as for `page_props`.
    """
    with open_stream(sql) as stream:
        props = page_props(stream, str(sql))
    counts = write(out, props, language)
    log.info("%s: %s", sql, counts)
    return counts


def write(path: str | Path, props: PageProps, language: str | None = None) -> ConceptCounts:
    """Write the table by page id; memory holds numbers, and one row group as text."""
    order = np.argsort(props.page_ids, kind="stable")
    page_ids, qids = props.page_ids[order], props.qids[order]
    disambiguation = np.unique(props.disambiguation)
    is_disambiguation = _is_among(page_ids, disambiguation)
    counts = ConceptCounts(
        pages=len(page_ids),
        disambiguation=int(is_disambiguation.sum()),
        disambiguation_without_concept=len(disambiguation) - int(is_disambiguation.sum()),
        repeated=int((np.diff(np.sort(qids)) == 0).sum()),
    )
    with (
        making(path, KIND, language=language) as part,
        pq.ParquetWriter(part / FILE, SCHEMA) as writer,
    ):
        (part / COUNTS).write_text(json.dumps(asdict(counts)) + "\n", encoding="utf-8")
        for start in range(0, len(page_ids), ROWS):
            rows = slice(start, start + ROWS)
            digits = pc.cast(pa.array(qids[rows]), pa.string())
            names = pc.binary_join_element_wise(pa.scalar("Q"), digits, pa.scalar(""))
            columns = [
                pa.array(page_ids[rows], pa.int64()),
                names,
                pa.array(is_disambiguation[rows]),
            ]
            writer.write_table(pa.table(columns, schema=SCHEMA))
    return counts


def counts_of(path: str | Path) -> dict[str, int]:
    """Read the counts that `write` kept beside the table."""
    return json.loads(Artefact(path, KIND).file(COUNTS).read_text(encoding="utf-8"))


def page_props(stream: BinaryIO, where: str) -> PageProps:
    """Read the Q-ids and the disambiguation pages of a wiki from its table page_props.

    Args:
        stream: the SQL file, decompressed; memory holds the ids, not the file.
        where: its name, for messages.

    Raises:
        TruncatedError: the file lacks the final line written by the tools.
        UserError: another table, other columns, or no Q-ids.
    """
    pieces = [_numbers(rows, where) for rows in _rows(stream, where)]
    pairs = np.concatenate([np.zeros((0, 2), np.uint32), *pieces])
    has_qid = pairs[:, 1] != NO_QID
    if not has_qid.any():
        raise UserError(
            f"{where}: no row of this table has the property wikibase_item; expected the "
            "page_props of a wiki that is connected with Wikidata: is it the right file?"
        )
    page_ids, qids = pairs[has_qid].T
    return PageProps(page_ids, qids, pairs[~has_qid, 0])


class Concepts:
    """Q-ids by page id; 9 bytes per page, so that every job of a wiki can hold them."""

    def __init__(self, path: str | Path, language: str) -> None:
        """Read concepts/{language}; UserError if damaged or of another language."""
        with pq.ParquetFile(Artefact(path, KIND, language=language).file(FILE)) as file:
            length = file.metadata.num_rows
            self._page_ids, self._qids = np.empty((2, length), np.uint32)
            self._is_disambiguation = np.empty(length, bool)
            start = 0
            for batch in file.iter_batches(ROWS, use_threads=False):
                rows = slice(start, start + len(batch))
                self._page_ids[rows] = batch.column("page_id")
                self._qids[rows] = pc.cast(
                    pc.utf8_slice_codeunits(batch.column("concept"), 1), pa.uint32()
                )
                self._is_disambiguation[rows] = batch.column("is_disambiguation")
                start += len(batch)

    def find(self, page_id: int) -> tuple[str, bool] | None:
        """The Q-id of a page and whether it is a disambiguation page; None if unknown."""
        # of the array's type: a plain int would copy the array
        at = int(np.searchsorted(self._page_ids, np.uint32(page_id)))
        if at == len(self._page_ids) or self._page_ids[at] != page_id:
            return None
        return f"Q{self._qids[at]}", bool(self._is_disambiguation[at])


def _is_among(values: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Which of the sorted values are wanted, without the copies made by np.isin."""
    at = np.searchsorted(values, wanted)
    at = at[values[np.minimum(at, len(values) - 1)] == wanted]
    found = np.zeros(len(values), bool)
    found[at] = True
    return found


def _numbers(rows: list[tuple[bytes, bytes]], where: str) -> np.ndarray:
    """(n, 2) uint32: page id, Q-id or NO_QID."""
    digits = b" ".join(chain.from_iterable((page, qid or b"0") for page, qid in rows))
    numbers = np.fromstring(digits, np.int64, sep=" ")
    if numbers.max(initial=0) > LARGEST:
        raise UserError(f"{where}: the id {numbers.max()} is beyond {LARGEST}: get a whole copy")
    return numbers.reshape(-1, 2).astype(np.uint32)


def _rows(stream: BinaryIO, where: str) -> Iterator[list[tuple[bytes, bytes]]]:
    """Wanted rows in each piece of the file; a row across two pieces is in the second.

    A row has one opening bracket, its first byte. So all rows that begin before the last bracket
    read so far are complete, and the text from that bracket on is carried over.
    """
    head, end, carried, size = b"", b"", b"", 0
    checked = False
    while data := stream.read(READ):
        size += len(data)
        if not checked:
            head += data
            checked = _check(head, where)
            if not checked and len(head) > LONGEST_HEAD:
                break
        end = (end + data)[-LONGEST_ROW:]
        data = carried + data
        cut = data.rfind(b"(")
        if cut < 0 or len(data) - cut > LONGEST_ROW:
            cut = len(data)
        yield ROW.findall(data, 0, cut)
        carried = data[cut:]
    yield ROW.findall(carried)
    if not checked:
        raise UserError(f"{where}: no SQL table in it; expected a dump of the table page_props")
    if TRAILER not in end:
        raise TruncatedError(
            f"{where}: the file ends after {size} bytes without its line "
            f"{TRAILER.decode()!r}; it is truncated: {renewal(where)}"
        )


def _check(head: bytes, where: str) -> bool:
    """Whether the head has named the table; it must be page_props."""
    found = TABLE.search(head)
    if not found:
        return False
    if found[1] != b"page_props":
        raise UserError(
            f"{where}: this is the table {found[1].decode(errors='replace')!r}; expected "
            "page_props, from the file {wiki}-{date}-page_props.sql.gz"
        )
    if not found[0].startswith(b"CREATE"):
        return True
    definition, closed, _ = head[found.end() :].partition(b";")
    columns = COLUMN.findall(definition)[: len(COLUMNS)]
    if closed and columns != COLUMNS:
        raise UserError(
            f"{where}: page_props begins with the columns {[x.decode() for x in columns]}; "
            f"expected {[x.decode() for x in COLUMNS]}: its layout has changed"
        )
    return bool(closed)
