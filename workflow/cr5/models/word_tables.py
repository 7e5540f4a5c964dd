"""Used by nearly every system: a vector and a weight per word; a document is a weighted sum."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from numbers import Real
from typing import ClassVar

import numpy as np
from scipy import sparse

from cr5.base.rows import NORMS, Rows, normalised, norms, scaled, sum_of
from cr5.counts.columns import widened
from cr5.counts.weighting import TERM_FREQUENCIES, term_frequency
from cr5.models.contract import Model, ModelError
from cr5.search.measures import measure
from cr5.search.word_matches import Words, weighted

CHUNK = 4096


@dataclass(frozen=True)
class WordTables(Model):
    """A fitted linear system.

    With f the transformation of counts, w the weights and T the table of a language, a document of
    counts c becomes N_out(N_in(f(c) * w) T + b).

    Attributes:
        words: for each language p words, in the order of the columns of the bags.
        tables: T for each language, p x r; stored as float32; dense, or sparse if mostly zero.
        weights: w for each language, (p,), usually the idf of the training documents.
        offsets: b for each language, (r,); None for none. Only with dense tables.
        term_frequency: f: `raw`, `log`, `sqrt` or `binary`.
        input_norm: N_in: `l2`, `l1` or `none`. No effect without offsets if N_out is l2 or l1.
        norm: N_out: `l2`, as cosine and CSLS require, `l1` or `none`.
        measures: names in `search.measures` of measures that can compare documents.
    """

    words: Mapping[str, Sequence[str]]
    tables: Mapping[str, Rows]
    weights: Mapping[str, np.ndarray]
    offsets: Mapping[str, np.ndarray] | None = None
    term_frequency: str = "raw"
    input_norm: str = "none"
    norm: str = "l2"
    measures: Sequence[str] = ("cosine", "csls")

    def table(self, language: str, target_language: str | None) -> Rows:
        """The table of a language; in a directed model, towards another one."""
        return self.tables[language]

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
        return sparse.vstack(parts).tocsr() if sparse.issparse(table) else np.vstack(parts)

    def learned(self, language: str, target_language: str | None = None) -> np.ndarray:
        """Return which words have a vector that is not zeros, and a weight."""
        vectors = norms(self.table(language, target_language), "l2")
        return (vectors > 0) & (np.asarray(self.weights[language]) != 0)

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
        return columns, scaled(rows, np.full(len(columns), _scale(sum_of(rows), self.norm)))

    def matched(self, counts: sparse.csr_matrix, language: str) -> Words:
        """Return documents as words with weights f(c) * w, and their vectors."""
        if self.directed or sparse.issparse(self.tables[language]):
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
        """Raise `ModelError` if arrays do not fit the words, for nan or inf, and unknown names."""
        self._check_names()
        widths = {x: self._check_language(x, self.tables.get(x)) for x in self.words}
        if len(set(widths.values())) > 1:
            raise ModelError(f"the languages' tables differ in width: {widths}")

    def _check_names(self) -> None:
        for field, known in (
            ("term_frequency", tuple(TERM_FREQUENCIES)),
            ("input_norm", NORMS),
            ("norm", NORMS),
        ):
            if (found := getattr(self, field)) not in known:
                raise ModelError(f"{field} is {found!r}, expected one of {', '.join(known)}")
        if not isinstance(self.rerank, Real) or not 0 <= self.rerank < math.inf:
            raise ModelError(f"rerank is {self.rerank!r}, expected a number from 0 on")
        for name in self.measures:
            if (unit := measure(name).unit) not in (None, self.norm):
                raise ModelError(f"the measure {name} wants rows of norm {unit}, not {self.norm}")

    def _check_language(self, language: str, table: Rows | None, towards: str = "") -> int:
        """Check one language and return the width of its table."""
        words, offsets, whose = self.words[language], self.offsets, f"language {language!r}"
        check_table(table, words, f"{whose}{towards}")
        check_vector(self.weights.get(language), len(words), f"the weights of {whose}")
        if offsets is not None:
            if sparse.issparse(table):
                raise ModelError(f"{whose} has an offset, which only a dense table can have")
            check_vector(offsets.get(language), table.shape[1], f"the offset of {whose}")
        return table.shape[1]


@dataclass(frozen=True)
class DirectedWordTables(WordTables):
    """Word tables that depend on the language of the candidates, such as translation tables.

    Attributes:
        tables: by language and language of candidates, words x r; r depends on the language of
            candidates.
    """

    directed: ClassVar[bool] = True

    tables: Mapping[str, Mapping[str, Rows]]

    def table(self, language: str, target_language: str | None) -> Rows:
        """The table of a language towards the language of the candidates."""
        return self.tables[language][target_language]

    def learned(self, language: str, target_language: str | None = None) -> np.ndarray:
        """Return which words have a vector, towards one language or any."""
        targets = [target_language] if target_language else self.tables[language]
        return np.any([super(DirectedWordTables, self).learned(language, x) for x in targets], 0)

    def check(self) -> None:
        """As `WordTables.check`, for each language of candidates."""
        self._check_names()
        if self.offsets is not None:
            raise ModelError("a directed model has no offsets: its tables differ in width")
        for target in self.words:
            tables = {x: by_target.get(target) for x, by_target in self.tables.items()}
            towards = f", towards {target!r}"
            widths = {self._check_language(x, tables.get(x), towards) for x in self.words}
            if len(widths) > 1:
                raise ModelError(f"the languages' tables towards {target!r} differ in width")


def _scale(row: Rows, norm: str) -> float:
    """The factor that scales a row, 1 x r, to norm one; 1 for a row of zeros."""
    length = 1.0 if norm == "none" else norms(row, norm)[0]
    return 1.0 / length if length else 1.0


def check_vector(vector: np.ndarray | None, length: int, what: str) -> None:
    """Raise `ModelError` unless there is one finite number for each entry."""
    if np.shape(vector) != (length,):
        raise ModelError(f"{what}: expected {length} numbers, found shape {np.shape(vector)}")
    if not np.isfinite(vector).all():
        raise ModelError(f"{what}: not all of them are finite")


def check_table(table: Rows | None, words: Sequence[str], whose: str) -> None:
    """Raise `ModelError` unless a table has a row for each word, finite in float32."""
    if getattr(table, "ndim", 0) != 2 or table.shape[0] != len(words):
        found = getattr(table, "shape", type(table).__name__)
        raise ModelError(
            f"expected for {whose} a table with a row for each of its {len(words)} words, "
            f"found {found}"
        )
    rows = _not_finite(table)
    if len(rows):
        raise ModelError(
            f"the table of {whose} has values that are not finite in float32, in the rows of "
            f"{len(rows)} words, such as {words[rows[0]]!r}; they are nan, inf or above 3e38"
        )


def _not_finite(table: Rows) -> np.ndarray:
    """Rows with a value that is not finite in float32, ascending."""
    values = table.tocsr().data if sparse.issparse(table) else table
    if _is_finite(values):
        return np.zeros(0, int)
    with np.errstate(over="ignore"):
        bad = ~np.isfinite(values.astype(np.float32, copy=False))
    if sparse.issparse(table):
        return np.unique(np.searchsorted(table.tocsr().indptr, np.flatnonzero(bad), "right") - 1)
    return np.flatnonzero(bad.any(axis=1))


def _is_finite(values: np.ndarray) -> bool:
    """Checked in one pass without a copy: float64 sums of float32 numbers cannot overflow."""
    with np.errstate(invalid="ignore"):
        return values.dtype == np.float32 and bool(np.isfinite(values.sum(dtype=np.float64)))
