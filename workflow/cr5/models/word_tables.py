"""Used by nearly every system: a vector and a weight per word; a document is a weighted sum.

Two kinds add to it: one with sparse tables beside the dense ones, and BM25's.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np
from scipy import sparse

from cr5.base.rows import (
    NORMS,
    HybridRows,
    Rows,
    gathered,
    normalised,
    norms,
    parts_of,
    scaled,
    sum_of,
    unit_rows,
)
from cr5.contracts.model import Model, ModelError, Words
from cr5.contracts.training import TrainingSet
from cr5.counts.columns import widened
from cr5.counts.weighting import term_frequency
from cr5.search.word_matches import weighted

NUMBERS = "fiub"  # kinds of arrays: floats, integers, truth values
CHUNK = 1024  # texts: larger arrays are mapped and cleared anew each time


@dataclass(frozen=True)
class WordTables(Model):
    """A fitted linear system.

    With f the transformation of counts, w the weights and T the table of a language, a document of
    counts c becomes N_out(N_in(f(c) * w) T + b).

    Attributes:
        words: for each language, in the order of the columns of the bags. With its fallbacks there
            are p columns.
        tables: T for each language, p x r; stored as float32; dense, or sparse if mostly zero. Of a
            directed model, such as one of translations, also by language of the candidates, on
            which r depends.
        weights: w for each language, (p,), usually the idf of the training documents.
        offsets: b for each language, (r,); None for none. Only with dense tables.
        term_frequency: f: `raw`, `log`, `sqrt` or `binary`.
        input_norm: N_in: `l2`, `l1` or `none`. No effect without offsets if N_out is l2 or l1.
        norm: N_out: `l2`, as cosine and CSLS require, `l1` or `none`.
        measures: names in `search.measures` of measures that can compare documents.
    """

    words: Mapping[str, Sequence[str]]
    tables: Mapping[str, Rows | Mapping[str, Rows]]
    weights: Mapping[str, np.ndarray]
    offsets: Mapping[str, np.ndarray] | None = None
    term_frequency: str = "raw"
    input_norm: str = "none"
    norm: str = "l2"
    measures: Sequence[str] = ("cosine", "csls")

    @classmethod
    def of(cls, training: TrainingSet, tables: Mapping[str, Rows]) -> "WordTables":
        """Make the model that nearly every system uses, with tf-idf as in `training.features`.

        `tables` has for each language of the training set words x r.
        """
        for language, rows in tables.items():
            _check_numbers(language, rows)
        stored = {}
        with np.errstate(over="ignore"):  # `check` checks that they are finite
            for language, rows in tables.items():
                stored[language] = rows.astype(np.float32, copy=False)
        return cls(
            training.words,
            stored,
            training.weights,
            term_frequency=training.term_frequency,
        )

    @property
    def directed(self) -> bool:
        """Whether tables depend on the language of the candidates."""
        return any(isinstance(table, Mapping) for table in self.tables.values())

    @property
    def is_sparse(self) -> bool:
        """Whether a table is sparse."""
        return any(sparse.issparse(table) for table in self.tables.values())

    def table(self, language: str, target_language: str | None) -> Rows:
        """Return the table of a language; in a directed model, towards another one."""
        if self.directed:
            return self.tables[language][target_language]
        return self.tables[language]

    def embed(
        self, counts: sparse.csr_matrix, language: str, target_language: str | None = None
    ) -> Rows:
        """Embed documents; see `Model.embed` and the class."""
        weighted = self._weighted(counts, language)
        occurring, weights = _of_occurring_columns(weighted)
        # as stored, so that rows are the same before saving and after loading
        stored = self.table(language, target_language)[occurring].astype(np.float32, copy=False)
        table = stored.astype(np.float64)
        n_texts = weights.shape[0]
        offset = self.offsets[language] if self.offsets is not None else None
        starts = range(0, max(n_texts, 1), CHUNK)
        parts = (self._rows(weights[start : start + CHUNK], table, offset) for start in starts)
        return gathered(parts, n_texts)

    def _rows(self, weights: sparse.csr_matrix, table: Rows, offset: np.ndarray | None) -> Rows:
        """Return N_out(weights T + b), float32."""
        rows = weights @ table
        if offset is not None:
            rows = rows + offset
        return normalised(rows, self.norm).astype(np.float32)

    def learned(self, language: str, target_language: str | None = None) -> np.ndarray:
        """Return which columns have a weight, and a vector (towards some language) not of zeros."""
        targets = [target_language]
        if self.directed and target_language is None:
            targets = list(self.tables[language])
        has_vector = []
        for target in targets:
            lengths = norms(self.table(language, target), "l2")
            has_vector.append(lengths > 0)
        weights = np.asarray(self.weights[language])
        has_weight = weights != 0
        return np.any(has_vector, axis=0) & has_weight

    def parts(
        self, counts: sparse.csr_matrix, language: str, target_language: str | None = None
    ) -> tuple[np.ndarray, Rows]:
        """Compute what each word adds to the row of a document; see `Model.parts`."""
        # sorted by column, so that joined tables see the same words in the same order
        weighted = self._weighted(counts, language).sorted_indices()
        columns = weighted.indices.astype(np.int64)
        table = self.table(language, target_language)
        vectors = table[columns].astype(np.float64)
        rows = scaled(vectors, weighted.data)
        if self.offsets is not None:
            columns = np.append(columns, -1)
            rows = np.vstack([rows, self.offsets[language]])
        return columns, of_norm(rows, self.norm)

    def matched(self, counts: sparse.csr_matrix, language: str) -> Words:
        """Return documents as words with weights f(c) * w, and their vectors."""
        if self.directed or self.is_sparse:
            return super().matched(counts, language)
        weights = weighted(abs(self._weighted(counts, language)))
        return Words(weights, self.tables[language])

    def _weighted(self, counts: sparse.csr_matrix, language: str) -> sparse.csr_matrix:
        """Return N_in(f(c) * w)."""
        weights = np.asarray(self.weights[language], np.float64)
        all_counts = widened(counts, len(weights))
        frequencies = term_frequency(all_counts, self.term_frequency)
        weighted = frequencies @ sparse.diags(weights)
        return normalised(weighted.tocsr(), self.input_norm)

    def reweighted(self, language: str, weights: np.ndarray) -> "WordTables":
        """Return the same tables with other weights for the words of a language."""
        return replace(self, weights={**self.weights, language: weights})

    def joined(self, **beside: Any) -> "JoinedTables":
        """Return the same tables with sparse ones beside them, given as fields of `JoinedTables`.

        They take the place of those that are there.
        """
        names = [attribute.name for attribute in fields(WordTables)]
        of_words = {name: getattr(self, name) for name in names}
        return JoinedTables(**of_words, **beside)

    def check(self) -> None:
        """Raise `ModelError` if arrays do not fit the words or each other, or are not finite."""
        if self.input_norm not in NORMS or self.norm not in NORMS:
            raise ModelError(f"expected norms of {NORMS}, found {self.input_norm!r}, {self.norm!r}")
        have_offset = self.offsets or self.words
        complete = set(self.tables).intersection(self.weights, have_offset)
        lacking = [language for language in self.words if language not in complete]
        if lacking:
            raise ModelError(f"there is no table, no weights or no offset of {lacking}")
        targets = [None]
        if self.directed:
            targets = self.languages
        first_language = self.languages[0]
        for target in targets:
            first_table = self.table(first_language, target)
            width = np.shape(first_table)[-1:]  # empty if it is no table
            for language in self.words:
                self._check_language(language, target, width)

    def _check_language(self, language: str, target: str | None, width: tuple[int, ...]) -> None:
        n_columns = len(self.vocabulary(language))
        table = self.table(language, target)
        table_shape = (n_columns, *width)
        check_numbers(table, table_shape, f"the table of {language!r}")
        weights = self.weights[language]
        check_numbers(weights, (n_columns,), f"the weights of {language!r}")
        if self.offsets is not None:
            offset = self.offsets[language]
            check_numbers(offset, width, f"the offset of {language!r}")


@dataclass(frozen=True, kw_only=True)
class JoinedTables(WordTables):
    """A document is [e, sqrt(beta) z], of length one: e from dense tables, z from sparse ones.

    If documents have both, their cosine is (cosine of e + beta cosine of z) / (1 + beta). The
    tables of z have fields of the same names, after `beside`.
    """

    beside: Mapping[str, sparse.csr_matrix]
    beside_weights: Mapping[str, np.ndarray]
    beside_term_frequency: str
    beta: float

    def embed(
        self, counts: sparse.csr_matrix, language: str, target_language: str | None = None
    ) -> HybridRows:
        """Embed documents; see `Model.embed` and the class."""
        e = super().embed(counts, language, target_language)
        return self._side_by_side(e, counts, language)

    def _side_by_side(self, e: np.ndarray, counts: sparse.csr_matrix, language: str) -> HybridRows:
        """Return rows of documents, whose dense part is e."""
        z = self._beside().embed(counts, language)
        z = z * math.sqrt(self.beta)
        joined = HybridRows(e, z.astype(np.float32))
        return unit_rows(joined)

    def learned(self, language: str, target_language: str | None = None) -> np.ndarray:
        """Return which columns have a vector in one part or the other."""
        in_dense = super().learned(language, target_language)
        in_sparse = self._beside().learned(language)
        return in_dense | in_sparse

    def parts(
        self, counts: sparse.csr_matrix, language: str, target_language: str | None = None
    ) -> tuple[np.ndarray, HybridRows]:
        """Compute what each word adds to the row of a document; see `Model.parts`."""
        columns, e = super().parts(counts, language, target_language)
        return columns, self._parts_side_by_side(e, counts, language)

    def _parts_side_by_side(
        self, e: np.ndarray, counts: sparse.csr_matrix, language: str
    ) -> HybridRows:
        """Return the parts of a document, whose dense ones are e: of words first, then others."""
        _, z = self._beside().parts(counts, language)
        n_words, width = z.shape
        n_without_word = len(e) - n_words
        without_word = sparse.csr_matrix((n_without_word, width))
        z = sparse.vstack([z, without_word]).tocsr()
        z = z * math.sqrt(self.beta)
        joined = HybridRows(e, z)
        return of_norm(joined, "l2")

    def check(self) -> None:
        """Check both kinds of tables; see `WordTables.check`."""
        super().check()
        self._beside().check()

    def _beside(self) -> WordTables:
        return WordTables(
            self.words,
            self.beside,
            self.beside_weights,
            term_frequency=self.beside_term_frequency,
            fallbacks=self.fallbacks,
        )


def _of_occurring_columns(counts: sparse.csr_matrix) -> tuple[np.ndarray, sparse.csr_matrix]:
    """Return the numbers of the columns that have an entry, ascending, and these columns alone.

    The entries of a row keep their order, so that sums over them round alike.
    """
    n_texts, n_columns = counts.shape
    occurs = np.zeros(n_columns, bool)
    occurs[counts.indices] = True
    occurring = np.flatnonzero(occurs)
    number_of_column = np.cumsum(occurs) - 1
    indices = number_of_column[counts.indices]
    entries = (counts.data, indices, counts.indptr)
    shape = (n_texts, len(occurring))
    counts_of_occurring = sparse.csr_matrix(entries, shape)
    return occurring, counts_of_occurring


def statistics(counts: sparse.csr_matrix) -> tuple[np.ndarray, float]:
    """Return the root of each word's idf in a collection, documents x words, and its mean length.

    The idf is ln(1 + (n - d_j + 1/2) / (d_j + 1/2)) with d_j of n documents that have j.
    """
    n, n_words = counts.shape
    is_occurring = counts.data > 0
    occurring = counts.indices[is_occurring]
    d = np.bincount(occurring, minlength=n_words)
    odds = (n - d + 0.5) / (d + 0.5)
    idf = np.log1p(odds)
    total_length = counts.sum()
    mean_length = total_length / max(n, 1)
    return np.sqrt(idf), float(max(mean_length, 1))


@dataclass(frozen=True)
class Bm25Tables(WordTables):
    """BM25 as a product of rows (Robertson and Zaragoza 2009, section 3.4).

    A word that a text of n words has c times counts

        c (k1 + 1) / (c + k1 (1 - b + b n / m))

    Queries are saturated like documents: for words that a query has once each, that is the same
    factor for all of them, and its ranking is that of BM25. Tables say what a word of a query
    counts for words of the target language, itself the identity; weights are roots of the idf, for
    queries and candidates alike.
    """

    lengths: Mapping[str, float] = field(default_factory=dict)  # m, the mean of each language
    k1: float = 1.2  # how late counts saturate, 0 or more; 0 ignores them
    b: float = 0.75  # how much of the length is evened out, from 0 to 1
    norm: str = "none"
    measures: Sequence[str] = ("dot",)

    def table(self, language: str, target_language: str | None) -> Rows:
        """Return the table of a language towards another one, times the weights of its words."""
        unweighted = super().table(language, target_language)
        return (unweighted @ sparse.diags(self.weights[target_language])).tocsr()

    def searching(self, counts: sparse.csr_matrix, language: str) -> "Bm25Tables":
        """Return the same tables with idf and mean length of the documents that are searched."""
        weights, length = statistics(counts)
        return replace(
            self,
            weights={**self.weights, language: weights},
            lengths={**self.lengths, language: length},
        )

    reweighted = Model.reweighted  # refuses: halves of a score are weighed alike

    def _weighted(self, counts: sparse.csr_matrix, language: str) -> sparse.csr_matrix:
        """Return saturated counts, documents x words."""
        counts = counts.tocsr().astype(np.float64)
        k1 = self.k1
        b = self.b
        c = counts.data
        lengths = counts.sum(axis=1)
        n = np.asarray(lengths).ravel()
        m = self.lengths[language]
        relative_length = n / m
        of_documents = k1 * (1 - b + b * relative_length)
        n_words = np.diff(counts.indptr)
        of_words = np.repeat(of_documents, n_words)
        numerator = c * (k1 + 1)
        saturated = numerator / (c + of_words)
        entries = (saturated, counts.indices, counts.indptr)
        return sparse.csr_matrix(entries, counts.shape)


def of_norm(rows: Rows, norm: str) -> Rows:
    """Scale rows so that their sum has norm one, unless it is zero."""
    if norm == "none":
        return rows
    [length] = norms(sum_of(rows), norm)
    scale = 1 / (length or 1.0)
    return scaled(rows, np.full(rows.shape[0], scale))


def check_numbers(values: Rows | None, shape: tuple[int, ...], what: str) -> None:
    """Raise `ModelError` unless an array, dense or sparse, has a shape and is finite in float32."""
    actual_shape = np.shape(values)
    if actual_shape != shape:
        raise ModelError(f"{what}: expected an array of shape {shape}, found {actual_shape}")
    numbers = values.data if sparse.issparse(values) else np.asarray(values)
    with np.errstate(over="ignore", invalid="ignore"):
        as_stored = numbers.astype(np.float32, copy=False)
        # float64 sums of float32 numbers cannot overflow
        total = as_stored.sum(dtype=np.float64)
    if not np.isfinite(total):
        raise ModelError(f"{what}: there are numbers that are nan, inf or above 3e38")


def _check_numbers(language: str, rows: Rows) -> None:
    """Refuse tables whose values float32 cannot stand for: complex numbers, text or objects."""
    for part in parts_of(rows):
        dtype = getattr(part, "dtype", type(part).__name__)
        kind = getattr(dtype, "kind", "none")
        if kind not in NUMBERS:
            raise ModelError(f"table of {language!r}: expected float numbers, found {dtype}")
