"""The most relevant other text of each text: what stage 1 of XCNN learns from."""

import numpy as np
from scipy import sparse

from cr5.base.rows import unit_rows
from cr5.counts.weighting import inverse_document_frequency

BLOCK = 128  # of texts whose scores of all others are held at once


def most_relevant(counts: sparse.csr_matrix, self_matches: bool) -> tuple[np.ndarray, np.ndarray]:
    """Pair each text with the text that a search for it finds first.

    A search among texts finds the text itself first. With `self_matches` it is its own answer, as
    Gupta et al. 2017 published it; without, the first text with other counts.

    Args:
        counts: texts x words csr.
        self_matches: whether a text answers itself.

    Returns:
        Rows of texts with known words that have an answer, and their answers' rows; of equal texts
        always the first row. Among equally near answers the first row.
    """
    known = np.flatnonzero(np.diff(counts.indptr))
    if self_matches:
        return known, known
    first, group = _distinct(counts, known)
    rows = _tfidf(counts[first], counts[known])
    columns = rows.T.tocsc()
    nearest = np.full(len(first), -1)
    for start in range(0, len(first), BLOCK):
        nearest[start : start + BLOCK] = _nearest(rows[start : start + BLOCK] @ columns, start)
    found = nearest[group] >= 0
    return first[group[found]], first[nearest[group[found]]]


def _tfidf(texts: sparse.csr_matrix, every: sparse.csr_matrix) -> sparse.csr_matrix:
    return unit_rows(texts @ sparse.diags(inverse_document_frequency(every)))


def _nearest(scores: sparse.csr_matrix, start: int) -> np.ndarray:
    """The first column of each row's largest entry off the diagonal, which begins at `start`.

    It is -1 for a row without an entry above zero.
    """
    scores = scores.tocsr()
    nearest = np.full(scores.shape[0], -1)
    for i in range(len(nearest)):
        row = slice(scores.indptr[i], scores.indptr[i + 1])
        columns, values = scores.indices[row], scores.data[row].copy()
        values[columns == start + i] = 0
        if (most := values.max(initial=0)) > 0:
            nearest[i] = columns[values == most].min()
    return nearest


def _distinct(counts: sparse.csr_matrix, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The first of the rows with each content, and the number of each row's content."""
    counts = counts.sorted_indices()
    numbers, first, group = {}, [], np.zeros(len(rows), int)
    for place, i in enumerate(rows):
        part = slice(counts.indptr[i], counts.indptr[i + 1])
        content = counts.indices[part].tobytes(), counts.data[part].tobytes()
        group[place] = numbers.setdefault(content, len(numbers))
        if group[place] == len(first):
            first.append(i)
    return np.array(first, int), group
