"""Which words are columns, and how much they weigh (Platt, Toutanova, Yih 2010, sections 2.1, 3.2).

The most frequent terms are dropped and the next ones are kept. A string in several languages is
one column, unless columns are separate. Only training documents count; they are the rows.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from cr5.base.errors import UserError
from cr5.base.rows import normalised
from cr5.counts.weighting import term_frequency
from cr5.fitting.contract import TrainingSet
from cr5.systems.algebra.incidence import incidence, members_of


@dataclass(frozen=True)
class Columns:
    """The n columns of a corpus, by descending frequency; separate ones language by language.

    With ln(1 + f) for counts f the entries are those of Eq. 8, log2(1 + f) log2(N / d_j), for N
    training documents of all languages of which d_j have column j.
    """

    selections: Mapping[str, sparse.csr_matrix]  # words x n, float32: a one where it has a column
    bits: np.ndarray  # (n,): log2(N / d_j) / ln 2; ones if documents are taken as they are
    term_frequency: str = "log"  # or `raw`, if they are

    @property
    def n(self) -> int:
        """Number of columns."""
        return len(self.bits)

    @property
    def weights(self) -> dict[str, np.ndarray]:
        """Per language the weight of each word; zero if it is dropped."""
        return {x: selection @ self.bits for x, selection in self.selections.items()}

    @property
    def starts(self) -> list[int]:
        """The first column of each language that has one, if they are separate."""
        kept = (self.selections[x].indices for x in sorted(self.selections))
        return [int(each.min()) for each in kept if len(each)]

    def rows(self, language: str, counts: sparse.csr_matrix) -> sparse.csr_matrix:
        """Counts of words, documents x words, as rows of weights, documents x n."""
        return self.weighed(counts @ self.selections[language])

    def weighed(self, counts: sparse.csr_matrix) -> sparse.csr_matrix:
        """Weigh counts in these columns."""
        frequencies = term_frequency(counts, self.term_frequency)
        return (frequencies @ sparse.diags(self.bits)).tocsr()

    def table(self, language: str, V: np.ndarray) -> np.ndarray:
        """The rows of V (n x r) by word; zeros if a word is dropped."""
        return self.selections[language] @ V


def columns_of(
    training: TrainingSet, system: Any, merged: bool = True, weighted: bool = True
) -> Columns:
    """Choose columns, by `skip_words` and `max_words` of a system, and their weights.

    Equally frequent strings are in alphabetical order. A word is dropped if it is in no training
    document of any language that shares its column. If columns are not merged, each language has a
    list of words of its own. Refuses to leave no word.
    """
    words, counts = training.words, training.counts
    numbers, bits = {}, [np.zeros(0)]
    n_documents = sum(each.shape[0] for each in counts.values())
    for languages in [sorted(words)] if merged else [[x] for x in sorted(words)]:
        strings = pd.Index(sorted(set().union(*(words[x] for x in languages))))
        places = {x: strings.get_indexer(words[x]) for x in languages}
        frequency, documents = np.zeros(len(strings)), np.zeros(len(strings), np.int64)
        for x, place in places.items():
            X = counts[x]
            frequency[place] += np.asarray(X.sum(axis=0, dtype=np.float64)).ravel()
            documents[place] += np.bincount(X.indices[X.data > 0], minlength=X.shape[1])
        order = np.argsort(-frequency, kind="stable")
        kept = order[frequency[order] > 0][system.skip_words :][: system.max_words]
        number = np.full(len(strings), -1)
        number[kept] = sum(map(len, bits)) + np.arange(len(kept))
        numbers |= {x: number[place] for x, place in places.items()}
        having = np.maximum(documents[kept], 1)
        bits.append(np.log2(n_documents / having) / np.log(2) if weighted else np.ones(len(kept)))
    n = sum(map(len, bits))
    if not n:
        raise UserError(
            f"no word is left of those of the training documents in {', '.join(sorted(words))}: "
            f"skip_words is {system.skip_words}, max_words {system.max_words}; lower the first, or "
            "bring documents with more words"
        )
    selections = {x: incidence(number, n) for x, number in numbers.items()}
    return Columns(selections, np.concatenate(bits), "log" if weighted else "raw")


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
    pairs = (incidence(one, n) @ incidence(other, n).T).tocsr().sorted_indices().tocoo()
    return pairs.row.astype(np.int64), pairs.col.astype(np.int64)


def _finished(rows: sparse.spmatrix, unit_rows: bool) -> sparse.csr_matrix:
    rows = normalised(rows.tocsr(), "l2" if unit_rows else "none")
    rows.eliminate_zeros()
    rows.sort_indices()
    return rows
