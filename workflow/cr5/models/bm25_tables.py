"""Word tables of which counts are saturated and lengths evened out, as in BM25."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from scipy import sparse

from cr5.base.rows import Rows
from cr5.models.contract import Model, ModelError
from cr5.models.word_tables import DirectedWordTables


def statistics(counts: sparse.csr_matrix) -> tuple[np.ndarray, float]:
    """Return what BM25 knows of a collection.

    Args:
        counts: documents x words.

    Returns:
        The root of each word's idf, (words,), and the mean number of words of a document, at least
        one; idf is ln(1 + (n - d_j + 1/2) / (d_j + 1/2)), with d_j of n documents that have j.
    """
    n, n_words = counts.shape
    having = np.bincount(counts.indices[counts.data > 0], minlength=n_words)
    idf = np.log1p((n - having + 0.5) / (having + 0.5))
    return np.sqrt(idf), float(max(counts.sum() / max(n, 1), 1))


@dataclass(frozen=True)
class Bm25Tables(DirectedWordTables):
    """BM25 as a product of rows (Robertson and Zaragoza 2009, section 3.4).

    A word that a text of n words has c times counts

        c (k1 + 1) / (c + k1 (1 - b + b n / m))

    Queries are saturated like documents: for words that a query has once each, that is the same
    factor for all of them, and its ranking is that of BM25.

    Attributes:
        tables: what a word of a query counts for words of the target language; of one language to
            itself the identity.
        weights: the root of the idf of each language's words, of queries and of candidates alike.
        lengths: m for each language, the mean number of words of a document.
        k1: how late counts saturate, 0 or more; 0 ignores them.
        b: how much of the length is evened out, from 0 to 1.
    """

    lengths: Mapping[str, float] = field(default_factory=dict)
    k1: float = 1.2
    b: float = 0.75
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

    def check(self) -> None:
        """As `DirectedWordTables.check`, and the constants of the formula."""
        super().check()
        if not (self.k1 >= 0 and 0 <= self.b <= 1):
            raise ModelError(f"k1 is {self.k1}, b {self.b}: expected 0 or more, and from 0 to 1")
        for language in self.words:
            if not self.lengths.get(language, 0) > 0:
                raise ModelError(f"language {language!r} has no mean length above 0")
            n_words, width = self.tables[language][language].shape  # towards it all have this width
            if width != n_words:
                raise ModelError(
                    f"tables towards {language!r} have {width} columns, expected {n_words}, one "
                    "for each of its words"
                )
