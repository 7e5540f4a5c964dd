"""Word tables of which counts are saturated and lengths evened out, as in BM25."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy import sparse

from cr5.models.contract import ModelError
from cr5.models.word_tables import DirectedWordTables


@dataclass(frozen=True)
class Bm25Tables(DirectedWordTables):
    """BM25 as a product of rows (Robertson and Zaragoza 2009, section 3.4).

    A word that a text of n words has c times counts

        c (k1 + 1) / (c + k1 (1 - b + b n / m))

    Queries are saturated like documents: for words that a query has once each, that is the same
    factor for all of them, and its ranking is that of BM25.

    Attributes:
        lengths: m for each language, the mean number of words of a document.
        k1: how late counts saturate, 0 or more; 0 ignores them.
        b: how much of the length is evened out, from 0 to 1.
    """

    lengths: Mapping[str, float] = field(default_factory=dict)
    k1: float = 1.2
    b: float = 0.75
    norm: str = "none"
    measures: Sequence[str] = ("dot",)

    def _weighted(self, counts: sparse.csr_matrix, language: str) -> sparse.csr_matrix:
        """Saturated counts times weights, documents x words."""
        counts = counts.tocsr().astype(np.float64)
        n = np.asarray(counts.sum(axis=1)).ravel() / self.lengths[language]
        late = np.repeat(self.k1 * (1 - self.b + self.b * n), np.diff(counts.indptr))
        data = counts.data * (self.k1 + 1) / (counts.data + late)
        saturated = sparse.csr_matrix((data, counts.indices, counts.indptr), counts.shape)
        return (saturated @ sparse.diags(self.weights[language])).tocsr()

    def check(self) -> None:
        """As `DirectedWordTables.check`, and the constants of the formula."""
        super().check()
        if not (self.k1 >= 0 and 0 <= self.b <= 1):
            raise ModelError(f"k1 is {self.k1}, b {self.b}: expected 0 or more, and from 0 to 1")
        for language in self.words:
            if not self.lengths.get(language, 0) > 0:
                raise ModelError(
                    f"the mean length of language {language!r} is {self.lengths.get(language)}, "
                    "expected a number above 0",
                    "lengths",
                )
