"""Tables of translated words: what each word of a text counts for in another language."""

from collections.abc import Mapping, Sequence
from itertools import permutations

import numpy as np
from scipy import sparse

from cr5.contracts.training import TrainingSet
from cr5.systems.baselines.strings import Tables, same_strings


def translations(
    training: TrainingSet, weights: Mapping[str, Sequence[float]]
) -> tuple[Tables, dict[str, dict[str, dict[str, int]]]]:
    """Return tables of translations, and how many words are translated, passed on and lost.

    A word without a translation stands for itself, where the target has it. Words of the target
    that have no weight are left out.
    """
    strings = same_strings(training)
    keep_weighted = {
        language: _diagonal(np.asarray(weights[language]) != 0) for language in training.words
    }
    tables: Tables = {language: {language: keep_weighted[language]} for language in training.words}
    report: dict = {language: {} for language in training.words}
    for source, target in permutations(training.words, 2):
        translated = training.alignments[source][target].astype(np.float32)
        has_none = np.diff(translated.indptr) == 0
        passed_on = _diagonal(has_none) @ strings[source][target]
        tables[source][target] = ((translated + passed_on) @ keep_weighted[target]).tocsr()
        n_translated = _n_filled_rows(translated @ keep_weighted[target])
        n_passed_on = _n_filled_rows(passed_on @ keep_weighted[target])
        report[source][target] = {
            "translated": n_translated,
            "passed_on": n_passed_on,
            "lost": translated.shape[0] - n_translated - n_passed_on,
        }
    return tables, report


def _diagonal(is_kept: np.ndarray) -> sparse.csr_matrix:
    """Return the matrix that keeps some rows or columns of another and empties the others."""
    return sparse.diags(is_kept.astype(np.float32), format="csr")


def _n_filled_rows(table: sparse.csr_matrix) -> int:
    return int((table.getnnz(axis=1) > 0).sum())
