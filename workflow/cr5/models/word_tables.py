"""Used by nearly every system: a vector and a weight per word; a document is a weighted sum.

Two kinds add to it: one with sparse tables beside the dense ones, and BM25's.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from scipy import sparse

from cr5.base.rows import (
    NORMS,
    HybridRows,
    Rows,
    normalised,
    norms,
    scaled,
    stacked,
    sum_of,
    unit_rows,
)
from cr5.counts.columns import widened
from cr5.counts.weighting import term_frequency
from cr5.models.contract import Model, ModelError
from cr5.search.word_matches import Words, weighted

CHUNK = 4096


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

    @property
    def directed(self) -> bool:
        """Whether tables depend on the language of the candidates."""
        return any(isinstance(table, Mapping) for table in self.tables.values())

    @property
    def is_sparse(self) -> bool:
        """Whether a table is sparse."""
        return any(map(sparse.issparse, self.tables.values()))

    def table(self, language: str, target_language: str | None) -> Rows:
        """The table of a language; in a directed model, towards another one."""
        found = self.tables[language]
        return found[target_language] if self.directed else found

    def embed(
        self, counts: sparse.csr_matrix, language: str, target_language: str | None = None
    ) -> Rows:
        """Embed documents; see `Model.embed` and the class."""
        weighted = self._weighted(counts, language)
        # as stored, so that rows are the same before saving and after loading
        table = (
            self.table(language, target_language).astype(np.float32, copy=False).astype(np.float64)
        )
        parts = []
        for start in range(0, max(weighted.shape[0], 1), CHUNK):
            rows = weighted[start : start + CHUNK] @ table
            if self.offsets is not None:
                rows = rows + self.offsets[language]
            parts.append(normalised(rows, self.norm).astype(np.float32))
        return stacked(parts)

    def learned(self, language: str, target_language: str | None = None) -> np.ndarray:
        """Return which columns have a weight, and a vector (towards some language) not of zeros."""
        targets = [target_language]
        if self.directed and target_language is None:
            targets = list(self.tables[language])
        has = [norms(self.table(language, target), "l2") > 0 for target in targets]
        return np.any(has, axis=0) & (np.asarray(self.weights[language]) != 0)

    def parts(
        self, counts: sparse.csr_matrix, language: str, target_language: str | None = None
    ) -> tuple[np.ndarray, Rows]:
        """Compute what each word adds to the row of a document; see `Model.parts`."""
        # sorted by column, so that joined tables see the same words in the same order
        weighted = self._weighted(counts, language).sorted_indices()
        columns = weighted.indices.astype(np.int64)
        rows = self.table(language, target_language)[columns].astype(np.float64)
        rows = scaled(rows, weighted.data)
        if self.offsets is not None:
            columns = np.append(columns, -1)
            rows = np.vstack([rows, self.offsets[language]])
        return columns, _of_norm(rows, self.norm)

    def matched(self, counts: sparse.csr_matrix, language: str) -> Words:
        """Return documents as words with weights f(c) * w, and their vectors."""
        if self.directed or self.is_sparse:
            return super().matched(counts, language)
        return Words(weighted(abs(self._weighted(counts, language))), self.tables[language])

    def _weighted(self, counts: sparse.csr_matrix, language: str) -> sparse.csr_matrix:
        """N_in(f(c) * w)."""
        weights = self.weights[language]
        counts = widened(counts, len(weights))
        weighted = (term_frequency(counts, self.term_frequency) @ sparse.diags(weights)).tocsr()
        return normalised(weighted, self.input_norm)

    def reweighted(self, language: str, weights: np.ndarray) -> "WordTables":
        """Return the same tables with other weights for the words of a language."""
        return replace(self, weights={**self.weights, language: weights})

    def check(self) -> None:
        """Raise `ModelError` if arrays do not fit the words or each other, or are not finite."""
        if not {self.input_norm, self.norm} <= {*NORMS}:
            raise ModelError(f"expected norms of {NORMS}, found {self.input_norm!r}, {self.norm!r}")
        given = self.tables, self.weights, self.offsets or self.words
        if lacking := [x for x in self.words if not all(x in each for each in given)]:
            raise ModelError(f"there is no table, no weights or no offset of {lacking}")
        for target in self.words if self.directed else [None]:
            width = np.shape(self.table(next(iter(self.words)), target))[-1:]
            for x in self.words:
                n_columns = len(self.vocabulary(x))
                check_numbers(self.table(x, target), (n_columns, *width), f"the table of {x!r}")
                check_numbers(self.weights[x], (n_columns,), f"the weights of {x!r}")
                if self.offsets is not None:
                    check_numbers(self.offsets[x], width, f"the offset of {x!r}")


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
        z = self._beside().embed(counts, language)
        return unit_rows(HybridRows(e, (z * math.sqrt(self.beta)).astype(np.float32)))

    def learned(self, language: str, target_language: str | None = None) -> np.ndarray:
        """Return which columns have a vector in one part or the other."""
        return super().learned(language, target_language) | self._beside().learned(language)

    def parts(
        self, counts: sparse.csr_matrix, language: str, target_language: str | None = None
    ) -> tuple[np.ndarray, HybridRows]:
        """Compute what each word adds to the row of a document; see `Model.parts`."""
        columns, e = super().parts(counts, language, target_language)
        _, z = self._beside().parts(counts, language)
        # parts that come from no word have zeros in z
        z = sparse.vstack([z, sparse.csr_matrix((len(columns) - z.shape[0], z.shape[1]))]).tocsr()
        return columns, _of_norm(HybridRows(e, z * math.sqrt(self.beta)), "l2")

    def check(self) -> None:
        """As `WordTables.check`, for both kinds of tables."""
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


def statistics(counts: sparse.csr_matrix) -> tuple[np.ndarray, float]:
    """Return the root of each word's idf in a collection, documents x words, and its mean length.

    The idf is ln(1 + (n - d_j + 1/2) / (d_j + 1/2)) with d_j of n documents that have j.
    """
    n, n_words = counts.shape
    having = np.bincount(counts.indices[counts.data > 0], minlength=n_words)
    idf = np.log1p((n - having + 0.5) / (having + 0.5))
    return np.sqrt(idf), float(max(counts.sum() / max(n, 1), 1))


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
        """The table of a language towards another one, times the weights of the latter's words."""
        found = super().table(language, target_language)
        return (found @ sparse.diags(self.weights[target_language])).tocsr()

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
        """Saturated counts, documents x words."""
        counts = counts.tocsr().astype(np.float64)
        n = np.asarray(counts.sum(axis=1)).ravel() / self.lengths[language]
        late = np.repeat(self.k1 * (1 - self.b + self.b * n), np.diff(counts.indptr))
        data = counts.data * (self.k1 + 1) / (counts.data + late)
        return sparse.csr_matrix((data, counts.indices, counts.indptr), counts.shape)


def _of_norm(rows: Rows, norm: str) -> Rows:
    """Scale rows so that their sum has norm one, unless it is zero."""
    length = (norms(sum_of(rows), norm)[0] if norm != "none" else 0) or 1.0
    return scaled(rows, np.full(rows.shape[0], 1 / length))


def check_numbers(values: Rows | None, shape: tuple[int, ...], what: str) -> None:
    """Raise `ModelError` unless an array, dense or sparse, has a shape and is finite in float32."""
    if np.shape(values) != shape:
        raise ModelError(f"{what}: expected an array of shape {shape}, found {np.shape(values)}")
    numbers = values.data if sparse.issparse(values) else np.asarray(values)
    with np.errstate(over="ignore", invalid="ignore"):
        # float64 sums of float32 numbers cannot overflow
        total = numbers.astype(np.float32, copy=False).sum(dtype=np.float64)
    if not np.isfinite(total):
        raise ModelError(f"{what}: there are numbers that are nan, inf or above 3e38")
