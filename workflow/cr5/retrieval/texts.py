"""Embedded texts of one language, and their file: Feather, which is mapped into memory.

Columns: id, title, text; known, whether the model has learned a word of it, as others are never
found; `vector`, a list of the same length for each text, or `sparse`, a list of columns and their
numbers; some systems have both. Of models with a second stage also `words`, likewise with weights;
of those that keep training documents `hubness LANGUAGE`, r(y) of CSLS by these.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import feather
from scipy import sparse

from cr5.base.errors import UserError
from cr5.base.rows import HybridRows, Rows, check_norm, parts_of, stacked
from cr5.models.bank import neighbours
from cr5.retrieval.arguments import BATCH, batches, threads_of
from cr5.retrieval.base_embedder import BaseEmbedder
from cr5.search.measures import measure_named
from cr5.search.nearest import mean_top_k

HUBNESS = "hubness "  # begins the names of columns
STRINGS = ("id", "title", "text")
DENSE, SPARSE, WORDS = "vector", "sparse", "words"


@dataclass(frozen=True, eq=False)
class Texts:
    """Texts in the order in which they were added; their table is read when it is first used."""

    read: Callable[[], pa.Table]

    def __len__(self) -> int:
        """Return the number of texts."""
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
    def barred(self) -> np.ndarray | None:
        """The penalty that excludes texts from a search, (n,) float32; None if all are known."""
        if self.known.all():
            return None
        return np.where(self.known, 0, np.inf).astype(np.float32)

    @cached_property
    def rows(self) -> Rows:
        """The embedded texts, n x r, float32."""
        names = [name for name in (DENSE, SPARSE) if name in self.table.column_names]
        parts = [self._matrix(name) for name in names]
        if len(parts) == 2:
            return HybridRows(*parts)
        return parts[0]

    @cached_property
    def words(self) -> sparse.csr_matrix:
        """Weights of words for a second stage (`search.word_matches`), n x vocabulary."""
        return self._matrix(WORDS)

    def _matrix(self, name: str) -> Rows:
        lists = self.table[name].combine_chunks()
        if name == DENSE:
            return lists.flatten().to_numpy().reshape(len(self), -1)
        columns, numbers = lists.values.flatten()
        width = int(self.table.schema.metadata[name.encode()])
        parts = numbers.to_numpy(), columns.to_numpy(), lists.offsets.to_numpy()
        return sparse.csr_matrix(parts, (len(self), width), copy=False)

    def hubness(self, language: str) -> np.ndarray | None:
        """Return r(y) of each text for queries of a language, (n,) float32; None if not known."""
        name = HUBNESS + language
        if name not in self.table.column_names:
            return None
        return self.table[name].to_numpy()

    def without(self, ids: Iterable[str]) -> "Texts":
        """Return all but those with these ids."""
        is_removed = pc.is_in(self.table["id"], pa.array(ids, pa.large_string()))
        table = self.table.filter(pc.invert(is_removed)).combine_chunks()
        return Texts(lambda: table)

    def write(self, path: Path) -> None:
        """Write the file."""
        size = max(len(self), 1)
        feather.write_feather(self.table, path, compression="uncompressed", chunksize=size)


def read(path: Path) -> Texts:
    """Map a file into memory when it is first used; UserError if it is damaged then."""
    return Texts(partial(_mapped, path))


def _mapped(path: Path) -> pa.Table:
    try:
        return feather.read_table(path, memory_map=True)
    except (pa.ArrowException, OSError) as error:
        raise UserError(f"{path}: damaged ({error}); make it again") from error


def joined(parts: Sequence[Texts]) -> Texts:
    """Return all texts of the parts, in one piece."""
    table = pa.concat_tables([part.table for part in parts])
    if table["id"].num_chunks > 1:
        table = table.combine_chunks()
    return Texts(lambda: table)


@dataclass(frozen=True)
class NewTexts:
    """Texts of one language that are to be embedded: a list of each of `STRINGS`."""

    language: str
    ids: Sequence[str]
    titles: Sequence[str]
    contents: Sequence[str]


def embedded(
    model: BaseEmbedder,
    new: NewTexts,
    batch_size: int = BATCH,
    threads: int | None = None,
    show_progress_bar: bool = False,
) -> Texts:
    """Embed texts; UserError if rows are not of the norm needed."""
    n = len(new.contents)
    columns = {}
    for name, values in zip(STRINGS, (new.ids, new.titles, new.contents), strict=True):
        columns[name] = pa.array(values, pa.large_string())
    numbers: dict[str, Column] = {}
    for part in batches(n, batch_size, new.language, show_progress_bar):
        of_part = _numbers(model, new.language, new.contents[part], threads_of(threads))
        for name, values in of_part.items():
            numbers.setdefault(name, Column(n)).add(values)
    widths = {}
    for name, column in numbers.items():
        columns[name] = column.as_arrow()
        if column.width is not None:
            widths[name] = str(column.width)
    table = pa.table(columns, metadata=widths)
    return Texts(lambda: table)


def _numbers(
    model: BaseEmbedder, language: str, texts: Sequence[str], threads: int
) -> dict[str, Any]:
    """Return the columns of numbers of some texts: arrays, or sparse rows."""
    counts = model.count(texts, language)
    rows = model.model.embed(counts, language, language)
    check_norm(rows, measure_named(model.model.measures[0]).norm or "none", str(model.place))
    columns = {"known": model.knows(counts, language, language)}
    for query_language in model.trained_languages:
        near = neighbours(model.model, query_language)
        hubness = mean_top_k(rows, near, model.n_neighbours, threads)
        columns[HUBNESS + query_language] = hubness
    for part in parts_of(rows):
        columns[SPARSE if sparse.issparse(part) else DENSE] = part
    if model.model.rerank:
        columns[WORDS] = model.model.matched(counts, language).weights
    return columns


class Column:
    """Numbers of n texts, of which some are added after the other; memory holds them once."""

    def __init__(self, n: int) -> None:
        self._n = n
        self._n_added = 0
        self._numbers: np.ndarray | None = None
        self._sparse: list[sparse.csr_matrix] = []

    def add(self, values: np.ndarray | sparse.csr_matrix) -> None:
        """Add the numbers of the next texts."""
        if sparse.issparse(values):
            self._sparse.append(values)
            return
        if self._numbers is None:
            self._numbers = np.empty((self._n, *values.shape[1:]), values.dtype)
        self._numbers[self._n_added : self._n_added + len(values)] = values
        self._n_added += len(values)

    @property
    def width(self) -> int | None:
        """Numbers of a text, None if it is one."""
        if self._sparse:
            return self._sparse[0].shape[1]
        if self._numbers is None or self._numbers.ndim == 1:
            return None
        return self._numbers.shape[1]

    def as_arrow(self) -> pa.Array:
        """Return the column of the file."""
        if self._sparse:
            rows: sparse.csr_matrix = stacked(self._sparse)
            parts = [rows.indices.astype(np.int32), rows.data]
            entries = pa.StructArray.from_arrays(parts, ["column", "number"])
            return pa.LargeListArray.from_arrays(rows.indptr.astype(np.int64), entries)
        if self.width is None:
            return pa.array(self._numbers)
        numbers = pa.array(np.ascontiguousarray(self._numbers, np.float32).ravel())
        return pa.FixedSizeListArray.from_arrays(numbers, self.width)
