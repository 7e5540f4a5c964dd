"""Word-by-word translation by a given table: x towards another language is x P (Platt et al. 2010).

P has p(target word | source word); documents are tf-idf rows in their own words, translated into
those of the candidates. Nothing is fitted.
"""

from itertools import permutations

import numpy as np
from scipy import sparse

from cr5.fitting.contract import Fit, TrainingSet
from cr5.models.word_tables import DirectedWordTables

NEEDS = ("alignments",)

DEFAULTS = {
    "pass_on": True,  # a word without a translation stands for itself where the target has it
}


def fit(training: TrainingSet, options: dict) -> Fit:
    """Take the translation tables for word tables.

    Args:
        training: its alignments and vocabularies.
        options: `pass_on`.

    Returns:
        A directed model; and a report of how many words of each language are translated into each
        other one, passed on, or lost.
    """
    pass_on = (DEFAULTS | options)["pass_on"]
    words = training.words
    tables = {x: {x: sparse.identity(len(words[x]), np.float32, "csr")} for x in words}
    report = {x: {} for x in words}
    for source, target in permutations(words, 2):
        given = training.alignments[source][target].astype(np.float32)
        same = _same(given, words[source], words[target] if pass_on else [])
        tables[source][target] = (given + same).tocsr()
        report[source][target] = _counts(given, same)
    model = DirectedWordTables(
        words, tables, training.weights, term_frequency=training.term_frequency
    )
    return Fit(model, {"words": report})


def _same(given: sparse.csr_matrix, source: list[str], target: list[str]) -> sparse.csr_matrix:
    """1 where a word without a translation is one of the target."""
    numbers = {word: i for i, word in enumerate(target)}
    without = np.flatnonzero(np.diff(given.indptr) == 0)
    rows = [row for row in without if source[row] in numbers]
    columns = [numbers[source[row]] for row in rows]
    return sparse.csr_matrix((np.ones(len(rows), np.float32), (rows, columns)), given.shape)


def _counts(given: sparse.csr_matrix, same: sparse.csr_matrix) -> dict[str, int]:
    translated, passed_on = int((np.diff(given.indptr) > 0).sum()), same.nnz
    lost = given.shape[0] - translated - passed_on
    return {"translated": translated, "passed_on": passed_on, "lost": lost}
