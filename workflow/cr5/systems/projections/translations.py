"""Tables of the probabilities of words' translations, and what becomes of words without one."""

from itertools import permutations
from typing import Any

import numpy as np
from scipy import sparse

from cr5.fitting.contract import TrainingSet

Tables = dict[str, dict[str, Any]]


def translations(
    training: TrainingSet, weights: dict[str, np.ndarray], pass_on: bool
) -> tuple[Tables, dict]:
    """Per language, per target language: words x words; targets without a weight have none.

    Returns:
        The tables, and how many words of each are translated, passed on and lost.
    """
    words = training.words
    kept = {x: sparse.diags((weights[x] != 0).astype(np.float32), format="csr") for x in words}
    tables, report = {x: {x: kept[x]} for x in words}, {x: {} for x in words}
    for source, target in permutations(words, 2):
        given = training.alignments[source][target].astype(np.float32)
        same = _same(given, words[source], words[target] if pass_on else [])
        tables[source][target] = ((given + same) @ kept[target]).tocsr()
        report[source][target] = _counts(given @ kept[target], same @ kept[target])
    return tables, report


def _same(given: sparse.csr_matrix, source: list[str], target: list[str]) -> sparse.csr_matrix:
    """1 for a word without a translation that is also a word of the target."""
    numbers = {word: i for i, word in enumerate(target)}
    without = np.flatnonzero(np.diff(given.indptr) == 0)
    rows = [row for row in without if source[row] in numbers]
    columns = [numbers[source[row]] for row in rows]
    return sparse.csr_matrix((np.ones(len(rows), np.float32), (rows, columns)), given.shape)


def _counts(given: sparse.csr_matrix, same: sparse.csr_matrix) -> dict[str, int]:
    """Count words that are translated, passed on or lost, from the tables of both."""
    translated, passed_on = (int((each.getnnz(axis=1) > 0).sum()) for each in (given, same))
    lost = given.shape[0] - translated - passed_on
    return {"translated": translated, "passed_on": passed_on, "lost": lost}
