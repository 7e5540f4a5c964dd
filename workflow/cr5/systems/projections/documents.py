"""Training documents as rows in the columns of `columns.py`."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from cr5.base.rows import normalised
from cr5.fitting.contract import TrainingSet
from cr5.systems.projections.columns import Columns


@dataclass(frozen=True)
class Documents:
    """Rows Z of all languages, language by language, R x p, indices sorted.

    Each has the number of its language, and that of its concept, from 0 without gaps.
    """

    Z: sparse.csr_matrix
    language: np.ndarray
    concept: np.ndarray

    @property
    def n_concepts(self) -> int:
        """Number of concepts that have a document."""
        return int(self.concept.max(initial=-1)) + 1

    def without(self, concepts: np.ndarray) -> "Documents":
        """The documents of all other concepts."""
        kept = np.flatnonzero(~np.isin(self.concept, concepts))
        concept = np.unique(self.concept[kept], return_inverse=True)[1]
        return Documents(self.Z[kept], self.language[kept], concept)


def of_documents(training: TrainingSet, columns: Columns, unit_rows: bool = False) -> Documents:
    """A row per document (Eq. 8): log2(1 + f) log2(N / d_j), unless rows are taken as they are."""
    parts = [columns.rows(x, training.counts[x]) for x in training.languages]
    sizes = [part.shape[0] for part in parts]
    concepts = np.concatenate([training.concepts[x] for x in training.languages])
    concept = np.unique(concepts, return_inverse=True)[1].astype(np.int64)
    language = np.repeat(np.arange(len(sizes)), sizes)
    return Documents(_finished(sparse.vstack(parts), unit_rows), language, concept)


def of_concepts(
    training: TrainingSet, columns: Columns, unit_rows: bool = False
) -> sparse.csr_matrix:
    """A row per concept, of the summed counts of its documents (Eq. 5)."""
    counts = sum(by_concept(training, columns))
    return _finished(columns.weighed(counts[np.diff(counts.indptr) > 0]), unit_rows)


def by_concept(training: TrainingSet, columns: Columns) -> Iterator[sparse.csr_matrix]:
    """Per language the counts of concepts x columns, zeros for concepts without a document."""
    for x in training.languages:
        yield members(training, x) @ training.counts[x] @ columns.selections[x]


def members(training: TrainingSet, language: str) -> sparse.csr_matrix:
    """Concepts x documents: a one for each document of a concept."""
    return members_of(training.concepts[language], training.n_concepts)


def same_concept(one: np.ndarray, other: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The rows of all pairs of documents, one of each list, that have the same concept number."""
    n = 1 + max(one.max(initial=-1), other.max(initial=-1))
    pairs = (members_of(one, n).T @ members_of(other, n)).tocsr()
    pairs = pairs.sorted_indices().tocoo()
    return pairs.row.astype(np.int64), pairs.col.astype(np.int64)


def members_of(numbers: np.ndarray, n: int | None = None) -> sparse.csr_matrix:
    """Groups x rows: a one for each row of a group; sums up groups, n or as many as there are."""
    n = 1 + int(numbers.max(initial=-1)) if n is None else n
    there = numbers, np.arange(len(numbers))
    return sparse.csr_matrix((np.ones(len(numbers)), there), (n, len(numbers)))


def _finished(rows: sparse.spmatrix, unit_rows: bool) -> sparse.csr_matrix:
    rows = normalised(rows.tocsr(), "l2" if unit_rows else "none")
    rows.eliminate_zeros()
    rows.sort_indices()
    return rows
