"""The concept of each page of a wiki: page ids and Q-ids, from the table page_props."""

import logging
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from cr5.base import artefacts
from cr5.base.compressed import open_stream
from cr5.base.labels import CONCEPTS
from cr5.base.tables import reading
from cr5.corpora.wikimedia.sql import PageProps, page_props

log = logging.getLogger(__name__)

SCHEMA = pa.schema(
    [("page_id", pa.int64()), ("concept", pa.string()), ("is_disambiguation", pa.bool_())]
)
ROWS = 1 << 18  # in a row group: rows held as text at a time


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
    """Turn page_props into concepts/{language}.parquet; one job.

    Rows that share a Q-id are all kept. Most are redirects and other pages that no run reads; among
    the articles read, the one with the lowest page id gets the concept (`cr5.counts.merging`).

    Args:
        sql: the dump of the table, compressed or not.
        out: parquet with page_id, concept (Q and digits), is_disambiguation; by page id.
        language: of the wiki.

    Raises:
        UserError: as for `cr5.corpora.wikimedia.sql.page_props`.
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
    with (
        artefacts.written(CONCEPTS, path, {"language": language}) as temporary,
        pq.ParquetWriter(temporary, SCHEMA) as writer,
    ):
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
    return ConceptCounts(
        pages=len(page_ids),
        disambiguation=int(is_disambiguation.sum()),
        disambiguation_without_concept=len(disambiguation) - int(is_disambiguation.sum()),
        repeated=int((np.diff(np.sort(qids)) == 0).sum()),
    )


def _is_among(values: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Which of the sorted values are wanted, without the copies made by np.isin."""
    at = np.searchsorted(values, wanted)
    at = at[values[np.minimum(at, len(values) - 1)] == wanted]
    found = np.zeros(len(values), bool)
    found[at] = True
    return found


class Concepts:
    """Q-ids by page id; 9 bytes per page, so that every job of a wiki can hold them."""

    def __init__(self, path: str | Path, language: str) -> None:
        """Read concepts/{language}.parquet; UserError if damaged or of another language."""
        artefacts.checked(CONCEPTS, path, language=language)
        with reading(path), pq.ParquetFile(path) as file:
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
