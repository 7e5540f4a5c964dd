"""The documents whose topics are found: one for each concept, or for each concept and language."""

import numpy as np
from scipy import sparse

from cr5.base.errors import LeftOutError
from cr5.contracts.training import TrainingSet
from cr5.systems.algebra.columns import Columns, by_concept


def joined(training: TrainingSet, columns: Columns) -> sparse.csr_matrix:
    """Return one document per concept: the words of all its languages together (section 2.4)."""
    return with_words(sum(by_concept(training, columns)))


def coupled(training: TrainingSet, columns: Columns) -> tuple[sparse.csr_matrix, int]:
    """Return a document per concept and language, and the number of pairs (section 2.5).

    The documents of pairs come first, those of a pair one after the other.
    """
    if len(training.languages) != 2:
        raise LeftOutError(
            f"CPLSA couples the topics of two languages, not of {', '.join(training.languages)}: "
            "fit it in settings of kind pairwise"
        )
    first, second = by_concept(training, columns)
    in_both = _has_words(first) & _has_words(second)
    n_pairs = int(in_both.sum())
    pairs = sparse.vstack([first[in_both], second[in_both]], "csr")
    one_after_the_other = np.arange(2 * n_pairs).reshape(2, n_pairs).T.ravel()
    alone = sparse.vstack([first[~in_both], second[~in_both]], "csr")
    documents = sparse.vstack([pairs[one_after_the_other], alone], "csr")
    return with_words(documents), n_pairs


def with_words(counts: sparse.csr_matrix) -> sparse.csr_matrix:
    """Return the documents that are not empty."""
    counts = sparse.csr_matrix(counts)
    counts = counts[_has_words(counts)]
    if not counts.nnz:
        raise LeftOutError("no training document has a word that is kept: there are no topics")
    counts.sort_indices()
    return counts


def _has_words(counts: sparse.csr_matrix) -> np.ndarray:
    return np.diff(counts.indptr) > 0
