"""Embedded texts of one language, and their file: Feather, which is mapped into memory.

Columns: id, title, text, known; `vector`, a list of the same length for each text, or `indices` and
`values` of sparse rows; some systems have both. Of models with a second stage also `words` and
`word_weights`, lists; of those that keep training documents `hubness LANGUAGE`.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import pyarrow as pa
from pyarrow import feather
from scipy import sparse

from cr5.base.rows import HybridRows, Rows, check_norm, parts_of, stacked
from cr5.models.bank import neighbours
from cr5.retrieval.embedder import Embedder
from cr5.search.measures import measure
from cr5.search.nearest import mean_top_k

BATCH = 1024  # texts embedded at a time
NEIGHBOURS = 10  # k of CSLS, as in the evaluation
HUBNESS = "hubness "  # begins the names of columns
SPARSE = "indices", "values"
WORDS = "words", "word_weights"
CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
STRINGS = ("id", "title", "text")
KNOWN = pa.schema(dict.fromkeys(STRINGS, pa.large_string()) | {"known": pa.bool_()})


@dataclass(frozen=True, eq=False)
class Texts:
    """Texts in the order in which they were added."""

    # the columns above, but of rows and words: `known` is whether the model has learned a word of
    # the text, as others are never found; `hubness` r(y) of CSLS by the model's training documents
    about: pa.Table
    rows: Rows  # n x r, float32
    words: sparse.csr_matrix | None = None  # n x vocabulary, weights (`search.word_matches`)

    def __len__(self) -> int:
        """Number of texts."""
        return self.about.num_rows

    @property
    def ids(self) -> list[str]:
        """The id of each text."""
        return self.about["id"].to_pylist()

    @cached_property
    def known(self) -> np.ndarray:
        """Which texts can be found, (n,) bool."""
        return self.about["known"].to_numpy()

    def hubness(self, language: str) -> np.ndarray | None:
        """r(y) of each text for queries of a language, (n,) float32; None if it is not known."""
        name = HUBNESS + language
        return self.about[name].to_numpy() if name in self.about.column_names else None

    def kept(self, mask: np.ndarray) -> "Texts":
        """Those for which the mask, (n,) bool, is true."""
        words = None if self.words is None else self.words[mask]
        return Texts(self.about.filter(pa.array(mask)).combine_chunks(), self.rows[mask], words)


def joined(parts: Sequence[Texts]) -> Texts:
    """All texts of the parts."""
    if len(parts) == 1:
        return parts[0]
    about = pa.concat_tables([x.about for x in parts]).combine_chunks()
    words = None if parts[0].words is None else stacked([x.words for x in parts])
    return Texts(about, stacked([x.rows for x in parts]), words)


def embedded(model: Embedder, language: str, given: Sequence[Sequence[str]]) -> Texts:
    """Embed texts, given as ids, titles and texts; UserError if rows are not of the norm needed."""
    norm, towards = measure(model.measures[0]).unit or "none", model.towards(language)
    parts, known, words, texts = [], [], [], given[-1]
    for start in range(0, len(texts), BATCH):
        counts = model.count(texts[start : start + BATCH], language)
        parts.append(model.embed_counts(counts, language, towards))
        check_norm(parts[-1], norm, str(model.place))
        known.append(model.knows(counts, language, towards))
        if model.model.rerank:
            words.append(model.model.matched(counts, language).weights)
    about, rows = pa.table([*given, np.concatenate(known)], schema=KNOWN), stacked(parts)
    for each, found in _hubness(model, rows).items():
        about = about.append_column(HUBNESS + each, pa.array(found))
    return Texts(about, rows, stacked(words) if words else None)


def _hubness(model: Embedder, rows: Rows) -> dict[str, np.ndarray]:
    """r(y) of texts for queries of each language of which the model keeps documents."""
    if model.model.bank is None or model.model.directed:
        return {}
    keys = {x: neighbours(model.model, x, x) for x in model.model.bank}
    return {x: mean_top_k(rows, each, NEIGHBOURS, CORES) for x, each in keys.items()}


def write(texts: Texts, path: Path) -> None:
    """Write the file."""
    table, widths = texts.about, {}
    for part in parts_of(texts.rows):
        if sparse.issparse(part):
            widths["width"] = str(part.shape[1])
            table = _with_lists(table, part, SPARSE)
        else:
            values = pa.array(np.ascontiguousarray(part, np.float32).ravel())
            vectors = pa.FixedSizeListArray.from_arrays(values, part.shape[1])
            table = table.append_column("vector", vectors)
    if texts.words is not None:
        widths["n_words"] = str(texts.words.shape[1])
        table = _with_lists(table, texts.words, WORDS)
    table = table.replace_schema_metadata(widths)
    feather.write_feather(table, path, compression="uncompressed", chunksize=max(len(texts), 1))


def read(path: Path) -> Texts:
    """Map a file into memory."""
    table = feather.read_table(path, memory_map=True)
    widths, names = table.schema.metadata or {}, table.column_names
    parts = []
    if "vector" in names:
        flat = table["vector"].combine_chunks().flatten().to_numpy()
        parts.append(flat.reshape(table.num_rows, -1))
    if b"width" in widths:
        parts.append(_matrix(table, SPARSE, widths[b"width"]))
    words = _matrix(table, WORDS, widths[b"n_words"]) if b"n_words" in widths else None
    about = table.drop_columns([x for x in ("vector", *SPARSE, *WORDS) if x in names])
    return Texts(about, HybridRows(*parts) if len(parts) == 2 else parts[0], words)


def _with_lists(table: pa.Table, rows: sparse.csr_matrix, names: Sequence[str]) -> pa.Table:
    """Add columns of the column numbers and the values of sparse rows."""
    starts = pa.array(rows.indptr, pa.int64())
    for name, values in zip(names, (rows.indices, rows.data), strict=True):
        column = pa.LargeListArray.from_arrays(starts, pa.array(values))
        table = table.append_column(name, column)
    return table


def _matrix(table: pa.Table, names: Sequence[str], width: bytes) -> sparse.csr_matrix:
    columns, values = (table[name].combine_chunks() for name in names)
    found = (values.values.to_numpy(), columns.values.to_numpy(), columns.offsets.to_numpy())
    return sparse.csr_matrix(found, (table.num_rows, int(width)), copy=False)
