"""The counts of topic models: documents in shared columns, those of a pair in adjacent rows."""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from cr5.base.errors import LeftOutError
from cr5.fitting.contract import TrainingSet
from cr5.systems.projections.columns import Columns
from cr5.systems.projections.documents import members


@dataclass(frozen=True)
class Corpus:
    """Documents x columns with no empty row, and which of them are coupled.

    `by_word` is the transpose with the number of each entry in `counts.data`. Rows 2k and 2k + 1
    for k < n_pairs are a pair; later rows are single.
    """

    counts: sparse.csr_matrix
    by_word: sparse.csr_matrix
    n_pairs: int

    @property
    def tokens(self) -> np.ndarray:
        """Number of tokens of each document: (documents,) float64."""
        return np.asarray(self.counts.sum(axis=1), np.float64).ravel()

    @property
    def frequencies(self) -> np.ndarray:
        """Frequency of each column over all documents: (columns,) float64."""
        return np.asarray(self.counts.sum(axis=0), np.float64).ravel()


def joined(training: TrainingSet, columns: Columns) -> Corpus:
    """One document per concept: the words of all its languages together (section 2.4)."""
    return make_corpus(sum(_by_concept(training, columns)), 0)


def coupled(training: TrainingSet, columns: Columns) -> Corpus:
    """A document per concept and language; those of a concept in both languages are a pair (2.5).

    Raises LeftOutError: there are not two languages.
    """
    if len(training.languages) != 2:
        raise LeftOutError(
            f"CPLSA couples the topics of two languages, not of {', '.join(training.languages)}: "
            "fit it in settings of kind pairwise"
        )
    first, second = _by_concept(training, columns)
    in_both = _has_words(first) & _has_words(second)
    pairs = sparse.vstack([first[in_both], second[in_both]], "csr")
    order = np.arange(pairs.shape[0]).reshape(2, -1).T.ravel()
    alone = sparse.vstack([first[~in_both], second[~in_both]], "csr")
    return make_corpus(sparse.vstack([pairs[order], alone], "csr"), int(in_both.sum()))


def make_corpus(counts: sparse.csr_matrix, n_pairs: int) -> Corpus:
    """Leave out empty rows (none of the first, which are pairs, is) and transpose.

    Raises LeftOutError: no document has a word.
    """
    counts = sparse.csr_matrix(counts)[_has_words(counts)]
    if not counts.nnz:
        raise LeftOutError("no training document has a word that is kept: there are no topics")
    counts.sort_indices()
    numbers = np.arange(counts.nnz, dtype=np.int64)
    entries = sparse.csr_matrix((numbers, counts.indices, counts.indptr), counts.shape)
    return Corpus(counts, entries.T.tocsr(), n_pairs)


def _by_concept(training: TrainingSet, columns: Columns) -> list[sparse.csr_matrix]:
    """Per language concepts x columns, zeros for concepts without a document."""
    found = []
    for language in training.languages:
        counts = members(training, language) @ training.counts[language]
        merged = (counts @ columns.selection(language)).tocsr()
        merged.eliminate_zeros()
        found.append(merged)
    return found


def _has_words(counts: sparse.csr_matrix) -> np.ndarray:
    return np.diff(counts.indptr) > 0
