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
from itertools import chain
from pathlib import Path
from typing import BinaryIO, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from cr5.base.artefacts import Artefact, making
from cr5.base.errors import UserError
from cr5.base.text_files import open_stream

log = logging.getLogger(__name__)

READ = 1 << 20  # bytes
LONGEST_ROW = 256  # bytes of a wanted row; they have about 50
TABLE = b"page_props"
# Possessive quantifiers (++): no backtracking, 1.7 times as fast here.
ROW = re.compile(
    rb"\(\s?+(\d++),[\s_a-z]*+"
    rb"'(?:wikibase_item',[\s_a-z]*+'Q([1-9]\d*+)'|disambiguation')"
)
LARGEST = np.iinfo(np.uint32).max  # page ids have 8 digits, Q-ids 9
TRAILER = b"-- Dump completed"
NO_QID = 0  # no item of Wikidata has this number
KIND, FILE, COUNTS = "concepts by page", "concepts.parquet", "counts.json"
COLUMNS = ("page_id", "qid", "is_disambiguation")


class PageProps(NamedTuple):
    """Properties of the pages of a wiki, in file order.

    Attributes:
        page_ids: (n,) uint32; pages with a Q-id.
        qids: (n,) uint32; the numbers of their Q-ids.
        disambiguation: (m,) uint32; ids of disambiguation pages, with or without a Q-id.
    """

    page_ids: np.ndarray
    qids: np.ndarray
    disambiguation: np.ndarray


def concepts(sql: str | Path, out: str | Path, language: str | None = None) -> dict[str, int]:
    """Turn page_props into concepts/{language}; one job.

    Rows that share a Q-id are all kept. Most are redirects and other pages that no run reads; among
    the articles read, the one with the lowest page id gets the concept (`documents.write`).

    Args:
        sql: the dump of the table, compressed or not.
        out: see `write`.
        language: of the wiki.

    Raises:
        UserError: as for `page_props`.
    """
    with open_stream(sql) as stream:
        props = page_props(stream, str(sql))
    counts = write(out, props, language)
    log.info("%s: %s", sql, counts)
    return counts


def write(path: str | Path, props: PageProps, language: str | None = None) -> dict[str, int]:
    """Write page_id, qid (its number) and is_disambiguation, by page id.

    Returns:
        The number of pages with a Q-id in all namespaces; of disambiguation pages among them, and
        of those without one; and of rows beyond the first for one Q-id (Wikidata allows one page of
        a wiki per item; page_props lags behind when pages are moved and merged).
    """
    order = np.argsort(props.page_ids, kind="stable")
    page_ids, qids = props.page_ids[order], props.qids[order]
    disambiguation = np.unique(props.disambiguation)
    marks = np.isin(page_ids, disambiguation)
    counts = {
        "pages": len(page_ids),
        "disambiguation": int(marks.sum()),
        "disambiguation_without_concept": len(disambiguation) - int(marks.sum()),
        "repeated": int((np.diff(np.sort(qids)) == 0).sum()),
    }
    with making(path, KIND, language=language) as part:
        (part / COUNTS).write_text(json.dumps(counts) + "\n", encoding="utf-8")
        columns = (page_ids.astype(np.uint32), qids.astype(np.uint32), marks)
        pq.write_table(pa.table(dict(zip(COLUMNS, columns, strict=True))), part / FILE)
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
        UserError: another table, no Q-ids, or the file lacks the final line written by the tools.
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
        file = Artefact(path, KIND, language=language).file(FILE)
        table = pq.read_table(file, use_threads=False)
        self._page_ids, self._qids, self._is_disambiguation = (table[x].to_numpy() for x in COLUMNS)

    def find(self, page_id: int) -> tuple[str, bool] | None:
        """The Q-id of a page and whether it is a disambiguation page; None if unknown."""
        # of the array's type: a plain int would copy the array
        at = int(np.searchsorted(self._page_ids, np.uint32(page_id)))
        if at == len(self._page_ids) or self._page_ids[at] != page_id:
            return None
        return f"Q{self._qids[at]}", bool(self._is_disambiguation[at])


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
    end, carried, size, is_known = b"", b"", 0, False
    while data := stream.read(READ):
        size += len(data)
        end += data
        is_known = is_known or TABLE in end
        end, data = end[-LONGEST_ROW:], carried + data
        cut = data.rfind(b"(")
        if cut < 0 or len(data) - cut > LONGEST_ROW:
            cut = len(data)
        yield ROW.findall(data, 0, cut)
        carried = data[cut:]
    yield ROW.findall(carried)
    if not is_known:
        raise UserError(f"{where}: expected a dump of the table page_props")
    if TRAILER not in end:
        raise UserError(
            f"{where}: the file ends after {size} bytes without its line "
            f"{TRAILER.decode()!r}; it is truncated: get a whole copy"
        )
