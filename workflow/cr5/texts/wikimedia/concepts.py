r"""The concept of each page of a wiki: page ids and Q-ids, from the SQL table page_props.

The dumps are made by tools of MariaDB and MySQL, whose versions differ in layout: all rows on one
line or each on its own, with or without spaces, `_binary` before binary values. Rows are found by
their content. That is exact: quotes within a value are written \' or '', so
(1,'wikibase_item','Q64' never occurs inside another row's value.
"""

import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from cr5.base.artefacts import NO_JOB, Artefact, Job
from cr5.base.errors import UserError

READ = 1 << 20  # bytes
LONGEST_ROW = 256  # bytes of a wanted row; they have about 50
# Possessive quantifiers (++): no backtracking, 1.7 times as fast here.
ROW = re.compile(
    rb"\(\s?+(\d++),[\s_a-z]*+"
    rb"'(?:wikibase_item',[\s_a-z]*+'Q([1-9]\d*+)'|disambiguation')"
)
LARGEST = np.iinfo(np.uint32).max  # page ids have 8 digits, Q-ids 9
DISAMBIGUATION = 0  # no item of Wikidata has this number
KIND = "concepts by page"
FILE = "concepts.parquet"
COLUMNS = ("page_id", "qid")


def write(path: str | Path, pages: np.ndarray, language: str, job: Job = NO_JOB) -> None:
    """Write page_id and qid of pages as `page_props` returns them.

    Rows that share a Q-id are all kept. Most are redirects and other pages that no run reads; among
    the articles read, the one with the lowest page id gets the concept (`documents.write`).
    """
    columns = dict(zip(COLUMNS, pages.T, strict=True))
    with job.making(path, KIND, language=language) as part:
        pq.write_table(pa.table(columns), part / FILE)


def page_props(stream: BinaryIO, place: str) -> np.ndarray:
    """Read the Q-ids and the disambiguation pages of a wiki from its table page_props.

    Returns (pages, 2) uint32, by page id, each once: it, and the number of the Q-id, or
    `DISAMBIGUATION`.
    """
    pieces = [np.zeros((0, 2), np.uint32)]
    for rows in _rows(stream):
        pieces.append(_numbers(rows, place))
    pairs = np.concatenate(pieces)
    if not pairs[:, 1].any():
        raise UserError(
            f"{place}: no row of this table has the property wikibase_item; expected the "
            "page_props of a wiki that is connected with Wikidata: is it the right file?"
        )
    by_page_and_qid = np.lexsort(pairs.T[::-1])
    pairs = pairs[by_page_and_qid]
    page_ids = pairs[:, 0]
    _, first_rows = np.unique(page_ids, return_index=True)
    return pairs[first_rows]


class Concepts:
    """Q-ids by page id; 8 bytes per page, so that every job of a wiki can hold them."""

    def __init__(self, path: str | Path, language: str) -> None:
        """Read concepts/{language}; UserError if damaged or of another language."""
        file = Artefact(path, KIND, language=language).file(FILE)
        table = pq.read_table(file, use_threads=False)
        self._page_ids = table["page_id"].to_numpy()
        self._qids = table["qid"].to_numpy()

    def find(self, page_id: int) -> int | None:
        """Return the number of a page's Q-id, or `DISAMBIGUATION`; None if it has none."""
        # of the array's type: a plain int would copy the array
        number = np.uint32(page_id)
        row = int(np.searchsorted(self._page_ids, number))
        if row < len(self._page_ids) and self._page_ids[row] == page_id:
            return int(self._qids[row])
        return None


def _numbers(rows: list[tuple[bytes, bytes]], place: str) -> np.ndarray:
    """Return (n, 2) uint32: page id, Q-id or `DISAMBIGUATION`."""
    pairs = ((page, qid or b"0") for page, qid in rows)
    digits = b" ".join(chain.from_iterable(pairs))
    numbers = np.fromstring(digits, np.int64, sep=" ")
    largest = numbers.max(initial=0)
    if largest > LARGEST:
        raise UserError(f"{place}: the id {largest} is beyond {LARGEST}: get a whole copy")
    return numbers.reshape(-1, 2).astype(np.uint32)


def _rows(stream: BinaryIO) -> Iterator[list[tuple[bytes, bytes]]]:
    """Yield the wanted rows in each piece of the file; a row across two pieces is in the second.

    A row has one opening bracket, its first byte. So all rows that begin before the last bracket
    read so far are complete, and the text from that bracket on is carried over.
    """
    carried = b""
    piece = stream.read(READ)
    while piece:
        text = carried + piece
        cut = text.rfind(b"(")
        if cut < 0 or len(text) - cut > LONGEST_ROW:
            cut = len(text)
        yield ROW.findall(text, 0, cut)
        carried = text[cut:]
        piece = stream.read(READ)
    yield ROW.findall(carried)
