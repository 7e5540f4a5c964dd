"""Word tables in two parts: dense ones that are learned, sparse ones that are looked up."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from cr5.base.rows import HybridRows, norms, scaled, sum_of, unit_rows
from cr5.models.contract import ModelError
from cr5.models.word_tables import WordTables


@dataclass(frozen=True, kw_only=True)
class JoinedTables(WordTables):
    """A document is [e, sqrt(beta) z], of length one: e from dense tables, z from sparse ones.

    If documents have both, their cosine is (cosine of e + beta cosine of z) / (1 + beta).

    Attributes:
        beside: the sparse table of each language, words x s.
        beside_weights: for each language, a weight per word.
        beside_term_frequency: how counts enter z.
        beta: weight of z.
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
        """Return which words have a vector in one part or the other."""
        return super().learned(language, target_language) | self._beside().learned(language)

    def parts(
        self, counts: sparse.csr_matrix, language: str, target_language: str | None = None
    ) -> tuple[np.ndarray, HybridRows]:
        """Compute what each word adds to the row of a document; see `Model.parts`."""
        columns, e = super().parts(counts, language, target_language)
        _, z = self._beside().parts(counts, language)
        # parts that come from no word have zeros in z
        z = sparse.vstack([z, sparse.csr_matrix((len(columns) - z.shape[0], z.shape[1]))]).tocsr()
        rows = HybridRows(e, z * math.sqrt(self.beta))
        length = norms(sum_of(rows), "l2")[0] or 1.0
        return columns, scaled(rows, np.full(len(columns), 1 / length))

    def check(self) -> None:
        """As `WordTables.check`, for both kinds of tables."""
        super().check()
        for x, table in self.tables.items():
            if sparse.issparse(table) or not sparse.issparse(self.beside.get(x)):
                raise ModelError(f"language {x!r}: expected a dense table and a sparse one beside")
        if not 0 <= self.beta < math.inf or self.norm != "l2":
            raise ModelError(
                f"expected beta of 0 or more and rows of norm l2; found {self.beta}, {self.norm}"
            )
        self._beside().check()

    def _beside(self) -> WordTables:
        frequency = self.beside_term_frequency
        return WordTables(self.words, self.beside, self.beside_weights, term_frequency=frequency)
