"""Embedded texts of one language, and their file: Feather, which is mapped into memory.

Columns: id, title, text; known, whether the model has learned a word of it, as others are never
found; `vector`, a list of the same length for each text, or `sparse`, a list of columns and their
numbers; some systems have both. Of models with a second stage also `words`, likewise with weights;
of those that keep training documents `hubness LANGUAGE`, r(y) of CSLS by these.
"""

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import feather
from scipy import sparse

from cr5.base.rows import HybridRows, Rows, check_norm, parts_of
from cr5.models.bank import neighbours
from cr5.retrieval.embedder import Embedder
from cr5.search.kernels import slices
from cr5.search.measures import measure
from cr5.search.nearest import mean_top_k

BATCH = 1024  # texts embedded at a time
HUBNESS = "hubness "  # begins the names of columns
STRINGS = ("id", "title", "text")
DENSE, SPARSE, WORDS = "vector", "sparse", "words"
CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()


@dataclass(frozen=True, eq=False)
class Texts:
    """Texts in the order in which they were added; their table is read when it is first used."""

    read: Callable[[], pa.Table]

    def __len__(self) -> int:
        """Number of texts."""
        return self.table.num_rows

    @cached_property
    def table(self) -> pa.Table:
        """A row for each text, in one piece."""
        return self.read()

    @property
    def ids(self) -> list[str]:
        """The id of each text."""
        return self.table["id"].to_pylist()

    @cached_property
    def known(self) -> np.ndarray:
        """Which texts can be found, (n,) bool."""
        return self.table["known"].to_numpy()

    @cached_property
    def rows(self) -> Rows:
        """The embedded texts, n x r, float32."""
        parts = [self._matrix(x) for x in (DENSE, SPARSE) if x in self.table.column_names]
        return HybridRows(*parts) if len(parts) == 2 else parts[0]

    @cached_property
    def words(self) -> sparse.csr_matrix:
        """Weights of words for a second stage (`search.word_matches`), n x vocabulary."""
        return self._matrix(WORDS)

    def _matrix(self, name: str) -> Rows:
        found, width = self.table[name].combine_chunks(), self.table.schema.metadata[name.encode()]
        if name == DENSE:
            return found.flatten().to_numpy().reshape(len(self), -1)
        columns, numbers = found.values.flatten()
        parts = tuple(x.to_numpy() for x in (numbers, columns, found.offsets))
        return sparse.csr_matrix(parts, (len(self), int(width)), copy=False)

    def hubness(self, language: str) -> np.ndarray | None:
        """r(y) of each text for queries of a language, (n,) float32; None if it is not known."""
        name = HUBNESS + language
        return self.table[name].to_numpy() if name in self.table.column_names else None

    def without(self, ids: Iterable[str]) -> "Texts":
        """All but those with these ids."""
        there = pc.is_in(self.table["id"], pa.array(ids, pa.large_string()))
        return joined([self.table.filter(pc.invert(there))])

    def write(self, path: Path) -> None:
        """Write the file."""
        size = max(len(self), 1)
        feather.write_feather(self.table, path, compression="uncompressed", chunksize=size)


def read(path: Path) -> Texts:
    """Map a file into memory."""
    return Texts(partial(feather.read_table, path, memory_map=True))


def joined(tables: Sequence[pa.Table]) -> Texts:
    """All texts of the tables."""
    table = pa.concat_tables(tables).combine_chunks()
    return Texts(lambda: table)


def embedded(model: Embedder, language: str, given: Sequence[Sequence[str]]) -> Texts:
    """Embed texts, given as ids, titles and texts; UserError if rows are not of the norm needed."""
    batches = slices(0, len(given[-1]), BATCH)
    return joined([_batch(model, language, [each[some] for each in given]) for some in batches])


def _batch(model: Embedder, language: str, given: Sequence[Sequence[str]]) -> pa.Table:
    counts = model.count(given[-1], language)
    rows = model.model.embed(counts, language, language)
    check_norm(rows, measure(model.measures[0]).unit or "none", str(model.place))
    strings = (pa.array(each, pa.large_string()) for each in given)
    columns = dict(zip(STRINGS, strings, strict=True))
    columns["known"] = pa.array(model.knows(counts, language, language))
    if model.model.bank and not model.model.directed:
        for each in model.model.bank:
            near = mean_top_k(rows, neighbours(model.model, each, each), model.neighbours, CORES)
            columns[HUBNESS + each] = pa.array(near)
    matrices = {SPARSE if sparse.issparse(x) else DENSE: x for x in parts_of(rows)}
    if model.model.rerank:
        matrices[WORDS] = model.model.matched(counts, language).weights
    columns |= {name: _column(each) for name, each in matrices.items()}
    widths = {name: str(each.shape[1]) for name, each in matrices.items()}
    return pa.table(columns, metadata=widths)


def _column(rows: np.ndarray | sparse.csr_matrix) -> pa.Array:
    if sparse.issparse(rows):
        parts = [rows.indices.astype(np.int32), rows.data]
        entries = pa.StructArray.from_arrays(parts, ["column", "number"])
        return pa.LargeListArray.from_arrays(rows.indptr.astype(np.int64), entries)
    numbers = pa.array(np.ascontiguousarray(rows, np.float32).ravel())
    return pa.FixedSizeListArray.from_arrays(numbers, rows.shape[1])
